// Which tensors a run keeps for the page, and those of a chosen head as small
// matrices for the stations of the way. Names are TransformerLens's.
// Read next: way.ts, engine.ts.

import type { AttentionPart, Model, ModelConfig, Run, Tensor } from "attnscope";
import { reduceMatrix, type Matrix } from "../pictures/matrix.js";
import type { HeadId } from "./state.js";

/** Numbers of a station, at most this many rows and columns. */
const stationSize = 56;

const recorded = [
  "hook_embed",
  "hook_q",
  "hook_k",
  "hook_v",
  "hook_rot_q",
  "hook_rot_k",
  "hook_scores",
  "hook_attn_scores",
  "hook_pattern",
  "hook_attn_out",
  "hook_cross_attn_out",
  "hook_resid_post",
];

/** What the page records of this model: attention, and the vectors around it. */
export function recordedNames(model: Model): readonly string[] {
  return model.tensorNames.filter((name) =>
    recorded.includes(name.slice(name.lastIndexOf(".") + 1)),
  );
}

/** The vectors before and after a head, by the station that shows them. */
export async function readWay(
  run: Run,
  model: Model,
  id: HeadId,
): Promise<ReadonlyMap<string, Matrix>> {
  const { config } = model;
  const { attention, layer } = id;
  const stack = stackOf(config, attention);
  const block = `${stack || "blocks"}.${layer}`;
  const cross = attention === "cross" ? "cross_" : "";
  const turned = config.position === "rotary" ? "rot_" : "";
  const kvHead =
    attention === "encoder"
      ? id.head
      : Math.floor(id.head / (config.numQueryHeads / config.numKvHeads));
  const stream = (name: string) => rowsOf(run.tensor(name));
  const ofHead = (name: string, head: number) =>
    headRows(run.tensor(`${block}.${cross}attn.${name}`), head);
  const entries = await Promise.all(
    Object.entries({
      embedding: stream(stack ? `${stack}.hook_embed` : "hook_embed"),
      query: ofHead(`hook_${turned}q`, id.head),
      key: ofHead(`hook_${turned}k`, kvHead),
      value: ofHead("hook_v", kvHead),
      output: stream(`${block}.hook_${cross}attn_out`),
      residual: stream(`${block}.hook_resid_post`),
    }).map(
      async ([station, matrix]) =>
        [station, reduceMatrix(await matrix, stationSize)] as const,
    ),
  );
  return new Map(entries);
}

/** What names the stack of an encoder-decoder; other models have only one. */
function stackOf(
  config: ModelConfig,
  attention: AttentionPart,
): "encoder" | "decoder" | "" {
  if (!config.encoder) return "";
  return attention === "encoder" ? "encoder" : "decoder";
}

/** A tensor [position, model_dim]. */
async function rowsOf(tensor: Promise<Tensor>): Promise<Matrix> {
  const { shape, data } = await tensor;
  return { rows: shape[0]!, cols: shape[1]!, values: data };
}

/** One head of a tensor [position, head, head_dim]. */
async function headRows(
  tensor: Promise<Tensor>,
  head: number,
): Promise<Matrix> {
  const { shape, data } = await tensor;
  const [rows, heads, headDim] = shape as [number, number, number];
  const values = new Float32Array(rows * headDim);
  for (let row = 0; row < rows; row++) {
    const from = (row * heads + head) * headDim;
    values.set(data.subarray(from, from + headDim), row * headDim);
  }
  return { rows, cols: headDim, values };
}
