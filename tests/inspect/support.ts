// scripts/inspect for the tests: runs the command and reads what it wrote. Each
// test file has a folder of its own, removed at its end.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, expect } from "vitest";

// @ts-expect-error a script without types
import { fromNpy, toNpy } from "../../scripts/lib/inspect/npy.mjs";
import { root } from "../package/support/files.js";

export interface NumpyArray {
  readonly shape: number[];
  readonly data: Float32Array | BigInt64Array;
}
export const readNpy = fromNpy as (bytes: Uint8Array) => NumpyArray;
export const writeNpy = toNpy as (array: NumpyArray) => Uint8Array;

export const main = join(root, "scripts/lib/inspect/main.mjs");
export const engines = ["native", "wasm"];
export const folder = mkdtempSync(join(tmpdir(), "attnscope-"));
export const out = join(folder, "out.npz");

afterAll(() => {
  rmSync(folder, { recursive: true });
});

export function inspect(...words: string[]) {
  rmSync(out, { force: true });
  const command = [main, ...words, "--out", out];
  return spawnSync(process.execPath, command, { encoding: "utf8" });
}

/** The arrays that a command writes, by name. */
export function arraysOf(...words: string[]): Map<string, NumpyArray> {
  const { status, stderr } = inspect(...words);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  const files = Object.entries(unzipSync(readFileSync(out)));
  return new Map(
    files.map(([name, bytes]) => {
      expect(name).toMatch(/\.npy$/);
      return [name.slice(0, -4), readNpy(bytes)];
    }),
  );
}

export const numbers = (array: NumpyArray | undefined) =>
  Array.from<number | bigint, number>(array!.data, Number);
