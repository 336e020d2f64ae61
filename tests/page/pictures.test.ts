// The pictures as pure functions: cells, special cells, scales, colours, rows.

import { describe, expect, test } from "vitest";
import {
  contrast,
  darkPalette,
  lightPalette,
  parseHex,
  rampColour,
  signedRamp,
  weightRamp,
  type Palette,
} from "../../web/src/pictures/colours.js";
import { legendFacts } from "../../web/src/pictures/legend.js";
import {
  cellEdges,
  paintMatrix,
  reduceMatrix,
  type Matrix,
  type MatrixStyle,
  type Pixels,
} from "../../web/src/pictures/matrix.js";
import {
  barLength,
  brief,
  full,
  mark,
} from "../../web/src/pictures/numbers.js";
import { ranks, rowBars } from "../../web/src/pictures/row-bars.js";
import {
  scaleNames,
  shade,
  signedDomain,
  weightDomain,
} from "../../web/src/pictures/scale.js";

const style = (palette: Palette, change: Partial<MatrixStyle> = {}) => ({
  domain: weightDomain,
  scale: "linear" as const,
  ramp: weightRamp("ink", palette),
  palette,
  pixelRatio: 1,
  markZeros: true,
  ...change,
});

const pixel = ({ data, width }: Pixels, x: number, y: number) => [
  ...data.slice((y * width + x) * 4, (y * width + x) * 4 + 3),
];

/** The different colours of a cell of a picture with 20 x 20 pixel cells. */
function coloursOf(pixels: Pixels, row: number, col: number): Set<string> {
  const colours = new Set<string>();
  for (let y = row * 20; y < row * 20 + 20; y++) {
    for (let x = col * 20; x < col * 20 + 20; x++) {
      colours.add(pixel(pixels, x, y).join());
    }
  }
  return colours;
}

describe.each([
  ["light", lightPalette],
  ["dark", darkPalette],
])("%s", (_name, palette) => {
  test("text colours reach 5:1 on the ground and on panels", () => {
    const texts = [
      "text",
      "quiet",
      "query",
      "key",
      "value",
      "output",
      "residual",
    ] as const;
    for (const name of texts) {
      expect(
        contrast(palette[name], palette.ground),
        `${name} on ground`,
      ).toBeGreaterThanOrEqual(5);
      expect(
        contrast(palette[name], palette.panel),
        `${name} on panel`,
      ).toBeGreaterThanOrEqual(4.5);
    }
  });

  test("weight 0 is exactly the ground and 1 the full ink", () => {
    const ramp = weightRamp("ink", palette);
    expect(rampColour(ramp, 0)).toEqual(parseHex(palette.ground));
    expect(rampColour(ramp, 1)).toEqual(parseHex(palette.ink));
  });

  test("contrast with the ground grows along the ramps of weights", () => {
    const { table } = weightRamp("ink", palette);
    const hex = (i: number) =>
      "#" + Buffer.from(table.slice(i * 3, i * 3 + 3)).toString("hex");
    for (let i = 8; i < 256; i += 8) {
      expect(contrast(hex(i), palette.ground)).toBeGreaterThan(
        contrast(hex(i - 8), palette.ground),
      );
    }
  });

  test("scores diverge around the ground", () => {
    const ramp = signedRamp(palette);
    expect(rampColour(ramp, 0)).toEqual(parseHex(palette.ground));
    expect(rampColour(ramp, -1)).toEqual(parseHex(palette.negative));
    expect(rampColour(ramp, 1)).toEqual(parseHex(palette.positive));
  });

  test("masked, zero, NaN and an ordinary cell look different", () => {
    const matrix: Matrix = {
      rows: 2,
      cols: 2,
      values: Float32Array.of(0, 0, NaN, 0.5),
      allowed: Uint8Array.of(0, 1, 1, 1),
    };
    const pixels = paintMatrix(matrix, 40, 40, style(palette));
    const masked = coloursOf(pixels, 0, 0);
    const zero = coloursOf(pixels, 0, 1);
    const nan = coloursOf(pixels, 1, 0);
    const value = coloursOf(pixels, 1, 1);
    const rgb = (hex: string) => parseHex(hex).join();
    expect(masked).toEqual(new Set([rgb(palette.ground), rgb(palette.hatch)]));
    expect(zero).toEqual(new Set([rgb(palette.ground), rgb(palette.quiet)]));
    expect(nan).toEqual(new Set([rgb(palette.ground), rgb(palette.alarm)]));
    expect(value.size).toBe(1);
  });
});

test("every pixel belongs to the cell that its place says", () => {
  for (const count of [1, 2, 3, 7, 16, 64]) {
    for (const size of [64, 101, 480]) {
      const edges = cellEdges(count, size);
      expect(edges[0]).toBe(0);
      expect(edges[count]).toBe(size);
      for (let i = 0; i < count; i++) {
        expect(edges[i + 1]! - edges[i]!).toBeGreaterThan(0);
      }
    }
  }
});

test("rows are drawn downwards and columns to the right, not transposed", () => {
  const values = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  const pixels = paintMatrix(
    { rows: 2, cols: 5, values },
    50,
    20,
    style(lightPalette, { markZeros: false }),
  );
  const ink = parseHex(lightPalette.ink);
  const ground = parseHex(lightPalette.ground);
  expect(pixel(pixels, 5, 5)).toEqual(ink);
  expect(pixel(pixels, 45, 15)).toEqual(ink);
  expect(pixel(pixels, 45, 5)).toEqual(ground);
  expect(pixel(pixels, 5, 15)).toEqual(ground);
});

