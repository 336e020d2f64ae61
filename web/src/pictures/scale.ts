// The reading scale: how a number becomes a shade, by the reader's choice.
// Works on magnitudes and keeps the sign, so weights and scores share it.
// Read next: matrix.ts, legend.ts.

export type ScaleName = "linear" | "sqrt" | "log" | "row";
export const scaleNames: readonly ScaleName[] = [
  "linear",
  "sqrt",
  "log",
  "row",
];

/** Below this share of the domain's end the log scale shows the ground. */
export const logFloor = 1e-4;

/** Numbers that a stage can take: 0..max, or -max..max when signed. */
export interface Domain {
  readonly signed: boolean;
  readonly max: number;
}

/** Weights always lie in 0..1, whatever the text. */
export const weightDomain: Domain = { signed: false, max: 1 };

/** Symmetric around 0, ending at the largest finite magnitude. */
export function signedDomain(values: ArrayLike<number>): Domain {
  let max = 0;
  for (let i = 0; i < values.length; i++) {
    const magnitude = Math.abs(values[i]!);
    if (magnitude > max && magnitude !== Infinity) max = magnitude;
  }
  return { signed: true, max };
}

/**
 * Shade of a value, 0..1 or -1..1. `max` is the domain's end, for the scale
 * 'row' the largest magnitude of the value's row. NaN stays NaN.
 */
export function shade(value: number, max: number, scale: ScaleName): number {
  if (value === 0 || max === 0) return 0;
  const share = Math.min(1, Math.abs(value) / max);
  const sign = value < 0 ? -1 : 1;
  switch (scale) {
    case "linear":
    case "row":
      return sign * share;
    case "sqrt":
      return sign * Math.sqrt(share);
    case "log":
      return share <= logFloor
        ? 0
        : sign * (1 - Math.log(share) / Math.log(logFloor));
  }
}

/** Where a legend has its marks, as values of the domain in rising order. */
export function ticks(domain: Domain, scale: ScaleName): number[] {
  const shares =
    scale === "log"
      ? [1e-4, 1e-3, 1e-2, 1e-1, 1]
      : scale === "sqrt"
        ? [0, 0.01, 0.1, 0.25, 0.5, 1]
        : [0, 0.25, 0.5, 0.75, 1];
  if (!domain.signed) return shares.map((share) => share * domain.max);
  const half =
    scale === "log"
      ? [0, 1e-2, 1]
      : scale === "sqrt"
        ? [0, 0.25, 1]
        : [0, 0.5, 1];
  return [
    ...half
      .slice(1)
      .reverse()
      .map((share) => -share * domain.max),
    ...half.map((share) => share * domain.max),
  ];
}
