// The legend of a matrix picture: the ramp over its true domain, where the
// marks stand on the chosen scale, and which special cells occur at all.

import type { Rgb } from "./colours.js";
import { cellKind, type Matrix, type Pixels } from "./matrix.js";
import { shade, ticks, type Domain, type ScaleName } from "./scale.js";

export interface Tick {
  readonly value: number;
  /** Share of the domain's end, -1..1. */
  readonly share: number;
  /** 0 is the ramp's left end, 1 its right. */
  readonly place: number;
}

export interface LegendFacts {
  readonly signed: boolean;
  readonly ticks: readonly Tick[];
  readonly masked: boolean;
  readonly zeros: boolean;
  readonly nans: boolean;
}

export function legendFacts(
  matrix: Matrix,
  domain: Domain,
  scale: ScaleName,
): LegendFacts {
  const kinds = new Set<string>();
  for (let i = 0; i < matrix.values.length; i++) kinds.add(cellKind(matrix, i));
  return {
    signed: domain.signed,
    ticks: ticks(domain, scale).map((value) => {
      const at = shade(value, domain.max, scale);
      return {
        value,
        share: domain.max === 0 ? 0 : value / domain.max,
        place: domain.signed ? (at + 1) / 2 : at,
      };
    }),
    masked: kinds.has("masked"),
    zeros: kinds.has("zero"),
    nans: kinds.has("nan"),
  };
}

/** The ramp from its first colour (left) to its last. */
export function rampPixels(
  width: number,
  height: number,
  colour: (shade: number) => Rgb,
  signed: boolean,
): Pixels {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let x = 0; x < width; x++) {
    const place = width === 1 ? 1 : x / (width - 1);
    const rgb = colour(signed ? 2 * place - 1 : place);
    for (let y = 0; y < height; y++) {
      data.set([...rgb, 255], (y * width + x) * 4);
    }
  }
  return { width, height, data };
}