test("a thumbnail keeps the largest weight of the cells it stands for", () => {
  const size = 300;
  const values = new Float32Array(size * size);
  values[137 * size + 41] = 0.75;
  const small = reduceMatrix({ rows: size, cols: size, values }, 48);
  expect([small.rows, small.cols]).toEqual([48, 48]);
  const at = Math.floor((137 * 48) / size) * 48 + Math.floor((41 * 48) / size);
  expect(small.values[at]).toBe(0.75);
  expect(small.values.filter((value) => value !== 0).length).toBe(1);
});

test("a reduced cell is masked only where all of its cells are, and NaN wins", () => {
  const small = reduceMatrix(
    {
      rows: 2,
      cols: 4,
      values: Float32Array.of(0.2, 0, NaN, 0.9, 0.1, 0, 0.3, 0.4),
      allowed: Uint8Array.of(1, 0, 1, 1, 1, 0, 1, 1),
    },
    2,
  );
  // Two rows stay, pairs of columns join.
  expect([...small.values].map((value) => Math.fround(value))).toEqual([
    Math.fround(0.2),
    NaN,
    Math.fround(0.1),
    Math.fround(0.4),
  ]);
  expect([...small.allowed!]).toEqual([1, 1, 1, 1]);
  const hidden = reduceMatrix(
    {
      rows: 1,
      cols: 2,
      values: Float32Array.of(0, 0),
      allowed: Uint8Array.of(0, 0),
    },
    1,
  );
  expect([...hidden.allowed!]).toEqual([0]);
});

test("every scale keeps 0, the end, the order and the sign", () => {
  for (const scale of scaleNames) {
    expect(shade(0, 1, scale)).toBe(0);
    expect(shade(1, 1, scale)).toBe(1);
    expect(shade(-4, 4, scale)).toBe(-1);
    let last = 0;
    for (let value = 0; value <= 1; value += 1 / 64) {
      const now = shade(value, 1, scale);
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
    }
  }
  expect(shade(0.25, 1, "sqrt")).toBe(0.5);
  expect(shade(0.01, 1, "log")).toBeCloseTo(0.5, 12);
  expect(shade(0.00005, 1, "log")).toBe(0);
});

test("the legend of weights shows the domain 0 to 1, whatever the numbers", () => {
  const matrix: Matrix = {
    rows: 1,
    cols: 2,
    values: Float32Array.of(0.1, 0.2),
  };
  for (const scale of scaleNames) {
    const { ticks } = legendFacts(matrix, weightDomain, scale);
    expect(ticks.at(-1)).toEqual({ value: 1, share: 1, place: 1 });
    if (scale !== "log") expect(ticks[0]!.value).toBe(0);
  }
});

test("the legend of scores is symmetric and says which special cells occur", () => {
  const matrix: Matrix = {
    rows: 1,
    cols: 3,
    values: Float32Array.of(-2, 1, -Infinity),
    allowed: Uint8Array.of(1, 1, 0),
  };
  const domain = signedDomain(matrix.values);
  expect(domain).toEqual({ signed: true, max: 2 });
  const facts = legendFacts(matrix, domain, "linear");
  expect(facts.ticks.map((tick) => tick.value)).toEqual([-2, -1, 0, 1, 2]);
  expect(facts.ticks.map((tick) => tick.place)).toEqual([
    0, 0.25, 0.5, 0.75, 1,
  ]);
  expect(facts.masked).toBe(true);
  expect(facts.nans).toBe(false);
});

test("ranks start at 1 and equal weights share a rank", () => {
  expect([...ranks([0.1, 0.5, 0.1, 0.3])]).toEqual([3, 1, 3, 2]);
});

test("a row's bars are its largest keys by position, and nothing is lost", () => {
  const weights = Float32Array.of(0.4, 0.1, 0.05, 0.3, 0.15, 0);
  const allowed = Uint8Array.of(1, 1, 1, 1, 1, 0);
  const { bars, left, leftWeight, sum } = rowBars(weights, allowed, 3);
  expect(bars.map((bar) => bar.key)).toEqual([0, 3, 4]);
  expect(bars.map((bar) => bar.rank)).toEqual([1, 2, 3]);
  expect(left).toBe(2);
  expect(leftWeight).toBeCloseTo(0.15, 6);
  expect(sum).toBeCloseTo(1, 6);
  expect(
    rowBars(Float32Array.of(0.25, 0.25, 0.25, 0.25), undefined, 9).spread,
  ).toBeCloseTo(4, 6);
});

test("a row of NaN is spread over NaN keys and has bars of no length", () => {
  const { bars, spread, sum } = rowBars(Float32Array.of(NaN, 0), undefined, 9);
  expect([spread, sum]).toEqual([NaN, NaN]);
  expect(bars.map(({ weight }) => barLength(weight, 100, "%"))).toEqual([
    "0.000%",
    "0.000%",
  ]);
  expect(barLength(0.25, 100, "%")).toBe("25.000%");
});

test("numbers: three digits in pictures, every digit on demand", () => {
  expect(brief(0.4717)).toBe("0.472");
  expect(brief(-12.345)).toBe("−12.3");
  expect(brief(0.0000123)).toBe("1.23·10⁻⁵");
  expect(brief(0)).toBe("0");
  expect(brief(-Infinity)).toBe("−∞");
  expect(mark(0.25)).toBe("0.25");
  expect(mark(1)).toBe("1");
  expect(mark(0)).toBe("0");
  expect(mark(100)).toBe("100");
  expect(mark(0.00001)).toBe("1·10⁻⁵");
  for (const value of [0.1, 1 / 3, 0.20000123, 3.4e-12]) {
    expect(Math.fround(Number(full(value)))).toBe(Math.fround(value));
  }
});
