// What elements derive from the state: the active cell, token labels, the
// chosen row, one cell's numbers, the palette. Pure; costly ones remember
// their last answer per run, since many elements ask.

import type { AttentionPart, Token } from "attnscope";
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
import {
  keysAreSource,
  partsOf,
  queriesAreSource,
  usualMask,
} from "./parts.js";
import type { Cell, MaskChoice, Pattern, Stage, State } from "./state.js";
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

function labelled(tokens: readonly Token[]): readonly TokenLabel[] {
  let labels = labelsOf.get(tokens);
  if (!labels) {
    labels = tokenLabels(tokens);
    labelsOf.set(tokens, labels);
  }
  return labels;
}

/** Labels by position of the run's tokens, or of its source's. */
export function runLabels(
  state: State,
  side: "text" | "source" = "text",
): readonly TokenLabel[] {
  const { run } = state;
  if (!run) return [];
  return labelled(side === "text" ? run.tokens : run.sourceTokens);
}

/** The attention whose numbers are on show. */
export function shownAttention(state: State): AttentionPart {
  return state.pattern?.id.attention ?? "self";
}

/** Labels of the columns on show. */
export function keyLabels(state: State): readonly TokenLabel[] {
  return runLabels(
    state,
    keysAreSource(shownAttention(state)) ? "source" : "text",
  );
}

const unknown: TokenLabel = {
  parts: [{ text: "?", glyph: true }],
  text: "?",
  special: true,
};

/**
 * Labels of the rows on show. In cross-attention a row is named by the token that
 * it predicts, the next one: what the row looks for is that token's source.
 */
export function queryLabels(state: State): readonly TokenLabel[] {
  const attention = shownAttention(state);
  if (attention !== "cross") {
    return runLabels(state, queriesAreSource(attention) ? "source" : "text");
  }
  return [...runLabels(state).slice(1), nextLabel(state) ?? unknown];
}

/** The token that the model would say next. */
export function nextLabel(state: State): TokenLabel | undefined {
  const next = state.run?.next[0];
  return next && tokenLabels([next])[0];
}

/** Where the logit lens looks: at the chosen position of the text, or its last. */
export function lensPosition({ run, head, pinned }: State): number {
  const last = (run?.tokens.length ?? 0) - 1;
  if (!pinned || head?.attention === "encoder") return last;
  return Math.min(pinned.query, last);
}

/** Whether the model reads a source and says something else. */
export function isOnSource(state: State): boolean {
  return (state.model && partsOf(state.model.config).length > 1) ?? false;
}

/** The mask in force: the chosen one, or the model's own. */
export function maskOf(state: State, attention: AttentionPart): MaskChoice {
  return (
    state.masks[attention] ??
    (state.model
      ? usualMask(state.model.config, attention)
      : { kind: "causal" })
  );
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

/** The position of the first row's query. */
export function firstQuery({ id, rows, cols }: Pattern): number {
  // Of a text on itself the last query stands at the last key.
  return id.attention === "cross" ? 0 : cols - rows;
}

/** The row of a query; undefined where the pattern has none. */
export function rowOf(pattern: Pattern, query: number): Row | undefined {
  const row = query - firstQuery(pattern);
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
  const index = (cell.query - firstQuery(pattern)) * pattern.cols + cell.key;
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
