// How far two runs of the same tokens are from each other: what a storage kind,
// an intervention or another build changes. Only public calls, one head of each
// run at a time. Read next: types.ts.

import { AttnscopeError } from "./errors.js";
import type {
  LogitChange,
  Run,
  RunComparison,
  Tensor,
  WeightChange,
} from "./types.js";

/**
 * The attention weight and the logit that differ most between two runs, for
 * example of one text on a checkpoint loaded as float32 and as int8:
 *
 *     const exact = await loadModel(url);
 *     const small = await loadModel(url, { storage: "int8" });
 *     const { weight, logit } = await compareRuns(
 *       await exact.run(text),
 *       await small.run(text),
 *     );
 *     weight.change; // of layer weight.layer, head weight.head, ...
 *
 * Both runs have the same tokens, models of the same size, and recorded their
 * weights (as runs do by default); anything else is an error. Logits are
 * compared where both runs have them: at the last position, or at every one with
 * `allLogits` right after the prefill. Beside the logits it holds one head of
 * each run at a time, so long texts are fine; `dispose()` of a run ends it
 * early, with the error `disposed`.
 */
export async function compareRuns(from: Run, to: Run): Promise<RunComparison> {
  checkAlike(from, to);
  return {
    weight: await largestWeightChange(from, to),
    logit: await largestLogitChange(from, to),
  };
}

function checkAlike(from: Run, to: Run): void {
  const sizes = ["numLayers", "numQueryHeads", "vocabularySize"] as const;
  for (const size of sizes) {
    checkEqual(size, from.config[size], to.config[size]);
  }
  checkEqual("tokens.length", from.tokens.length, to.tokens.length);
  for (const [position, { id }] of from.tokens.entries()) {
    checkEqual(`token ${position}`, id, to.tokens[position]?.id);
  }
}

function checkEqual(what: string, from: number, to: number | undefined): void {
  if (from === to) return;
  throw new AttnscopeError(
    "invalid-argument",
    `The runs cannot be compared: ${what} is ${from} in one and ${to} in the other.`,
  );
}

async function largestWeightChange(from: Run, to: Run): Promise<WeightChange> {
  let largest: WeightChange | undefined;
  for (let layer = 0; layer < from.config.numLayers; ++layer) {
    for (let head = 0; head < from.config.numQueryHeads; ++head) {
      const { row, column, ...change } = largestChange(
        await from.weights(layer, head),
        await to.weights(layer, head),
      );
      if (largest === undefined || change.change > largest.change) {
        largest = { layer, head, query: row, key: column, ...change };
      }
    }
  }
  if (largest === undefined)
    throw new AttnscopeError("internal", "The model has no heads.");
  return largest;
}

async function largestLogitChange(from: Run, to: Run): Promise<LogitChange> {
  const fromLogits = await from.logits();
  const toLogits = await to.logits();
  const rows = Math.min(rowsOf(fromLogits), rowsOf(toLogits));
  const { row, column, ...change } = largestChange(
    lastRows(fromLogits, rows),
    lastRows(toLogits, rows),
  );
  return {
    position: from.tokens.length - rows + row,
    token: column,
    ...change,
  };
}

function rowsOf({ shape }: Tensor): number {
  return shape[0] ?? 0;
}

function lastRows({ shape, data }: Tensor, rows: number): Tensor {
  const columns = shape[1] ?? 0;
  return { shape: [rows, columns], data: data.subarray(-rows * columns) };
}

/** Of two matrices of one shape; the first of several that are equal. */
function largestChange(from: Tensor, to: Tensor) {
  let largest = 0;
  let at = 0;
  for (let i = 0; i < from.data.length; ++i) {
    const change = changeOf(from.data[i] ?? NaN, to.data[i] ?? NaN);
    if (change > largest) {
      largest = change;
      at = i;
    }
  }
  const columns = from.shape[1] ?? 1;
  return {
    row: Math.floor(at / columns),
    column: at % columns,
    from: from.data[at] ?? NaN,
    to: to.data[at] ?? NaN,
    change: largest,
  };
}

/** A NaN is infinitely far from a number, and equal to a NaN. */
function changeOf(from: number, to: number): number {
  if (Object.is(from, to)) return 0;
  const change = Math.abs(from - to);
  return Number.isNaN(change) ? Infinity : change;
}
