// Puts pixels on a canvas that is `width` x `height` CSS pixels large, one
// device pixel each. The only place that touches a canvas.

import type { Pixels } from "../pictures/matrix.js";

export function putPixels(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  paint: (deviceWidth: number, deviceHeight: number, ratio: number) => Pixels,
): void {
  const ratio = window.devicePixelRatio || 1;
  const pixels = paint(
    Math.max(1, Math.round(width * ratio)),
    Math.max(1, Math.round(height * ratio)),
    ratio,
  );
  canvas.width = pixels.width;
  canvas.height = pixels.height;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas
    .getContext("2d")!
    .putImageData(
      new ImageData(pixels.data, pixels.width, pixels.height),
      0,
      0,
    );
}
