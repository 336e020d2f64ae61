// Whether a module computes rightly: a tiny Llama with made-up weights runs a
// few tokens, whole and with a cache, and its numbers are compared with those
// of a plain implementation in double precision (tests/package holds the two
// together). Takes a few milliseconds. Read next: engine/session.ts.

import type { EngineModule, EngineRunOptions } from "./engine/module.js";
import {
  CheckpointWriter,
  type EngineModel,
  type EngineSession,
} from "./engine/session.js";
import { describe } from "./errors.js";

/** Sizes that end inside vectors and panels, as real ones may. */
export const selfTestConfig = {
  model_type: "llama",
  vocab_size: 23,
  hidden_size: 24,
  num_hidden_layers: 1,
  num_attention_heads: 3,
  num_key_value_heads: 1,
  intermediate_size: 40,
  max_position_embeddings: 16,
  rms_norm_eps: 1e-5,
  rope_theta: 10000,
  hidden_act: "silu",
  tie_word_embeddings: true,
} as const;

export const selfTestIds: readonly number[] = [3, 14, 15, 9, 2, 6, 5, 22, 0];

/** Of the last token, [vocabulary]. */
export const expectedLogits: readonly number[] = [
  -0.476737, 0.629988, 0.147784, 0.016279, -0.023887, 0.031819, 0.062787,
  0.191992, -0.041544, 0.413093, 0.062166, -0.205943, 0.289652, -0.358296,
  0.671437, -0.001235, -0.217341, -0.319796, 0.256281, 0.008134, 0.909354,
  -0.47219, 0.692221,
];

/** The last token's softmax row in the last head, [key]. */
export const expectedWeights: readonly number[] = [
  0.09711, 0.104419, 0.097186, 0.11521, 0.08829, 0.11705, 0.135386, 0.119756,
  0.125593,
];

/** Far above the rounding of any variant, far below any wrong result. */
const tolerance = 1e-4;

/** What is wrong with the module, or undefined if nothing is. */
export function selfTest(module: EngineModule): string | undefined {
  let model: EngineModel | undefined;
  try {
    model = loadTinyModel(module);
    return testRun(model, true) ?? testRun(model, false);
  } catch (thrown) {
    return describe(thrown);
  } finally {
    model?.dispose();
  }
}

/** All tokens but the last at once, the last with the cache; traced or streaming. */
function testRun(model: EngineModel, traced: boolean): string | undefined {
  const pattern = "blocks.0.attn.hook_pattern";
  const options: EngineRunOptions = {
    mask: [{ kind: "causal" }],
    sourceMask: [],
    crossMask: [],
    interventions: [],
    record: traced ? [pattern] : [],
    execution: traced ? "traced" : "streaming",
    allLogits: false,
  };
  const session = model.makeSession(selfTestIds.length, 0);
  try {
    session.prefill(
      { ids: selfTestIds.slice(0, -1), sourceIds: [], tokenTypes: [] },
      options,
    );
    session.decodeStep(selfTestIds.at(-1) ?? 0);
    return (
      compare("logit", session.logits().data, expectedLogits) ??
      (traced
        ? compare("weight", lastRow(session, pattern), expectedWeights)
        : undefined)
    );
  } finally {
    session.dispose();
  }
}

function lastRow(session: EngineSession, pattern: string): Float32Array {
  const head = selfTestConfig.num_attention_heads - 1;
  return session.headCells(pattern, head).data.subarray(-selfTestIds.length);
}

function compare(
  what: string,
  actual: Float32Array,
  expected: readonly number[],
): string | undefined {
  const wrong = expected.findIndex(
    (value, index) => !(Math.abs((actual[index] ?? NaN) - value) <= tolerance),
  );
  return wrong < 0
    ? undefined
    : `${what} ${wrong} is ${actual[wrong]} instead of ${expected[wrong]}`;
}

function loadTinyModel(module: EngineModule): EngineModel {
  const writer = new CheckpointWriter(module, JSON.stringify(selfTestConfig), {
    numFiles: 1,
  });
  try {
    writer.append(selfTestCheckpoint());
    return writer.finish();
  } finally {
    writer.dispose();
  }
}

/** The tiny model's tensors in file order: name and shape. */
export const selfTestTensors: readonly (readonly [
  string,
  readonly number[],
])[] = [
  ["model.embed_tokens.weight", [23, 24]],
  ["model.layers.0.input_layernorm.weight", [24]],
  ["model.layers.0.self_attn.q_proj.weight", [24, 24]],
  ["model.layers.0.self_attn.k_proj.weight", [8, 24]],
  ["model.layers.0.self_attn.v_proj.weight", [8, 24]],
  ["model.layers.0.self_attn.o_proj.weight", [24, 24]],
  ["model.layers.0.post_attention_layernorm.weight", [24]],
  ["model.layers.0.mlp.gate_proj.weight", [40, 24]],
  ["model.layers.0.mlp.up_proj.weight", [40, 24]],
  ["model.layers.0.mlp.down_proj.weight", [24, 40]],
  ["model.norm.weight", [24]],
];

/** A made-up weight between -1/2 and 1/2, exact in float32. */
export function selfTestWeight(index: number): number {
  return ((index * index + 7 * index) % 61) / 64 - 0.46875;
}

function selfTestCheckpoint(): Uint8Array {
  const header: Record<string, object> = {};
  let count = 0;
  for (const [name, shape] of selfTestTensors) {
    const size = shape.reduce((product, length) => product * length, 1);
    const offsets = [4 * count, 4 * (count + size)];
    header[name] = { dtype: "F32", shape, data_offsets: offsets };
    count += size;
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(8 + json.length + 4 * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, json.length, true);
  bytes.set(json, 8);
  for (let i = 0; i < count; ++i) {
    view.setFloat32(8 + json.length + 4 * i, selfTestWeight(i), true);
  }
  return bytes;
}
