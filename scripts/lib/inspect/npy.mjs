// NumPy's file formats: .npy for one array, .npz (a zip of them) for several.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

import { TextDecoder, TextEncoder } from "node:util";

import { zipSync } from "fflate";

const types = [
  { name: "<f4", array: Float32Array },
  { name: "<i8", array: BigInt64Array },
];

/** The bytes of a .npy file, version 1.0; two axes or more. */
export function toNpy({ shape, data }) {
  const { name } = types.find(({ array }) => data instanceof array);
  const dimensions = shape.join(", ");
  const header = `{'descr': '${name}', 'fortran_order': False, 'shape': (${dimensions}), }`;
  // The data starts at a multiple of 64 bytes; a newline ends the header.
  const start = Math.ceil((10 + header.length + 1) / 64) * 64;
  const bytes = new Uint8Array(start + data.byteLength);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
  new DataView(bytes.buffer).setUint16(8, start - 10, true);
  const padded = `${header.padEnd(start - 11)}\n`;
  bytes.set(new TextEncoder().encode(padded), 10);
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  bytes.set(raw, start);
  return bytes;
}

/** The array in a .npy file, of the types that are written here. */
export function fromNpy(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint16(8, true);
  const header = new TextDecoder().decode(bytes.subarray(10, 10 + size));
  const [, descr, dimensions] =
    /'descr': '([^']+)', 'fortran_order': False, 'shape': \(([^)]*)\)/.exec(
      header,
    );
  const { array } = types.find(({ name }) => name === descr);
  const shape = dimensions.split(",").map(Number);
  return { shape, data: new array(bytes.slice(10 + size).buffer) };
}

/** An .npz file of .npy files by array name, stored without compression. */
export function zipArrays(files) {
  const entries = [...files].map(([name, bytes]) => [`${name}.npy`, bytes]);
  return zipSync(Object.fromEntries(entries), { level: 0 });
}
