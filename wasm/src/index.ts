// The package: load a checkpoint folder, run a text, look at every number.
//
//   const model = await loadModel('models/tales');
//   const run = await model.run('Once upon a time');
//   const { shape, data } = await run.weights(0, 0);
//   for await (const { newText } of run.generate()) show(newText);
//
// Importing it does nothing yet. Read next: types.ts, load-model.ts.

export { loadModel } from "./load-model.js";
export { clearCheckpointCache } from "./file-cache.js";
export { hubFolder } from "./hub.js";
export { compareRuns } from "./compare-runs.js";
export { AttnscopeError } from "./errors.js";
export type { ErrorCode } from "./errors.js";
export { Tokenizer } from "./tokenizer.js";
export type * from "./types.js";
