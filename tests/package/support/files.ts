// Where the tests' data lies, and safetensors files read and made. Data that
// lies beside the checkout may be absent; suites then skip and say so.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

export const root = resolve(import.meta.dirname, "../../..");
export const golden = join(root, "tests/golden");
export const tales = join(root, "web/public/models/tales");
export const bridge = join(root, "web/public/models/bridge");
export const echo = join(root, "web/public/models/echo");
const shared =
  process.env["ATTNSCOPE_SHARED_DIR"] ?? resolve(root, "../shared");

/** A folder of the data beside the checkout, or undefined, said aloud. */
export function sharedFolder(name: string): string | undefined {
  const folder = join(shared, name);
  if (existsSync(folder)) return folder;
  console.warn(
    `skipped: ${folder} is not there (ATTNSCOPE_SHARED_DIR says where)`,
  );
  return undefined;
}

export function urlOf(folder: string): URL {
  return pathToFileURL(folder);
}

export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8")) as T;
}

/** A folder's files as a page gets them from a drop. */
export function blobsOf(folder: string): Map<string, Blob> {
  const files = readdirSync(folder, { withFileTypes: true });
  return new Map(
    files
      .filter((file) => file.isFile())
      .map(({ name }) => [name, new Blob([readFileSync(join(folder, name))])]),
  );
}

export interface StoredTensor {
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

/** F32 and I64 tensors of a safetensors file by name. */
export function readSafetensors(path: string): Map<string, StoredTensor> {
  const bytes = readFileSync(path);
  const headerLength = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(
    bytes.toString("utf8", 8, 8 + headerLength),
  ) as Record<string, Entry>;
  const tensors = new Map<string, StoredTensor>();
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const [begin, end] = entry.data_offsets;
    // A copy, since the elements may start at any byte of the file.
    const raw = new Uint8Array(
      bytes.subarray(8 + headerLength + begin, 8 + headerLength + end),
    ).buffer;
    const data =
      entry.dtype === "I64"
        ? Array.from(new BigInt64Array(raw), Number)
        : Array.from(new Float32Array(raw));
    tensors.set(name, { shape: entry.shape, data });
  }
  return tensors;
}

/** A safetensors file: its header as given, then data. */
export function safetensorsOf(
  header: object | string,
  data: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const text = typeof header === "string" ? header : JSON.stringify(header);
  const json = new TextEncoder().encode(text);
  const bytes = new Uint8Array(8 + json.length + data.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true);
  bytes.set(json, 8);
  bytes.set(data, 8 + json.length);
  return bytes;
}

/** The largest |a - b|; throws if the lengths differ. */
export function largestDifference(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
): number {
  if (a.length !== b.length) {
    throw new Error(`${a.length} numbers against ${b.length}`);
  }
  let largest = 0;
  for (let i = 0; i < a.length; ++i) {
    const difference = Math.abs(a[i]! - b[i]!);
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}
