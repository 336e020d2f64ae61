// Which head and which row a fresh reader sees first: the last row, which
// decides the next token, and the head where it attends most to content, not
// to the start, to the token itself or to its neighbour.

import type { HeadId } from "./state.js";

export interface Suggestion {
  readonly id: HeadId;
  readonly query: number;
}

/** A head's weights [query, key], with as many rows as columns. */
export interface HeadWeights {
  readonly id: HeadId;
  readonly length: number;
  readonly weights: Float32Array;
}

export function suggest(heads: readonly HeadWeights[]): Suggestion | undefined {
  let best: Suggestion | undefined;
  let most = -1;
  for (const { id, length, weights } of heads) {
    const query = length - 1;
    let content = 0;
    for (let key = 1; key < query - 1; key++) {
      content = Math.max(content, weights[query * length + key]!);
    }
    if (content > most) {
      most = content;
      best = { id, query };
    }
  }
  return best;
}
