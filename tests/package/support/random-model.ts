// Checkpoint folders made on the spot, one a family: every size is odd or just
// past a vector's or panel's width, weights are seeded noise. For tests that
// compare two builds with each other; what is right is not known here.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { safetensorsOf } from "./files.js";

interface Checkpoint {
  readonly config: Readonly<Record<string, unknown>>;
  readonly shapes: Readonly<Record<string, readonly number[]>>;
}

const numLayers = 2;
const vocabulary = 101;
export const context = 256;

function layers(
  shapesOf: (prefix: string) => Record<string, readonly number[]>,
  prefix: string,
): Record<string, readonly number[]> {
  const all = {};
  for (let layer = 0; layer < numLayers; ++layer) {
    Object.assign(all, shapesOf(`${prefix}.${layer}`));
  }
  return all;
}

function gpt2(): Checkpoint {
  const [width, heads] = [36, 4];
  return {
    config: {
      model_type: "gpt2",
      vocab_size: vocabulary,
      n_embd: width,
      n_head: heads,
      n_layer: numLayers,
      n_positions: context,
      activation_function: "gelu_new",
      layer_norm_epsilon: 1e-5,
    },
    shapes: {
      "transformer.wte.weight": [vocabulary, width],
      "transformer.wpe.weight": [context, width],
      ...layers(
        (at) => ({
          [`${at}.ln_1.weight`]: [width],
          [`${at}.ln_1.bias`]: [width],
          [`${at}.attn.c_attn.weight`]: [width, 3 * width],
          [`${at}.attn.c_attn.bias`]: [3 * width],
          [`${at}.attn.c_proj.weight`]: [width, width],
          [`${at}.attn.c_proj.bias`]: [width],
          [`${at}.ln_2.weight`]: [width],
          [`${at}.ln_2.bias`]: [width],
          [`${at}.mlp.c_fc.weight`]: [width, 4 * width],
          [`${at}.mlp.c_fc.bias`]: [4 * width],
          [`${at}.mlp.c_proj.weight`]: [4 * width, width],
          [`${at}.mlp.c_proj.bias`]: [width],
        }),
        "transformer.h",
      ),
      "transformer.ln_f.weight": [width],
      "transformer.ln_f.bias": [width],
    },
  };
}

function gptNeox(): Checkpoint {
  const [width, heads, inner] = [40, 2, 75];
  return {
    config: {
      model_type: "gpt_neox",
      vocab_size: vocabulary,
      hidden_size: width,
      num_attention_heads: heads,
      num_hidden_layers: numLayers,
      intermediate_size: inner,
      max_position_embeddings: context,
      hidden_act: "gelu",
      layer_norm_eps: 1e-5,
      rotary_pct: 0.3,
      rotary_emb_base: 10000,
      use_parallel_residual: true,
      tie_word_embeddings: false,
    },
    shapes: {
      "gpt_neox.embed_in.weight": [vocabulary, width],
      ...layers(
        (at) => ({
          [`${at}.input_layernorm.weight`]: [width],
          [`${at}.input_layernorm.bias`]: [width],
          [`${at}.attention.query_key_value.weight`]: [3 * width, width],
          [`${at}.attention.query_key_value.bias`]: [3 * width],
          [`${at}.attention.dense.weight`]: [width, width],
          [`${at}.attention.dense.bias`]: [width],
          [`${at}.post_attention_layernorm.weight`]: [width],
          [`${at}.post_attention_layernorm.bias`]: [width],
          [`${at}.mlp.dense_h_to_4h.weight`]: [inner, width],
          [`${at}.mlp.dense_h_to_4h.bias`]: [inner],
          [`${at}.mlp.dense_4h_to_h.weight`]: [width, inner],
          [`${at}.mlp.dense_4h_to_h.bias`]: [width],
        }),
        "gpt_neox.layers",
      ),
      "gpt_neox.final_layer_norm.weight": [width],
      "gpt_neox.final_layer_norm.bias": [width],
      "embed_out.weight": [vocabulary, width],
    },
  };
}

function llama(): Checkpoint {
  const [width, heads, kvHeads, headDim, inner] = [42, 6, 2, 10, 77];
  return {
    config: {
      model_type: "llama",
      vocab_size: vocabulary,
      hidden_size: width,
      num_attention_heads: heads,
      num_key_value_heads: kvHeads,
      head_dim: headDim,
      num_hidden_layers: numLayers,
      intermediate_size: inner,
      max_position_embeddings: context,
      hidden_act: "silu",
      rms_norm_eps: 1e-6,
      rope_theta: 10000,
      tie_word_embeddings: true,
    },
    shapes: {
      "model.embed_tokens.weight": [vocabulary, width],
      ...layers(
        (at) => ({
          [`${at}.input_layernorm.weight`]: [width],
          [`${at}.self_attn.q_proj.weight`]: [heads * headDim, width],
          [`${at}.self_attn.k_proj.weight`]: [kvHeads * headDim, width],
          [`${at}.self_attn.v_proj.weight`]: [kvHeads * headDim, width],
          [`${at}.self_attn.o_proj.weight`]: [width, heads * headDim],
          [`${at}.post_attention_layernorm.weight`]: [width],
          [`${at}.mlp.gate_proj.weight`]: [inner, width],
          [`${at}.mlp.up_proj.weight`]: [inner, width],
          [`${at}.mlp.down_proj.weight`]: [width, inner],
        }),
        "model.layers",
      ),
      "model.norm.weight": [width],
    },
  };
}

export const families = { gpt2, gpt_neox: gptNeox, llama } as const;

/** Uniform noise in [-1/2, 1/2), the same for the same seed (mulberry32). */
export function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32 - 0.5;
  };
}

/** Writes a family's checkpoint to a folder. */
export function writeRandomModel(
  family: keyof typeof families,
  folder: string,
  seed: number,
): void {
  const { config, shapes } = families[family]();
  const random = noise(seed);
  const header: Record<string, object> = {};
  const values: number[] = [];
  for (const [name, shape] of Object.entries(shapes)) {
    const begin = 4 * values.length;
    const size = shape.reduce((product, length) => product * length, 1);
    for (let i = 0; i < size; ++i) values.push(random());
    const data_offsets = [begin, 4 * values.length];
    header[name] = { dtype: "F32", shape, data_offsets };
  }
  const data = new Uint8Array(Float32Array.from(values).buffer);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  writeFileSync(join(folder, "model.safetensors"), safetensorsOf(header, data));
}
