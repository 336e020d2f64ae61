// What elements derive from the state: stages, rows and cells of a pattern.

import { expect, test } from "vitest";
import { cellKind } from "../../web/src/pictures/matrix.js";
import {
  cellNumbers,
  rowOf,
  stageMatrix,
} from "../../web/src/state/selectors.js";
import type { Pattern } from "../../web/src/state/state.js";
import { suggest } from "../../web/src/state/suggest.js";

/** Two queries after three earlier keys: rows 3 and 4 of five positions. */
const late: Pattern = {
  runId: 1,
  id: { layer: 0, head: 0 },
  rows: 2,
  cols: 5,
  scores: Float32Array.of(1, 2, 3, 4, NaN, 5, 6, 7, NaN, 9),
  maskedScores: Float32Array.of(0.5, 1, 1.5, 2, -Infinity, 3, 3, 4, NaN, 5),
  weights: Float32Array.of(0.1, 0.2, 0.3, 0.4, 0, 0.1, 0.1, 0.2, NaN, 0.6),
  allowed: Uint8Array.of(1, 1, 1, 1, 0, 1, 1, 1, 1, 1),
};

test("rows are labelled by their place in the text", () => {
  expect(rowOf(late, 2)).toBeUndefined();
  expect([...rowOf(late, 3)!.weights]).toEqual([...late.weights.slice(0, 5)]);
  expect([...rowOf(late, 4)!.weights]).toEqual([...late.weights.slice(5)]);
  expect(rowOf(late, 5)).toBeUndefined();
});

test("a cell's numbers are those of its row and column", () => {
  expect(cellNumbers(late, { query: 3, key: 2 }, 0.5)).toEqual({
    score: 3,
    scaled: 1.5,
    allowed: true,
    weight: Math.fround(0.3),
    rank: 2,
    of: 4,
  });
  const masked = cellNumbers(late, { query: 3, key: 4 }, 0.5)!;
  expect([masked.allowed, masked.weight]).toEqual([false, 0]);
});

test("scores that a cache never computed look masked, a computed NaN stays one", () => {
  const scores = stageMatrix(late, "scores");
  expect(cellKind(scores, 4)).toBe("masked");
  expect(cellKind(scores, 8)).toBe("nan");
  expect(scores.domain).toEqual({ signed: true, max: 9 });
  expect(cellKind(stageMatrix(late, "masked"), 4)).toBe("masked");
  expect(cellKind(stageMatrix(late, "weights"), 8)).toBe("nan");
  expect(stageMatrix(late, "weights").domain).toEqual({
    signed: false,
    max: 1,
  });
});

const head = (layer: number, lastRow: readonly number[]) => ({
  id: { layer, head: 0 },
  weights: Float32Array.of(
    ...new Array<number>(lastRow.length * (lastRow.length - 1)).fill(0.25),
    ...lastRow,
  ),
});

test("a fresh reader sees the head whose last row attends most to content", () => {
  // The start, the neighbour and the token itself do not count.
  const heads = [
    head(0, [1, 0, 0, 0]),
    head(1, [0.3, 0.4, 0.2, 0.1]),
    head(2, [0, 0.1, 0.9, 0]),
    head(3, [0, 0.1, 0, 0.9]),
  ];
  const best = { id: { layer: 1, head: 0 }, query: 3 };
  expect(suggest(heads, [5, 6, 7, 8], 9)).toEqual(best);
  expect(suggest([], [5, 6, 7, 8], 9)).toBeUndefined();
});

test("if the next token was said before, the head that looks there comes first", () => {
  const heads = [
    head(0, [0, 0.8, 0.1, 0, 0.1]),
    head(1, [0, 0.3, 0.4, 0, 0.3]),
  ];
  expect(suggest(heads, [5, 6, 7, 8, 9], 7)!.id.layer).toBe(1);
  expect(suggest(heads, [5, 6, 7, 8, 9], 6)!.id.layer).toBe(0);
});

test("a text of one token has a head and a row to show", () => {
  expect(suggest([head(2, [1])], [5], undefined)).toEqual({
    id: { layer: 2, head: 0 },
    query: 0,
  });
});
