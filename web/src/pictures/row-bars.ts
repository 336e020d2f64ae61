// The chosen query's softmax row as bars: which keys, in which order, how
// long. Leaves out text and colour. Read next: ../elements/as-row-bars.ts.

export interface RowBar {
  readonly key: number;
  readonly weight: number;
  /** 1 is the largest weight; equal weights share the better rank. */
  readonly rank: number;
}

export interface RowSummary {
  readonly bars: readonly RowBar[];
  /** Keys that are not among the bars, and what they hold together. */
  readonly left: number;
  readonly leftWeight: number;
  /** Sum of the whole row: 1, or 0 where nothing is allowed. */
  readonly sum: number;
  /** exp of the entropy: over how many keys the row is spread; NaN if one is. */
  readonly spread: number;
}

/** Ranks of a row, 1 the largest; masked and NaN cells come last. */
export function ranks(weights: ArrayLike<number>): Int32Array {
  const order = Array.from({ length: weights.length }, (_, key) => key);
  const size = (key: number) =>
    Number.isNaN(weights[key]!) ? -1 : weights[key]!;
  order.sort((a, b) => size(b) - size(a) || a - b);
  const result = new Int32Array(weights.length);
  order.forEach((key, place) => {
    const before = order[place - 1];
    result[key] =
      before !== undefined && size(before) === size(key)
        ? result[before]!
        : place + 1;
  });
  return result;
}

/** At most `limit` bars: the largest, in the order of their positions. */
export function rowBars(
  weights: ArrayLike<number>,
  allowed: ArrayLike<number> | undefined,
  limit: number,
): RowSummary {
  const rank = ranks(weights);
  const isAllowed = (key: number) => allowed?.[key] !== 0;
  const keys = Array.from({ length: weights.length }, (_, key) => key).filter(
    isAllowed,
  );
  let sum = 0;
  let entropy = 0;
  for (let key = 0; key < weights.length; key++) {
    const weight = weights[key]!;
    sum += weight;
    if (weight !== 0) entropy -= weight * Math.log(weight);
  }
  const shown = [...keys]
    .sort((a, b) => rank[a]! - rank[b]! || a - b)
    .slice(0, limit)
    .sort((a, b) => a - b);
  const bars = shown.map((key) => ({
    key,
    weight: weights[key]!,
    rank: rank[key]!,
  }));
  const inBars = bars.reduce((total, bar) => total + bar.weight, 0);
  return {
    bars,
    left: keys.length - bars.length,
    leftWeight: keys.length === bars.length ? 0 : sum - inBars,
    sum,
    spread: Math.exp(entropy),
  };
}
