// What elements derive from the state: stages, rows and cells of a pattern.

import type { ModelConfig, Token } from "attnscope";
import { expect, test } from "vitest";
import { cellKind } from "../../web/src/pictures/matrix.js";
import {
  cellNumbers,
  keyLabels,
  maskOf,
  queryLabels,
  rowOf,
  stageMatrix,
} from "../../web/src/state/selectors.js";
import {
  initialState,
  type Pattern,
  type State,
} from "../../web/src/state/state.js";
import {
  content,
  earlierContent,
  suggestHead,
} from "../../web/src/state/suggest.js";

/** Two queries after three earlier keys: rows 3 and 4 of five positions. */
const late: Pattern = {
  runId: 1,
  id: { attention: "self", layer: 0, head: 0 },
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

const heads = (...rows: number[][]) =>
  rows.map((row, layer) => ({
    id: { attention: "self", layer, head: 0 } as const,
    row: Float32Array.from(row),
  }));

test("a fresh reader sees the head whose last row attends most to content", () => {
  // The start, the neighbour and the token itself do not count.
  const keys = earlierContent([5, 6, 7, 8], 9);
  const best = suggestHead(
    heads(
      [1, 0, 0, 0],
      [0.3, 0.4, 0.2, 0.1],
      [0, 0.1, 0.9, 0],
      [0, 0.1, 0, 0.9],
    ),
    keys,
  );
  expect(best!.layer).toBe(1);
  expect(suggestHead([], keys)).toBeUndefined();
});

test("if the next token was said before, the head that looks there comes first", () => {
  const two = heads([0, 0.8, 0.1, 0, 0.1], [0, 0.3, 0.4, 0, 0.3]);
  const ids = [5, 6, 7, 8, 9];
  expect(suggestHead(two, earlierContent(ids, 7))!.layer).toBe(1);
  expect(suggestHead(two, earlierContent(ids, 6))!.layer).toBe(0);
});

test("a text of one token has a head to show", () => {
  expect(suggestHead(heads([1]), earlierContent([5], undefined))!.layer).toBe(
    0,
  );
});

const token = (text: string, special = false): Token => ({
  id: 0,
  bytes: new Uint8Array(),
  text,
  special,
});

test("where a row sees all, words count that are not near its own", () => {
  const tokens = [
    token("[CLS]", true),
    ...["a", "b", "c", "d"].map((word) => token(word)),
    token("[SEP]", true),
  ];
  expect(content(tokens, 2)).toEqual([4]);
  expect(content(tokens, undefined)).toEqual([1, 2, 3, 4]);
});

const cross: State = {
  ...initialState,
  model: {
    config: { encoder: {} } as ModelConfig,
  } as State["model"],
  run: {
    id: 1,
    tokens: [token("<s>", true), token("le"), token("chat")],
    sourceTokens: [token("the"), token("cat")],
    next: [{ ...token("dort"), logit: 1, probability: 0.5 }],
    nextAt: 2,
  } as unknown as State["run"],
  pattern: {
    ...late,
    id: { attention: "cross", layer: 0, head: 0 },
    rows: 3,
    cols: 2,
  },
};

test("rows of cross-attention are named by the token that each predicts", () => {
  const texts = (labels: readonly { text: string }[]) =>
    labels.map(({ text }) => text);
  expect(texts(queryLabels(cross))).toEqual(["le", "chat", "dort"]);
  expect(texts(keyLabels(cross))).toEqual(["the", "cat"]);
});

test("rows of cross-attention are counted from the first, however many keys", () => {
  const { pattern } = cross;
  expect(rowOf(pattern!, 0)!.weights.length).toBe(2);
  expect(rowOf(pattern!, 3)).toBeUndefined();
});

test("masks are the model's own until one is chosen", () => {
  expect(maskOf(cross, "self")).toEqual({ kind: "causal" });
  expect(maskOf(cross, "encoder")).toEqual({ kind: "none" });
  const encoder = { config: { architecture: "encoder" } } as State["model"];
  expect(maskOf({ ...cross, model: encoder }, "self")).toEqual({
    kind: "none",
  });
  const masks = { self: { kind: "window", size: 2 } } as const;
  expect(maskOf({ ...cross, masks }, "self")).toEqual(masks.self);
});
