// What a model's attentions are: which there are, whose tokens give the queries
// and whose the keys, how many layers and heads, which mask. Read next: state.ts.

import type { AttentionPart, ModelConfig, Token } from "attnscope";
import type { MaskChoice, RunFacts } from "./state.js";

/** In the order of the computation. */
export function partsOf(config: ModelConfig): readonly AttentionPart[] {
  return config.encoder ? ["encoder", "self", "cross"] : ["self"];
}

export function headsOf(
  config: ModelConfig,
  part: AttentionPart,
): { readonly numLayers: number; readonly numHeads: number } {
  if (part === "encoder")
    return config.encoder ?? { numLayers: 0, numHeads: 0 };
  return { numLayers: config.numLayers, numHeads: config.numQueryHeads };
}

/** Whether the encoder's source gives the queries. */
export const queriesAreSource = (part: AttentionPart) => part === "encoder";
/** Whether the encoder's source gives the keys. */
export const keysAreSource = (part: AttentionPart) => part !== "self";

type Tokens = Pick<RunFacts, "tokens" | "sourceTokens">;

export const queryTokens = (
  run: Tokens,
  part: AttentionPart,
): readonly Token[] => (queriesAreSource(part) ? run.sourceTokens : run.tokens);

export const keyTokens = (
  run: Tokens,
  part: AttentionPart,
): readonly Token[] => (keysAreSource(part) ? run.sourceTokens : run.tokens);

/** What the model was trained with. */
export function usualMask(
  config: ModelConfig,
  part: AttentionPart,
): MaskChoice {
  return part === "self" && config.architecture !== "encoder"
    ? { kind: "causal" }
    : { kind: "none" };
}
