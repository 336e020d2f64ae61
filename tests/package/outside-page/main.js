// A page of somebody else: it shows a continuation, and hands the package to
// the test.
import * as attnscope from "attnscope";

const globals = Object.getOwnPropertyNames(globalThis);
const model = await attnscope.loadModel("models/tales");
const run = await model.run("Once upon a time");
const { shape, data } = await run.weights(0, 0);
for await (const { newText } of run.generate({ maxTokens: 20 })) {
  globalThis.document.querySelector("p").append(newText);
}

globalThis.seen = { attnscope, globals, model, run, shape, data };
