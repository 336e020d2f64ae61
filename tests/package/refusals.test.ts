// What a run refuses, each with its code and a message that names the thing;
// the model works on after every one.
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { loadModel } from "attnscope";
import type { Model, Variant } from "attnscope";

import { tales } from "./support/files.js";
import { drain, faultOf, load, tiny } from "./support/models.js";

let model: Model; // random weights, no tokenizer
let story: Model; // trained, with a tokenizer
const prompt = [5, 7, 11, 13, 2, 30];

beforeAll(async () => {
  model = await load(tiny);
  story = await load(tales);
});
afterAll(() => {
  model.dispose();
  story.dispose();
});

describe("what is refused", () => {
  it.each<[string, number[] | string, object, string, RegExp]>([
    ["no tokens", [], {}, "empty-input", /no token/],
    [
      "a text without tokenizer",
      "a",
      {},
      "tokenizer-missing",
      /tokenizer.json/,
    ],
    ["an id past the vocabulary", [1, 64], {}, "token-out-of-range", /64.*1/],
    ["a negative id", [-1], {}, "token-out-of-range", /-1/],
    ["half an id", [0.5], {}, "token-out-of-range", /0\.5/],
    [
      "an unknown tensor",
      [1],
      { record: ["hook_x"] },
      "unknown-tensor",
      /hook_x/,
    ],
    [
      "a padding mask of another text",
      Array<number>(12).fill(1),
      { mask: { kind: "padding", hidden: Array<boolean>(512).fill(false) } },
      "invalid-argument",
      /512.*12/,
    ],
    [
      "a window of nothing",
      [1],
      { mask: { kind: "window", size: 0 } },
      "invalid-argument",
      /window/,
    ],
    [
      "a head that does not exist",
      [1],
      { interventions: [{ kind: "ablateHead", with: "zero", head: 6 }] },
      "invalid-argument",
      /6/,
    ],
    [
      "a mean of a layer that does not exist",
      [1],
      { interventions: [{ kind: "ablateHead", with: "mean", layer: 2 }] },
      "invalid-argument",
      /2/,
    ],
    [
      "a temperature of scores below zero",
      [1],
      { interventions: [{ kind: "temperature", temperature: -1 }] },
      "invalid-argument",
      /-1/,
    ],
    [
      "a mask by its bare name",
      [1],
      { mask: "causal" },
      "invalid-argument",
      /mask is 'causal'/,
    ],
    [
      "an unknown kind of mask",
      [1],
      { mask: { kind: "diagonal" } },
      "invalid-argument",
      /'diagonal'/,
    ],
    [
      "padding that is no array",
      [1],
      { mask: { kind: "padding" } },
      "invalid-argument",
      /hidden.*undefined/,
    ],
    [
      "a window's size as a text",
      [1],
      { mask: { kind: "window", size: "3" } },
      "invalid-argument",
      /'3'/,
    ],
    [
      "interventions that are no array",
      [1],
      { interventions: {} },
      "invalid-argument",
      /interventions/,
    ],
    [
      "an intervention that is none",
      [1],
      { interventions: [null] },
      "invalid-argument",
      /intervention is null/,
    ],
    [
      "an unknown kind of intervention",
      [1],
      { interventions: [{ kind: "shuffle" }] },
      "invalid-argument",
      /'shuffle'/,
    ],
    [
      "a head ablated by something else",
      [1],
      { interventions: [{ kind: "ablateHead", with: "noise" }] },
      "invalid-argument",
      /'noise'/,
    ],
    [
      "a scale as a text",
      [1],
      { interventions: [{ kind: "scale", scale: "2" }] },
      "invalid-argument",
      /scale is '2'/,
    ],
    [
      "a tensor's bare name",
      [1],
      { record: "blocks.0.attn.hook_q" },
      "invalid-argument",
      /record is 'blocks.0.attn.hook_q'/,
    ],
    ["too little room", [1, 2, 3], { capacity: 2 }, "capacity-reached", /3.*2/],
    ["too much room", [1], { capacity: 100_000 }, "invalid-argument", /100000/],
    ["half a place", [1], { capacity: 2.5 }, "invalid-argument", /2\.5/],
  ])("%s", async (_, input, options, code, message) => {
    const fault = await faultOf(model.run(input, options));
    expect(fault).toMatchObject({ code });
    expect(fault.message).toMatch(message);
    // Nothing is broken by it.
    expect((await model.run([1])).tokens).toHaveLength(1);
  });

  it.each([undefined, null, 5, {}])(
    "%j in the place of a text",
    async (input) => {
      const fault = await faultOf(story.run(input as unknown as string));
      expect(fault).toMatchObject({ code: "invalid-argument" });
      expect(fault.message).toContain(String(input));
      expect(
        await faultOf(() => story.tokenize(input as unknown as string)),
      ).toMatchObject({ code: "invalid-argument" });
    },
  );

  it.each([NaN, -1, 1.5, "3", null])("%j tokens to add", async (maxTokens) => {
    const options = { maxTokens: maxTokens as number };
    const run = await model.run([1]);
    for (const generation of [
      run.generate(options),
      model.generate([1], options),
    ]) {
      const fault = await faultOf(drain(generation));
      expect(fault).toMatchObject({ code: "invalid-argument" });
      expect(fault.message).toMatch(/^maxTokens is /);
    }
    expect(run.tokens).toHaveLength(1);
  });

  it("a temperature as a text", async () => {
    const run = await model.run([1]);
    const options = { temperature: "1" as unknown as number };
    const fault = await faultOf(drain(run.generate(options)));
    expect(fault.code).toBe("invalid-argument");
    expect(fault.message).toMatch(/^temperature is '1'/);
  });

  it("an unknown variant", async () => {
    const options = { worker: false, variant: "avx2" as Variant };
    const fault = await faultOf(load(tiny, options));
    expect(fault.code).toBe("invalid-argument");
    expect(fault.message).toContain("'avx2'");
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["a plain object", { "config.json": new Blob() }],
    ["a text for a file", new Map([["config.json", "{}"]])],
    ["an address without folders", "data:text/plain,a"],
  ])("%s in the place of a checkpoint", async (_, source) => {
    const work = loadModel(source as string, { worker: false });
    expect(await faultOf(work)).toMatchObject({ code: "invalid-argument" });
  });

  it("an empty text", async () => {
    expect(await faultOf(story.run(""))).toMatchObject({ code: "empty-input" });
  });

  it("a text longer than the context, in tokens", async () => {
    const long = "the cat sat on the mat. ".repeat(200);
    const count = story.tokenize(long).length;
    const fault = await faultOf(story.run(long));
    expect(fault.code).toBe("capacity-reached");
    expect(fault.message).toContain(String(count));
    expect(fault.message).toContain(String(story.config.context));
    expect(await faultOf(drain(story.generate(long)))).toEqual(fault);
  });

  it("a text of ten million characters, at once", async () => {
    const started = performance.now();
    const fault = await faultOf(story.run("a ".repeat(5_000_000)));
    expect(performance.now() - started).toBeLessThan(1000);
    expect(fault.code).toBe("capacity-reached");
    expect(fault.message).toMatch(/10000000.*512/);
  });

  it("cells of a head, layer or tensor that was not recorded", async () => {
    const run = await model.run(prompt);
    expect(await faultOf(run.weights(0, 6))).toMatchObject({
      code: "invalid-argument",
    });
    expect(await faultOf(run.weights(2, 0))).toMatchObject({
      code: "unknown-tensor",
    });
    expect(await faultOf(run.weights(0.5, 0))).toMatchObject({
      code: "invalid-argument",
    });
    expect(await faultOf(run.mask(0, 6))).toMatchObject({
      code: "invalid-argument",
    });
    const bare = await model.run(prompt, { record: [] });
    expect(await faultOf(bare.weights(0, 0))).toMatchObject({
      code: "unknown-tensor",
    });
  });

  it("a run or a model that was disposed of", async () => {
    const run = await model.run(prompt);
    run.dispose();
    run.dispose();
    expect(await faultOf(run.weights(0, 0))).toMatchObject({
      code: "disposed",
    });
    expect(await faultOf(drain(run.generate()))).toMatchObject({
      code: "disposed",
    });
    const other = await load(tiny);
    const its = await other.run(prompt);
    other.dispose();
    other.dispose();
    expect(await faultOf(its.logits())).toMatchObject({ code: "disposed" });
    expect(await faultOf(other.run(prompt))).toMatchObject({
      code: "disposed",
    });
  });
});
