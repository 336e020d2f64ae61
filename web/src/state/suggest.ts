// Which head and which row a fresh reader sees first: those where attention
// goes to content, not to the start, to the token itself or to its neighbour.

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

/** Largest weight of a row on keys 1..query-2. */
function contentWeight(head: HeadWeights, query: number): number {
  let most = 0;
  for (let key = 1; key < query - 1; key++) {
    most = Math.max(most, head.weights[query * head.length + key]!);
  }
  return most;
}

export function suggest(heads: readonly HeadWeights[]): Suggestion | undefined {
  let best: Suggestion | undefined;
  let bestMean = -1;
  for (const head of heads) {
    let sum = 0;
    let row = head.length - 1;
    for (let query = 0; query < head.length; query++) {
      const weight = contentWeight(head, query);
      sum += weight;
      if (weight > contentWeight(head, row)) row = query;
    }
    if (sum / head.length > bestMean) {
      bestMean = sum / head.length;
      best = { id: head.id, query: row };
    }
  }
  return best;
}
