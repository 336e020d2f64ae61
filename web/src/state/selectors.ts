// What elements derive from the state: the active cell, token labels, the
// chosen row, one cell's numbers, the palette. Pure; costly ones remember
// their last answer per run, since many elements ask.

import {
  darkPalette,
  lightPalette,
  signedRamp,
  weightRamp,
  type Palette,
  type Ramp,
} from "../pictures/colours.js";
import type { Matrix } from "../pictures/matrix.js";
import { ranks } from "../pictures/row-bars.js";
import { signedDomain, weightDomain, type Domain } from "../pictures/scale.js";
import type { Cell, Pattern, Stage, State } from "./state.js";
import { tokenLabels, type TokenLabel } from "./tokens.js";

export const activeCell = (state: State): Cell | undefined =>
  state.preview ?? state.pinned;

export const isDark = (state: State): boolean =>
  state.theme === "auto" ? state.systemDark : state.theme === "dark";

export const palette = (state: State): Palette =>
  isDark(state) ? darkPalette : lightPalette;

/** Scores diverge around 0; weights rise from the ground, as the reader chose. */
export const rampFor = (state: State, domain: Domain): Ramp =>
  domain.signed
    ? signedRamp(palette(state))
    : weightRamp(state.ramp, palette(state));

const labelsOf = new WeakMap<object, readonly TokenLabel[]>();

/** Labels by position of the run's tokens. */
export function runLabels(state: State): readonly TokenLabel[] {
  const tokens = state.run?.tokens;
  if (!tokens) return [];
  let labels = labelsOf.get(tokens);
  if (!labels) {
    labels = tokenLabels(tokens);
    labelsOf.set(tokens, labels);
  }
  return labels;
}

const stageMatrices = new WeakMap<Pattern, Map<Stage, StageMatrix>>();

export interface StageMatrix extends Matrix {
  readonly domain: Domain;
}

/** The matrix of a stage; before the mask, cells never computed are left out. */
export function stageMatrix(pattern: Pattern, stage: Stage): StageMatrix {
  let known = stageMatrices.get(pattern);
  if (!known) stageMatrices.set(pattern, (known = new Map()));
  let matrix = known.get(stage);
  if (!matrix) known.set(stage, (matrix = makeStage(pattern, stage)));
  return matrix;
}

function makeStage(pattern: Pattern, stage: Stage): StageMatrix {
  const { rows, cols, allowed } = pattern;
  switch (stage) {
    case "scores":
      return {
        rows,
        cols,
        values: computedScores(pattern),
        domain: signedDomain(pattern.scores),
      };
    case "masked":
      return {
        rows,
        cols,
        values: pattern.maskedScores,
        allowed,
        domain: signedDomain(pattern.maskedScores),
      };
    case "weights":
      return {
        rows,
        cols,
        values: pattern.weights,
        allowed,
        domain: weightDomain,
      };
  }
}

/**
 * Scores know no mask, but with a cache a later key meets only the queries
 * after it: cells above it were never computed. They come as NaN, and are
 * shown like masked ones; a NaN that was computed stays one.
 */
function computedScores({ scores, allowed }: Pattern): Float32Array {
  return scores.map((score, index) =>
    Number.isNaN(score) && allowed[index] === 0 ? -Infinity : score,
  );
}

export interface Row {
  /** The query's position in the text. */
  readonly query: number;
  readonly weights: Float32Array; // [key]
  readonly allowed: Uint8Array; // [key]
}

/** The row of a query; undefined where the pattern has none. */
export function rowOf(pattern: Pattern, query: number): Row | undefined {
  // The last query stands at the last key.
  const row = query - (pattern.cols - pattern.rows);
  if (row < 0 || row >= pattern.rows) return undefined;
  const from = row * pattern.cols;
  const to = from + pattern.cols;
  return {
    query,
    weights: pattern.weights.subarray(from, to),
    allowed: pattern.allowed.subarray(from, to),
  };
}

export interface CellNumbers {
  readonly score: number;
  readonly scaled: number;
  readonly allowed: boolean;
  readonly weight: number;
  readonly rank: number;
  /** Keys that the query may see. */
  readonly of: number;
}

export function cellNumbers(
  pattern: Pattern,
  cell: Required<Cell>,
  attentionScale: number,
): CellNumbers | undefined {
  const row = rowOf(pattern, cell.query);
  if (!row || cell.key >= pattern.cols) return undefined;
  const index =
    (cell.query - (pattern.cols - pattern.rows)) * pattern.cols + cell.key;
  const allowed = row.allowed[cell.key] !== 0;
  const score = pattern.scores[index]!;
  return {
    score,
    scaled: allowed
      ? pattern.maskedScores[index]!
      : Math.fround(score * attentionScale),
    allowed,
    weight: row.weights[cell.key]!,
    rank: ranks(row.weights)[cell.key]!,
    of: row.allowed.reduce((sum, one) => sum + (one !== 0 ? 1 : 0), 0),
  };
}
