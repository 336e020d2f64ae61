// A Llama block by block in double precision, written from the papers and
// sharing nothing with the engine: the oracle of the start-up self-test. One
// layer, tied output, no cache. Read next: self-test.test.ts.

export interface PlainConfig {
  readonly vocab_size: number;
  readonly hidden_size: number;
  readonly num_attention_heads: number;
  readonly num_key_value_heads: number;
  readonly intermediate_size: number;
  readonly rms_norm_eps: number;
  readonly rope_theta: number;
}

type Vector = number[];
export type Tensors = ReadonlyMap<string, readonly number[]>;

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * b[i]!, 0);

/** y = W x with W[out, in], as checkpoints store it. */
function project(matrix: readonly number[], x: Vector): Vector {
  const rows = matrix.length / x.length;
  return Array.from({ length: rows }, (_, row) =>
    dot(matrix.slice(row * x.length, (row + 1) * x.length), x),
  );
}

function rmsNorm(x: Vector, gain: readonly number[], epsilon: number): Vector {
  const inverse = 1 / Math.sqrt(dot(x, x) / x.length + epsilon);
  return x.map((value, i) => value * inverse * gain[i]!);
}

function rotate(x: Vector, position: number, base: number): Vector {
  const half = x.length / 2;
  return x.map((value, i) => {
    const angle = position * base ** (-(i % half) / half);
    const partner = i < half ? -x[i + half]! : x[i - half]!;
    return value * Math.cos(angle) + partner * Math.sin(angle);
  });
}

function softmax(x: Vector): Vector {
  const largest = Math.max(...x);
  const powers = x.map((value) => Math.exp(value - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((value) => value / sum);
}

const addTo = (x: Vector, y: Vector): Vector =>
  x.map((value, i) => value + y[i]!);

/** Logits of the last token, and the softmax row of each head there. */
export function plainLlama(
  config: PlainConfig,
  tensors: Tensors,
  ids: readonly number[],
): { logits: Vector; weights: Vector[] } {
  const get = (name: string) => tensors.get(name)!;
  const layer = (name: string) => get(`model.layers.0.${name}.weight`);
  const dim = config.hidden_size;
  const heads = config.num_attention_heads;
  const headDim = dim / heads;
  const embedding = get("model.embed_tokens.weight");
  const head = (x: Vector, h: number) =>
    x.slice(h * headDim, (h + 1) * headDim);
  const norm = (x: Vector, name: string) =>
    rmsNorm(x, get(name), config.rms_norm_eps);

  const residual = ids.map((id) => embedding.slice(id * dim, (id + 1) * dim));
  const normed = residual.map((x) =>
    norm(x, "model.layers.0.input_layernorm.weight"),
  );
  const keys = normed.map((x) => project(layer("self_attn.k_proj"), x));
  const values = normed.map((x) => project(layer("self_attn.v_proj"), x));
  const last = ids.length - 1;
  const query = project(layer("self_attn.q_proj"), normed[last]!);

  const weights: Vector[] = [];
  const joined: Vector = [];
  for (let h = 0; h < heads; ++h) {
    const group = Math.floor(h / (heads / config.num_key_value_heads));
    const turned = rotate(head(query, h), last, config.rope_theta);
    const scores = keys.map(
      (key, position) =>
        dot(turned, rotate(head(key, group), position, config.rope_theta)) /
        Math.sqrt(headDim),
    );
    const row = softmax(scores);
    weights.push(row);
    for (let d = 0; d < headDim; ++d) {
      joined.push(
        row.reduce((sum, w, j) => sum + w * head(values[j]!, group)[d]!, 0),
      );
    }
  }
  let stream = addTo(
    residual[last]!,
    project(layer("self_attn.o_proj"), joined),
  );
  const mlpInput = norm(
    stream,
    "model.layers.0.post_attention_layernorm.weight",
  );
  const gate = project(layer("mlp.gate_proj"), mlpInput);
  const up = project(layer("mlp.up_proj"), mlpInput);
  const inner = gate.map((g, i) => (g / (1 + Math.exp(-g))) * up[i]!);
  stream = addTo(stream, project(layer("mlp.down_proj"), inner));
  const final = norm(stream, "model.norm.weight");
  return { logits: project(embedding, final), weights };
}
