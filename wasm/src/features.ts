// Which variant of the engine this machine can run: a probe that only looks,
// and a choice that is a pure function of what it saw. Whether a variant
// computes rightly is for self-test.ts. Read next: module-loader.ts.

import { wrong } from "./checks.js";
import { AttnscopeError } from "./errors.js";
import type { Variant } from "./types.js";

/** What the WebAssembly engine here understands. */
export interface Features {
  readonly simd: boolean;
  readonly relaxedSimd: boolean;
}

export interface Choice {
  /** What to try, best first; the last is the fallback. */
  readonly variants: readonly Variant[];
  /** Why faster variants are not among them. */
  readonly reasons: readonly string[];
}

// One function () -> v128 each. Its body is, in the text format:
//   i32.const 0  i8x16.splat  i8x16.popcnt
const simdModule = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8,
  0, 65, 0, 253, 15, 253, 98, 11,
];
//   i32.const 1  i8x16.splat  i32.const 2  i8x16.splat  i8x16.relaxed_swizzle
const relaxedSimdModule = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1,
  13, 0, 65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2, 11,
];

export function probeFeatures(): Features {
  return {
    simd: WebAssembly.validate(new Uint8Array(simdModule)),
    relaxedSimd: WebAssembly.validate(new Uint8Array(relaxedSimdModule)),
  };
}

/**
 * The variants to try. One that was asked for comes alone with the scalar one,
 * which stands by in case it computes wrongly.
 */
export function chooseVariants(features: Features, wanted?: Variant): Choice {
  const lacks: Record<Variant, string | undefined> = {
    relaxed: features.relaxedSimd
      ? undefined
      : "no relaxed SIMD in this WebAssembly engine",
    simd128: features.simd ? undefined : "no SIMD in this WebAssembly engine",
    scalar: undefined,
  };
  if (wanted !== undefined) {
    if (!Object.hasOwn(lacks, wanted))
      throw wrong("variant", wanted, "relaxed, simd128 or scalar");
    const lack = lacks[wanted];
    if (lack !== undefined) {
      throw new AttnscopeError(
        "unsupported-variant",
        `Variant '${wanted}' cannot run: ${lack}.`,
      );
    }
    return {
      variants: wanted === "scalar" ? ["scalar"] : [wanted, "scalar"],
      reasons: [],
    };
  }
  const order: readonly Variant[] = ["relaxed", "simd128", "scalar"];
  return {
    variants: order.filter((variant) => lacks[variant] === undefined),
    reasons: order.flatMap((variant) => lacks[variant] ?? []),
  };
}
