// Which variants are tried, as a table over what the engine here understands.
import { describe, expect, it, vi } from "vitest";

import { chooseVariants, probeFeatures } from "../../wasm/src/features.js";
import type { Variant } from "../../wasm/src/types.js";

const noSimd = "no SIMD in this WebAssembly engine";
const noRelaxed = "no relaxed SIMD in this WebAssembly engine";

describe("the choice of variant", () => {
  it.each<[boolean, boolean, Variant[], string[]]>([
    [true, true, ["relaxed", "simd128", "scalar"], []],
    [true, false, ["simd128", "scalar"], [noRelaxed]],
    [false, false, ["scalar"], [noRelaxed, noSimd]],
  ])(
    "simd %s, relaxed %s: tries %j",
    (simd, relaxedSimd, variants, reasons) => {
      expect(chooseVariants({ simd, relaxedSimd })).toEqual({
        variants,
        reasons,
      });
    },
  );

  it.each<[Variant, Variant[]]>([
    ["relaxed", ["relaxed", "scalar"]],
    ["simd128", ["simd128", "scalar"]],
    ["scalar", ["scalar"]],
  ])("wanted %s: tries %j", (wanted, variants) => {
    const features = { simd: true, relaxedSimd: true };
    expect(chooseVariants(features, wanted)).toEqual({ variants, reasons: [] });
  });

  it.each<Variant>(["relaxed", "simd128"])(
    "refuses %s by name where it cannot run",
    (wanted) => {
      const features = { simd: false, relaxedSimd: false };
      expect(() => chooseVariants(features, wanted)).toThrow(
        expect.objectContaining({
          code: "unsupported-variant",
          message: expect.stringContaining(`'${wanted}'`) as string,
        }),
      );
    },
  );
});

describe("the probe", () => {
  it("finds SIMD in this node", () => {
    expect(probeFeatures().simd).toBe(true);
  });

  it("asks about SIMD and relaxed SIMD by different modules", () => {
    const validate = vi
      .spyOn(WebAssembly, "validate")
      .mockImplementation((bytes) => (bytes as Uint8Array).length < 36);
    expect(probeFeatures()).toEqual({ simd: true, relaxedSimd: false });
    validate.mockRestore();
  });
});
