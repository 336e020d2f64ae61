// The package as others get it: packed, installed into an empty folder and used there by plain node.
// What it computes is tested in tests/package.

import { execFileSync } from "node:child_process";
import {
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "attnscope-install-"));
const installed = join(folder, "node_modules/attnscope");

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: folder, encoding: "utf8" });
}

beforeAll(() => {
  const [{ filename }] = JSON.parse(
    run("npm", "pack", join(root, "wasm"), "--json"),
  ) as { filename: string }[];
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  run("npm", "install", "--prefer-offline", "--no-audit", `./${filename}`);
});

afterAll(() => rmSync(folder, { recursive: true }));

test("an outside program loads a model and reads a head's weights", () => {
  const program = `
    import { openAsBlob } from "node:fs";
    import { loadModel } from "attnscope";

    const files = new Map();
    for (const name of ["config.json", "tokenizer.json", "model.safetensors"])
      files.set(name, await openAsBlob(process.argv[2] + "/" + name));
    const model = await loadModel(files);
    const run = await model.run("Once upon a time");
    const { shape, data } = await run.weights(0, 0);
    console.log(JSON.stringify({ shape, row: Array.from(data.subarray(0, shape[1])) }));
    model.dispose();`;
  writeFileSync(join(folder, "program.mjs"), program);
  const tales = join(root, "web/public/models/tales");
  const { shape, row } = JSON.parse(run("node", "program.mjs", tales)) as {
    shape: number[];
    row: number[];
  };
  expect(shape[0]).toBeGreaterThan(1);
  expect(shape[1]).toBe(shape[0]);
  expect(row).toEqual([1, ...Array<number>(shape[1]! - 1).fill(0)]);
});

test("importing it has no effect of its own", () => {
  const globals = "Object.getOwnPropertyNames(globalThis).length";
  const program = `const before = ${globals}; await import("attnscope"); console.log(${globals} - before)`;
  expect(run("node", "--input-type=module", "--eval", program).trim()).toBe(
    "0",
  );
});

test("a page loads less than 600 KB of code for a variant, and the whole package is below 2 MB", () => {
  const files = readdirSync(join(installed, "dist"), {
    recursive: true,
  }) as string[];
  const bytes = (name: string) => statSync(join(installed, "dist", name)).size;
  const sum = (names: string[]) =>
    names.reduce((total, name) => total + bytes(name), 0);
  const code = files.filter((name) => name.endsWith(".js"));
  for (const variant of ["simd128", "relaxed", "scalar"]) {
    const modules = [`attnscope-${variant}.mjs`, `attnscope-${variant}.wasm`];
    expect(sum([...code, ...modules])).toBeLessThan(600_000);
  }
  expect(sum(files)).toBeLessThan(2_000_000);
});
