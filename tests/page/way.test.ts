// The way of the data: stations with true shapes, and the vectors they show.

import { expect, test } from "vitest";
import type { Model, ModelConfig, Run, Token } from "attnscope";
import { readWay, recordedNames } from "../../web/src/state/way-tensors.js";
import { stations } from "../../web/src/state/way.js";

const config = {
  vocabularySize: 50,
  modelDim: 8,
  numLayers: 3,
  numQueryHeads: 4,
  numKvHeads: 2,
  headDim: 2,
  position: "learned",
  attentionScale: 0.5,
  hasLogits: true,
} as ModelConfig;

const run = (length: number, source = 0) => ({
  tokens: new Array<Token>(length),
  sourceTokens: new Array<Token>(source),
});

const shapes = (model: ModelConfig, layer: number) =>
  Object.fromEntries(
    stations(model, run(6), { attention: "self", layer }).map((station) => [
      station.id,
      station.shape,
    ]),
  );

test("stations carry the shapes of the model and the text", () => {
  expect(shapes(config, 1)).toEqual({
    tokens: "6",
    embedding: "6×8",
    position: "6×8",
    before: "layer 0",
    projections: "4×6×2, 2×6×2",
    scores: "4×6×6",
    masked: "4×6×6",
    weights: "4×6×6",
    output: "6×8",
    residual: "6×8",
    after: "layer 2",
    logits: "50",
    next: "1",
  });
  expect(shapes({ ...config, numKvHeads: 4 }, 0)).toMatchObject({
    projections: "4×6×2",
    after: "layers 1–2",
  });
});

test("rotary positions are no station of their own: they turn queries and keys", () => {
  expect(shapes({ ...config, position: "rotary" }, 2)).not.toHaveProperty(
    "position",
  );
});

/** Tensors whose numbers tell their place: position, head, dimension. */
function runOf(names: string[]): Run {
  return {
    tensor(name: string) {
      names.push(name);
      const heads = /hook_(rot_)?q$/.test(name) ? 4 : 2;
      if (!name.includes("attn.")) {
        return Promise.resolve({ shape: [3, 8], data: new Float32Array(24) });
      }
      const data = new Float32Array(3 * heads * 2);
      for (let i = 0; i < data.length; i++) {
        const position = Math.floor(i / (heads * 2));
        const head = Math.floor(i / 2) % heads;
        data[i] = position * 100 + head * 10 + (i % 2);
      }
      return Promise.resolve({ shape: [3, heads, 2], data });
    },
  } as unknown as Run;
}

test("four query heads on two of keys and values: head 2 reads pair 1", async () => {
  const model = { config } as Model;
  const matrices = await readWay(runOf([]), model, {
    attention: "self",
    layer: 1,
    head: 2,
  });
  const values = (station: string) => [...matrices.get(station)!.values];
  expect(values("query")).toEqual([20, 21, 120, 121, 220, 221]);
  expect(values("key")).toEqual([10, 11, 110, 111, 210, 211]);
  expect(values("value")).toEqual([10, 11, 110, 111, 210, 211]);
});

test("queries and keys are those that meet: turned ones where positions turn them", async () => {
  const names: string[] = [];
  const model = { config: { ...config, position: "rotary" } } as Model;
  await readWay(runOf(names), model, { attention: "self", layer: 2, head: 0 });
  expect(names).toContain("blocks.2.attn.hook_rot_q");
  expect(names).toContain("blocks.2.attn.hook_rot_k");
  expect(names).not.toContain("blocks.2.attn.hook_q");
});

test("a run records what the page shows, and no more", () => {
  const tensorNames = [
    "hook_embed",
    "hook_pos_embed",
    "blocks.0.attn.hook_q",
    "blocks.0.attn.hook_pattern",
    "blocks.0.hook_mlp_out",
    "ln_final.hook_normalized",
  ];
  expect(recordedNames({ tensorNames } as unknown as Model)).toEqual([
    "hook_embed",
    "blocks.0.attn.hook_q",
    "blocks.0.attn.hook_pattern",
  ]);
});
