// The one drawing of a matrix: heatmap, head thumbnails and the mask picture
// are this function at different sizes. Returns pixels; touches no canvas.
// Leaves out axes, selection and legend. Read next: legend.ts.

import {
  parseHex,
  rampOffset,
  type Palette,
  type Ramp,
  type Rgb,
} from "./colours.js";
import { shade, type Domain, type ScaleName } from "./scale.js";

export interface Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly values: Float32Array; // [row, column]
  /** 0 where a cell is masked; left out when nothing is. */
  readonly allowed?: Uint8Array; // [row, column]
}

export interface MatrixStyle {
  readonly domain: Domain;
  readonly scale: ScaleName;
  readonly ramp: Ramp;
  readonly palette: Palette;
  /** Device pixels per CSS pixel; hatching keeps its size with it. */
  readonly pixelRatio: number;
  /** Dots in allowed cells that are exactly 0 (weights that underflowed). */
  readonly markZeros: boolean;
}

/** What `ImageData` takes: RGBA, [y, x, channel]. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

export type CellKind = "value" | "zero" | "masked" | "nan";

export function cellKind(matrix: Matrix, index: number): CellKind {
  const value = matrix.values[index]!;
  if (Number.isNaN(value)) return "nan";
  if (matrix.allowed?.[index] === 0 || value === -Infinity) return "masked";
  return value === 0 ? "zero" : "value";
}

/** Pixel edges of `count` cells over `size` pixels; [count + 1]. */
export function cellEdges(count: number, size: number): Int32Array {
  const edges = new Int32Array(count + 1);
  for (let i = 0; i <= count; i++) edges[i] = Math.round((i * size) / count);
  return edges;
}

/**
 * At most `size` rows and columns, each cell the largest magnitude of those it
 * stands for: attention is sparse, and a mean would fade its lines. NaN wins;
 * masked stays only where every cell is masked.
 */
export function reduceMatrix(matrix: Matrix, size: number): Matrix {
  const rows = Math.min(matrix.rows, size);
  const cols = Math.min(matrix.cols, size);
  if (rows === matrix.rows && cols === matrix.cols) return matrix;
  const values = new Float32Array(rows * cols);
  const allowed = new Uint8Array(rows * cols);
  for (let row = 0; row < matrix.rows; row++) {
    const toRow = Math.floor((row * rows) / matrix.rows) * cols;
    for (let col = 0; col < matrix.cols; col++) {
      const from = row * matrix.cols + col;
      if (cellKind(matrix, from) === "masked") continue;
      const to = toRow + Math.floor((col * cols) / matrix.cols);
      const value = matrix.values[from]!;
      const kept = values[to]!;
      const larger = Math.abs(value) > Math.abs(kept) || Number.isNaN(value);
      if (!allowed[to] || (larger && !Number.isNaN(kept))) values[to] = value;
      allowed[to] = 1;
    }
  }
  return { rows, cols, values, allowed };
}

/** Largest magnitude of each row, for the scale 'row'; [row]. */
export function rowMaxima(matrix: Matrix): Float32Array {
  const maxima = new Float32Array(matrix.rows);
  for (let row = 0; row < matrix.rows; row++) {
    for (let col = 0; col < matrix.cols; col++) {
      const magnitude = Math.abs(matrix.values[row * matrix.cols + col]!);
      if (magnitude > maxima[row]! && magnitude !== Infinity) {
        maxima[row] = magnitude;
      }
    }
  }
  return maxima;
}

/** The matrix on width x height device pixels. */
export function paintMatrix(
  whole: Matrix,
  width: number,
  height: number,
  style: MatrixStyle,
): Pixels {
  const matrix = reduceMatrix(whole, Math.max(1, Math.min(width, height)));
  const { rows, cols } = matrix;
  const data = new Uint8ClampedArray(width * height * 4);
  const colours = {
    ground: parseHex(style.palette.ground),
    hatch: parseHex(style.palette.hatch),
    quiet: parseHex(style.palette.quiet),
    alarm: parseHex(style.palette.alarm),
  };
  const maxima = style.scale === "row" ? rowMaxima(matrix) : undefined;
  const tops = cellEdges(rows, height);
  const lefts = cellEdges(cols, width);
  const hatchPeriod = Math.max(4, Math.round(6 * style.pixelRatio));
  const hatchWidth = Math.max(1, Math.round(style.pixelRatio));

  for (let row = 0; row < rows; row++) {
    const top = tops[row]!;
    const bottom = tops[row + 1]!;
    for (let col = 0; col < cols; col++) {
      const left = lefts[col]!;
      const right = lefts[col + 1]!;
      const index = row * cols + col;
      const kind = cellKind(matrix, index);
      let colour: Rgb = colours.ground;
      let at = 0;
      if (kind === "value") {
        const max = maxima ? maxima[row]! : style.domain.max;
        at = rampOffset(
          style.ramp,
          shade(matrix.values[index]!, max, style.scale),
        );
      } else if (kind === "zero") {
        at = rampOffset(style.ramp, 0);
      }
      if (kind === "value" || kind === "zero") {
        const table = style.ramp.table;
        colour = [table[at]!, table[at + 1]!, table[at + 2]!];
      }
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          let pixel = colour;
          if (kind === "masked" && (x + y) % hatchPeriod < hatchWidth) {
            pixel = colours.hatch;
          } else if (kind === "nan") {
            pixel = onCross(x - left, y - top, right - left, bottom - top)
              ? colours.ground
              : colours.alarm;
          } else if (
            kind === "zero" &&
            style.markZeros &&
            onDot(x - left, y - top, right - left, bottom - top, hatchWidth)
          ) {
            pixel = colours.quiet;
          }
          const to = (y * width + x) * 4;
          data[to] = pixel[0];
          data[to + 1] = pixel[1];
          data[to + 2] = pixel[2];
          data[to + 3] = 255;
        }
      }
    }
  }
  return { width, height, data };
}

/** Both diagonals of a cell; nothing in cells too small to show a cross. */
function onCross(x: number, y: number, width: number, height: number): boolean {
  if (width < 5 || height < 5) return false;
  const u = (x + 0.5) / width;
  const v = (y + 0.5) / height;
  const thickness = Math.max(0.06, 1 / Math.min(width, height));
  return Math.abs(u - v) < thickness || Math.abs(u + v - 1) < thickness;
}

/** A dot in the middle of a cell; nothing in cells too small for one. */
function onDot(
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
): boolean {
  if (width < 6 || height < 6) return false;
  return (
    Math.abs(x + 0.5 - width / 2) <= radius &&
    Math.abs(y + 0.5 - height / 2) <= radius
  );
}
