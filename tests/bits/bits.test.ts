// The 128-bit native build without fused multiply-add and the simd128
// WebAssembly module compute the same bits: every tensor of a whole forward
// pass and every logit, for each family. Runs the engines of scripts/inspect.
import { mkdtempSync, rmSync } from "node:fs";
import { arch, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// @ts-expect-error a script without types
import { runNative } from "../../scripts/lib/inspect/native-engine.mjs";
// @ts-expect-error a script without types
import { fromNpy } from "../../scripts/lib/inspect/npy.mjs";
// @ts-expect-error a script without types
import { runWasm } from "../../scripts/lib/inspect/wasm-engine.mjs";
import {
  families,
  noise,
  writeRandomModel,
} from "../package/support/random-model.js";

interface Job {
  readonly folder: string;
  readonly ids: readonly number[];
  readonly attentionMask?: readonly number[];
  readonly greedy: number;
  readonly tensors: readonly string[];
  readonly storage?: string;
  readonly variant?: string;
}
type Engine = (job: Job) => Promise<Map<string, Uint8Array>>;

const native = runNative as Engine;
const wasm = runWasm as Engine;
const readNpy = fromNpy as (bytes: Uint8Array) => {
  shape: number[];
  data: Float32Array | BigInt64Array;
};

/** Names of arrays whose bytes differ, and where first. */
function differences(
  a: Map<string, Uint8Array>,
  b: Map<string, Uint8Array>,
): string[] {
  return [...a].flatMap(([name, bytes]) => {
    const others = b.get(name);
    const at = others ? Buffer.compare(bytes, others) : 1;
    if (at === 0) return [];
    const [x, y] = [readNpy(bytes).data, others && readNpy(others).data];
    const first = x.findIndex((value, i) => !Object.is(value, y?.[i]));
    return [`${name}[${first}]: ${x[first]} and ${y?.[first]}`];
  });
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "attnscope-"));
  process.env["ATTNSCOPE_VARIANT"] = "sse4_2";
});
afterAll(() => {
  delete process.env["ATTNSCOPE_VARIANT"];
  rmSync(folder, { recursive: true });
});

const random = noise(1);
// More than a block of keys of the streaming execution.
const ids = Array.from({ length: 150 }, () =>
  Math.floor(101 * (random() + 0.5)),
);

describe.skipIf(arch() !== "x64")("native SSE4.2 and simd128", () => {
  const names = Object.keys(families) as (keyof typeof families)[];

  it.each(names)("%s: the same bits everywhere", async (family) => {
    const job = {
      folder: join(folder, family),
      ids,
      greedy: 20, // by the streaming execution, with the cache
      tensors: ["all"],
      variant: "simd128",
    };
    writeRandomModel(family, job.folder, 7);
    const [a, b] = [await native(job), await wasm(job)];
    expect([...a.keys()]).toEqual([...b.keys()]);
    expect(a.size).toBeGreaterThan(20);
    expect(differences(a, b)).toEqual([]);
    // The run is no trivial one: attention looks at more than one key.
    const weights = readNpy(a.get("attentions.1")!).data as Float32Array;
    const inside = weights.filter((weight) => weight > 0.01 && weight < 0.99);
    expect(inside.length).toBeGreaterThan(100);
  });

  it.each(names)("%s: with padding too", async (family) => {
    const job = {
      folder: join(folder, family),
      ids,
      attentionMask: ids.map((_, i) => (i < 3 || i === 20 ? 0 : 1)),
      greedy: 3,
      tensors: ["all"],
      variant: "simd128",
    };
    writeRandomModel(family, job.folder, 8);
    expect(differences(await native(job), await wasm(job))).toEqual([]);
  });

  it.each(
    names.flatMap((family) =>
      ["bfloat16", "float16", "int8"].map((storage) => [family, storage]),
    ) as [keyof typeof families, string][],
  )("%s stored as %s: the same bits too", async (family, storage) => {
    const job = {
      folder: join(folder, family),
      ids,
      greedy: 3,
      tensors: ["all"],
      variant: "simd128",
    };
    writeRandomModel(family, job.folder, 9);
    const stored = await native({ ...job, storage });
    expect(differences(stored, await wasm({ ...job, storage }))).toEqual([]);
    // The kind reached the engine: its numbers are not those of float32.
    expect(differences(stored, await native(job))).not.toEqual([]);
  });

  it("would notice one bit", async () => {
    const job = { folder: join(folder, "llama"), ids, greedy: 0, tensors: [] };
    writeRandomModel("llama", job.folder, 7);
    const a = await native(job);
    const b = new Map(a);
    const changed = Uint8Array.from(a.get("logits")!);
    changed[changed.length - 4]! ^= 1;
    b.set("logits", changed);
    expect(differences(a, b)).toHaveLength(1);
  });
});
