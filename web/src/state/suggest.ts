// Which head and which row a fresh reader sees first: the last row, which
// decides the next token, and the head where it attends most to an earlier
// place of that very token; if there is none, to any content, that is not the
// start, the token itself or its neighbour.

import type { HeadId } from "./state.js";

export interface Suggestion {
  readonly id: HeadId;
  readonly query: number;
}

/** A head's weights [query, key], with as many rows as columns. */
export interface HeadWeights {
  readonly id: HeadId;
  readonly weights: Float32Array;
}

/** `ids` are the text's tokens, `next` the most probable one after it. */
export function suggest(
  heads: readonly HeadWeights[],
  ids: readonly number[],
  next: number | undefined,
): Suggestion | undefined {
  const query = ids.length - 1;
  const content = ids.map((_, key) => key).slice(1, Math.max(1, query - 1));
  const said = content.filter((key) => ids[key] === next);
  let best: Suggestion | undefined;
  let most = -1;
  for (const { id, weights } of heads) {
    const row = weights.subarray(query * ids.length);
    const weight = (said.length > 0 ? said : content).reduce(
      (largest, key) => Math.max(largest, row[key]!),
      0,
    );
    if (weight > most) {
      most = weight;
      best = { id, query };
    }
  }
  return best;
}
