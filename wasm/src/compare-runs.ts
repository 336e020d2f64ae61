// How far two runs of the same tokens are from each other: what a storage kind,
// an intervention or another build changes. Only public calls, one head of each
// run at a time. Read next: types.ts.

import { AttnscopeError } from "./errors.js";
import type {
  LogitChange,
  ModelConfig,
  Run,
  RunComparison,
  Tensor,
  Token,
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
 * Both runs have the same tokens, models of the same sizes, and recorded their
 * weights (as runs do by default); anything else is an error. Every attention
 * of the model is looked at. Logits are compared where both runs have them: at
 * the last position, or at every one with `allLogits` right after the prefill.
 * Beside the logits it holds one head of each run at a time, so long texts are
 * fine; `dispose()` of a run ends it early, with the error `disposed`.
 */
export async function compareRuns(from: Run, to: Run): Promise<RunComparison> {
  checkAlike(from, to);
  return {
    weight: await largestWeightChange(from, to),
    logit: from.config.hasLogits
      ? await largestLogitChange(from, to)
      : undefined,
  };
}

function checkAlike(from: Run, to: Run): void {
  const [a, b] = [from.config, to.config];
  checkEqual("the architecture", a.architecture, b.architecture);
  checkEqual("numLayers", a.numLayers, b.numLayers);
  checkEqual("numQueryHeads", a.numQueryHeads, b.numQueryHeads);
  checkEqual("encoder.numLayers", a.encoder?.numLayers, b.encoder?.numLayers);
  checkEqual("encoder.numHeads", a.encoder?.numHeads, b.encoder?.numHeads);
  checkEqual("vocabularySize", a.vocabularySize, b.vocabularySize);
  checkEqual("hasLogits", a.hasLogits, b.hasLogits);
  checkTokens("token", from.tokens, to.tokens);
  checkTokens("source token", from.sourceTokens, to.sourceTokens);
}

function checkTokens(
  what: string,
  from: readonly Token[],
  to: readonly Token[],
): void {
  checkEqual(`the number of ${what}s`, from.length, to.length);
  for (const [position, { id }] of from.entries()) {
    checkEqual(`${what} ${position}`, id, to[position]?.id);
  }
}

function checkEqual(what: string, from: unknown, to: unknown): void {
  if (from === to) return;
  throw new AttnscopeError(
    "invalid-argument",
    `The runs cannot be compared: ${what} is ${String(from)} in one and ${String(to)} in the other.`,
  );
}

/** The attentions of a model and their sizes, in the order of the computation. */
function attentionsOf({ encoder, numLayers, numQueryHeads }: ModelConfig) {
  const own = { numLayers, numHeads: numQueryHeads };
  return encoder === undefined
    ? [{ attention: "self" as const, ...own }]
    : [
        { attention: "encoder" as const, ...encoder },
        { attention: "self" as const, ...own },
        { attention: "cross" as const, ...own },
      ];
}

async function largestWeightChange(from: Run, to: Run): Promise<WeightChange> {
  let largest: WeightChange | undefined;
  for (const part of attentionsOf(from.config)) {
    const { attention } = part;
    for (let layer = 0; layer < part.numLayers; ++layer) {
      for (let head = 0; head < part.numHeads; ++head) {
        const { row, column, ...change } = largestChange(
          await from.weights(layer, head, attention),
          await to.weights(layer, head, attention),
        );
        if (largest === undefined || change.change > largest.change) {
          const place = { attention, layer, head, query: row, key: column };
          largest = { ...place, ...change };
        }
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
