// Which head and which row a fresh reader sees first. The row is the last one,
// which decides the next token, or that of a token to fill in; the head is where
// it attends most to content, that is not the start, the token itself or its
// neighbour; best to an earlier place of the very token that comes next.

import type { Token } from "attnscope";
import type { HeadId } from "./state.js";

export interface Suggestion {
  readonly id: HeadId;
  readonly query: number;
}

/** A head's weights in the row to be shown. */
export interface HeadWeights {
  readonly id: HeadId;
  readonly row: Float32Array; // [key]
}

/** The head with the largest weight on one of the keys. */
export function suggestHead(
  heads: readonly HeadWeights[],
  keys: readonly number[],
): HeadId | undefined {
  let best: HeadId | undefined;
  let most = -1;
  for (const { id, row } of heads) {
    const weight = keys.reduce(
      (largest, key) => Math.max(largest, row[key]!),
      0,
    );
    if (weight > most) {
      most = weight;
      best = id;
    }
  }
  return best;
}

/**
 * Keys that count in the last row of a text with these ids: those of the token
 * `next`, if it was said before, else any content.
 */
export function earlierContent(
  ids: readonly number[],
  next: number | undefined,
): readonly number[] {
  const keys = ids.map((_, key) => key).slice(1, Math.max(1, ids.length - 2));
  const said = keys.filter((key) => ids[key] === next);
  return said.length > 0 ? said : keys;
}

/** Keys that count where a row sees all: words, not near the query's own. */
export function content(
  tokens: readonly Token[],
  query: number | undefined,
): readonly number[] {
  const keys = tokens.map((_, key) => key);
  return keys.filter(
    (key) =>
      !tokens[key]!.special &&
      (query === undefined || Math.abs(key - query) > 1),
  );
}
