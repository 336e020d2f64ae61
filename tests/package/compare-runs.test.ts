// How far two runs of the same tokens are from each other, by compareRuns.
import { afterAll, describe, expect, it } from "vitest";

import { compareRuns } from "attnscope";
import type { LoadOptions, Model, Run, RunOptions } from "attnscope";

import { golden, largestDifference, tales } from "./support/files.js";
import { faultOf, load, tiny } from "./support/models.js";

const ids = [5, 7, 11, 13, 2, 30, 1, 9];
const loaded: Model[] = [];

async function loadAs(folder: string, options?: LoadOptions): Promise<Model> {
  const model = await load(folder, options);
  loaded.push(model);
  return model;
}

afterAll(() => {
  for (const model of loaded) model.dispose();
});

function run(model: Model, options: RunOptions = {}): Promise<Run> {
  return model.run(ids, { allLogits: true, ...options });
}

/** One head over two tokens, one logit a position. */
function fakeRun(weights: number[], logits: number[]): Run {
  const tensor = (shape: number[], values: number[]) =>
    Promise.resolve({ shape, data: Float32Array.from(values) });
  return {
    config: {
      architecture: "decoder",
      numLayers: 1,
      numQueryHeads: 1,
      vocabularySize: 1,
      hasLogits: true,
    },
    tokens: [{ id: 3 }, { id: 4 }],
    sourceTokens: [],
    weights: () => tensor([2, 2], weights),
    logits: () => tensor([2, 1], logits),
  } as unknown as Run;
}

describe("compareRuns", () => {
  it("finds the largest changes, and where they are", async () => {
    const wide = await loadAs(tales);
    const small = await loadAs(tales, { storage: "int8" });
    const text = "Once upon a time there was a cat.";
    const from = await wide.run(text, { allLogits: true });
    const to = await small.run(text, { allLogits: true });
    const { weight, logit } = await compareRuns(from, to);

    let largest = 0;
    for (let layer = 0; layer < wide.config.numLayers; ++layer) {
      for (let head = 0; head < wide.config.numQueryHeads; ++head) {
        const { data } = await from.weights(layer, head);
        const other = (await to.weights(layer, head)).data;
        largest = Math.max(largest, largestDifference(data, other));
      }
    }
    expect(weight.change).toBe(largest);
    expect(weight.change).toBeGreaterThan(0);
    const cell = async (of: Run) => {
      const { shape, data } = await of.weights(weight.layer, weight.head);
      return data[weight.query * shape[1]! + weight.key];
    };
    expect(await cell(from)).toBe(weight.from);
    expect(await cell(to)).toBe(weight.to);
    expect(Math.abs(weight.from - weight.to)).toBe(weight.change);

    const logits = [await from.logits(), await to.logits()] as const;
    if (logit === undefined) throw new Error("a decoder has logits");
    expect(logit.change).toBe(
      largestDifference(logits[0].data, logits[1].data),
    );
    const at = logit.position * wide.config.vocabularySize + logit.token;
    expect(logits.map(({ data }) => data[at])).toEqual([logit.from, logit.to]);
    // 255 steps keep the picture: what a person sees is not another model.
    expect(weight.change).toBeLessThan(0.2);
  });

  it("of the last position alone says which one it is", async () => {
    const model = await loadAs(tiny);
    const [from, to] = [
      await run(model, { allLogits: false }),
      await run(model, { interventions: [{ kind: "scale", scale: 1 }] }),
    ];
    const { logit } = await compareRuns(from, to);
    expect(logit?.position).toBe(ids.length - 1);
    const own = await compareRuns(from, from);
    expect([own.weight.change, own.logit?.change]).toEqual([0, 0]);
  });

  it("looks at every attention of an encoder-decoder", async () => {
    const folder = `${golden}/t5_gated`;
    const [wide, small] = [
      await loadAs(folder),
      await loadAs(folder, { storage: "int8" }),
    ];
    const source = [5, 7, 11, 13, 2, 30, 1];
    const target = { target: [0, 9, 4], allLogits: true };
    const from = await wide.run(source, target);
    const to = await small.run(source, target);
    const { weight } = await compareRuns(from, to);
    const { encoder, numLayers, numQueryHeads } = wide.config;
    const largest = new Map<string, number>();
    for (const [attention, layers, heads] of [
      ["encoder", encoder!.numLayers, encoder!.numHeads],
      ["self", numLayers, numQueryHeads],
      ["cross", numLayers, numQueryHeads],
    ] as const) {
      const changes = [];
      for (let layer = 0; layer < layers; ++layer) {
        for (let head = 0; head < heads; ++head) {
          const { data } = await from.weights(layer, head, attention);
          const changed = (await to.weights(layer, head, attention)).data;
          changes.push(largestDifference(data, changed));
        }
      }
      largest.set(attention, Math.max(...changes));
    }
    expect(Math.min(...largest.values())).toBeGreaterThan(0);
    expect(weight.change).toBe(Math.max(...largest.values()));
    expect(largest.get(weight.attention)).toBe(weight.change);
    const other = await small.run([...source.slice(1), 9], target);
    const fault = await faultOf(compareRuns(from, other));
    expect(fault.message).toMatch(/source token 0 is 5 in one and 7/);
  });

  it("refuses what cannot be compared", async () => {
    const model = await loadAs(tiny);
    const other = await model.run([5, 7, 11, 13, 2, 30, 1, 8]);
    const shorter = await model.run(ids.slice(1));
    const story = await (await loadAs(tales)).run(ids);
    const silent = await run(model, { record: [] });
    for (const [to, message] of [
      [other, /token 7 is 9 in one and 8 in the other/],
      [shorter, /number of tokens is 8 in one and 7 in the other/],
      [story, /numLayers|numQueryHeads|vocabularySize/],
      [silent, /hook_pattern/],
    ] as const) {
      const fault = await faultOf(compareRuns(await run(model), to));
      expect(fault.message).toMatch(message);
    }
  });

  it("counts a NaN as infinitely far from a number, and infinities as equal", async () => {
    const from = fakeRun([1, 0, NaN, 0.5], [-Infinity, 2]);
    const to = fakeRun([1, 0, 0.5, 0.25], [-Infinity, 1]);
    const { weight, logit } = await compareRuns(from, to);
    expect(weight).toEqual({
      attention: "self",
      layer: 0,
      head: 0,
      query: 1,
      key: 0,
      from: NaN,
      to: 0.5,
      change: Infinity,
    });
    expect(logit).toEqual({
      position: 1,
      token: 0,
      from: 2,
      to: 1,
      change: 1,
    });
    const same = await compareRuns(from, from);
    expect([same.weight.change, same.logit?.change]).toEqual([0, 0]);
  });
});
