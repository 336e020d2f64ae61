// The names of recorded tensors, as core/trace/ writes them: those of
// TransformerLens. Read next: run-options.ts.

import { wrong } from "../checks.js";
import type { AttentionPart, ModelConfig } from "../types.js";

/** A part that a caller names, or the text's own. */
export function attentionPart(
  part: AttentionPart | undefined,
  config: ModelConfig,
): AttentionPart {
  if (part === undefined) return "self";
  if (part !== "self" && part !== "encoder" && part !== "cross")
    throw wrong("attention", part, "self, encoder or cross");
  if (part !== "self" && config.encoder === undefined)
    throw wrong("attention", part, "self: this model has no encoder");
  return part;
}

/** "blocks.0.attn.hook_q", "decoder.0.cross_attn.hook_q". */
export function tensorName(
  config: ModelConfig,
  part: AttentionPart,
  layer: number,
  hook: string,
): string {
  const stack =
    part === "encoder"
      ? "encoder"
      : config.encoder === undefined
        ? "blocks"
        : "decoder";
  const attention = part === "cross" ? "cross_attn" : "attn";
  return `${stack}.${layer}.${attention}.${hook}`;
}

/** Layers and heads of a part. */
export function shapeOf(
  config: ModelConfig,
  part: AttentionPart,
): { readonly numLayers: number; readonly numHeads: number } {
  const { encoder, numLayers, numQueryHeads } = config;
  if (part !== "encoder") return { numLayers, numHeads: numQueryHeads };
  return encoder ?? { numLayers: 0, numHeads: 0 };
}
