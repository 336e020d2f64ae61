// Colours as numbers: the palettes of the page in light and dark, and ramps
// that turn a value into a colour. Leaves out the reading scale (scale.ts).
// Read next: scale.ts, matrix.ts.

/** sRGB, each channel 0..255. */
export type Rgb = readonly [number, number, number];

/** Every colour of the page has one meaning; styles/tokens.ts makes CSS of it. */
export interface Palette {
  readonly ground: string;
  readonly panel: string;
  readonly line: string;
  readonly text: string;
  readonly quiet: string;
  readonly query: string;
  readonly key: string;
  readonly value: string;
  readonly output: string;
  readonly residual: string;
  /** Full weight; the sequential ramp runs from `ground` to it. */
  readonly ink: string;
  /** Ends of the ramp of scores, around `ground`. */
  readonly negative: string;
  readonly positive: string;
  readonly hatch: string;
  /** NaN: used for nothing else. */
  readonly alarm: string;
}

export const lightPalette: Palette = {
  ground: "#fbfaf7",
  panel: "#f3f1ea",
  line: "#dedbd1",
  text: "#1f2328",
  quiet: "#5b636e",
  query: "#b8400e",
  key: "#0b63a5",
  value: "#0b7a58",
  output: "#8a6100",
  residual: "#8a3f77",
  ink: "#0c2f66",
  negative: "#1659a0",
  positive: "#b45309",
  hatch: "#d3d0c7",
  alarm: "#d6006c",
};

export const darkPalette: Palette = {
  ground: "#14171c",
  panel: "#1b1f26",
  line: "#333a44",
  text: "#e8e6e1",
  quiet: "#a2a9b4",
  query: "#ff8a5c",
  key: "#6cb6f5",
  value: "#4fc79c",
  output: "#f2c14e",
  residual: "#e29acb",
  ink: "#fbf3b4",
  negative: "#74b7f5",
  positive: "#ffab5c",
  hatch: "#383f4a",
  alarm: "#ff4fa3",
};

/** Ramps for weights that a reader may choose; `ink` follows the page. */
export type RampName = "ink" | "viridis" | "cividis";
export const rampNames: readonly RampName[] = ["ink", "viridis", "cividis"];

const viridis = [
  "#440154",
  "#482878",
  "#3e4989",
  "#31688e",
  "#26828e",
  "#1f9e89",
  "#35b779",
  "#6ece58",
  "#b5de2b",
  "#fde725",
];
const cividis = [
  "#00224e",
  "#123570",
  "#3b496c",
  "#575d6d",
  "#707173",
  "#8a8678",
  "#a59c74",
  "#c3b369",
  "#e1cc55",
  "#fee838",
];

export function parseHex(hex: string): Rgb {
  const n = Number.parseInt(hex.slice(1), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}

const toLinear = (c: number) =>
  c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const fromLinear = (c: number) =>
  c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055;

/** OKLab, the space in which equal steps look equal. */
function toOklab(rgb: Rgb): [number, number, number] {
  const r = toLinear(rgb[0] / 255);
  const g = toLinear(rgb[1] / 255);
  const b = toLinear(rgb[2] / 255);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab(L: number, a: number, b: number): Rgb {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channel = (linear: number) =>
    Math.round(255 * Math.min(1, Math.max(0, fromLinear(Math.max(0, linear)))));
  return [
    channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    channel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** `steps` colours through the stops, evenly spaced in OKLab; [step, rgb]. */
function interpolate(stops: readonly string[], steps: number): Uint8Array {
  const labs = stops.map((stop) => toOklab(parseHex(stop)));
  const table = new Uint8Array(steps * 3);
  for (let i = 0; i < steps; i++) {
    const place = (i / (steps - 1)) * (labs.length - 1);
    const left = Math.min(Math.floor(place), labs.length - 2);
    const share = place - left;
    const a = labs[left]!;
    const b = labs[left + 1]!;
    table.set(
      fromOklab(
        a[0] + share * (b[0] - a[0]),
        a[1] + share * (b[1] - a[1]),
        a[2] + share * (b[2] - a[2]),
      ),
      i * 3,
    );
  }
  // Round trips through OKLab may miss by one; 0 is exactly the ground.
  table.set(parseHex(stops[0]!), 0);
  return table;
}

/** Colours for 0..1, or for -1..1 when `signed`. */
export interface Ramp {
  readonly signed: boolean;
  readonly table: Uint8Array; // [step, rgb]
}

const ramps = new Map<string, Ramp>();

function cached(name: string, make: () => Ramp): Ramp {
  const known = ramps.get(name);
  if (known) return known;
  const ramp = make();
  ramps.set(name, ramp);
  return ramp;
}

/** Sequential, for weights. */
export function weightRamp(name: RampName, palette: Palette): Ramp {
  return cached(`${name} ${palette.ground}`, () => {
    const stops =
      name === "viridis"
        ? viridis
        : name === "cividis"
          ? cividis
          : [palette.ground, palette.ink];
    return { signed: false, table: interpolate(stops, 256) };
  });
}

/** Diverging around 0, for scores and every other signed number. */
export function signedRamp(palette: Palette): Ramp {
  return cached(`signed ${palette.ground}`, () => {
    const down = interpolate([palette.ground, palette.negative], 256);
    const up = interpolate([palette.ground, palette.positive], 256);
    const table = new Uint8Array(511 * 3);
    for (let i = 0; i < 256; i++) {
      table.set(down.subarray(i * 3, i * 3 + 3), (255 - i) * 3);
      table.set(up.subarray(i * 3, i * 3 + 3), (255 + i) * 3);
    }
    return { signed: true, table };
  });
}

/** Colour of a shade (0..1, or -1..1 when signed) as an offset in the table. */
export function rampOffset(ramp: Ramp, shade: number): number {
  const clipped = Math.min(1, Math.max(ramp.signed ? -1 : 0, shade));
  return 3 * Math.round(ramp.signed ? 255 + 255 * clipped : 255 * clipped);
}

export function rampColour(ramp: Ramp, shade: number): Rgb {
  const at = rampOffset(ramp, shade);
  return [ramp.table[at]!, ramp.table[at + 1]!, ramp.table[at + 2]!];
}

/** Contrast of two colours by WCAG, 1..21. */
export function contrast(a: string, b: string): number {
  const luminance = (hex: string) => {
    const [r, g, blue] = parseHex(hex);
    return (
      0.2126 * toLinear(r / 255) +
      0.7152 * toLinear(g / 255) +
      0.0722 * toLinear(blue / 255)
    );
  };
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
}
