// Storage kinds through the package: what they take and what they keep.
import { afterAll, describe, expect, it } from "vitest";

import { compareRuns } from "attnscope";
import type { Model, Run, StorageKind } from "attnscope";

import { golden } from "./support/files.js";
import { faultOf, load, tiny, variants } from "./support/models.js";

const ids = [5, 7, 11, 13, 2, 30, 1, 9];
const loaded: Model[] = [];

async function loadAs(
  folder: string,
  storage?: StorageKind,
  options: object = {},
): Promise<Model> {
  const model = await load(
    folder,
    storage === undefined ? options : { storage, ...options },
  );
  loaded.push(model);
  return model;
}

afterAll(() => loaded.forEach((model) => model.dispose()));

function run(model: Model, options = {}): Promise<Run> {
  return model.run(ids, { allLogits: true, ...options });
}

describe("a storage kind", () => {
  it("is float32 unless told, and takes its bytes", async () => {
    const [plain, wide, brain, half, small] = await Promise.all([
      loadAs(tiny),
      loadAs(tiny, "float32"),
      loadAs(tiny, "bfloat16"),
      loadAs(tiny, "float16"),
      loadAs(tiny, "int8"),
    ]);
    expect(plain.storage).toBe("float32");
    expect(plain.storedBytes).toBe(wide.storedBytes);
    expect(plain.storedBytes).toBeGreaterThanOrEqual(
      4 * plain.config.numParameters,
    );
    expect(brain.storage).toBe("bfloat16");
    expect(half.storage).toBe("float16");
    expect(small.storage).toBe("int8");
    expect(half.storedBytes).toBe(brain.storedBytes);
    // A little more than a half and a quarter: norms stay, scales are added.
    expect(half.storedBytes / plain.storedBytes).toBeCloseTo(0.5, 2);
    const quarter = small.storedBytes / plain.storedBytes;
    expect(quarter).toBeGreaterThan(0.25);
    expect(quarter).toBeLessThan(0.28);
  });

  it.each(variants)(
    "bfloat16 gives the bits of float32 for a checkpoint of that type (%s)",
    async (variant) => {
      const folder = `${golden}/llama_tied_bf16`;
      const wide = await run(await loadAs(folder, "float32", { variant }));
      const brain = await run(await loadAs(folder, "bfloat16", { variant }));
      const { weight, logit } = await compareRuns(wide, brain);
      expect(weight.change).toBe(0);
      expect(logit?.change).toBe(0);
      expect((await brain.logits()).data).toEqual((await wide.logits()).data);
    },
  );

  it.each(["float64", "F16", "", null, 16] as unknown as StorageKind[])(
    "%s is refused",
    async (storage) => {
      const fault = await faultOf(load(tiny, { storage }));
      expect(fault.code).toBe("invalid-argument");
      expect(fault.message).toMatch(
        /^storage is .*; it must be float32, bfloat16, float16 or int8\.$/,
      );
    },
  );
});
