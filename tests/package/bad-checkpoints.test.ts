// Checkpoints are hostile input: truncated, oversized, lying, of the wrong kind
// or shape. Each is refused with its code and a message that names the thing;
// nothing crashes, and a model loaded before still works.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { loadModel, type Model } from "attnscope";

import { readJson, safetensorsOf } from "./support/files.js";
import { faultOf, load, tiny } from "./support/models.js";

const config = readJson<Record<string, unknown>>(join(tiny, "config.json"));
const file = new Uint8Array(readFileSync(join(tiny, "model.safetensors")));
const headerLength = Number(new DataView(file.buffer).getBigUint64(0, true));
const data = file.slice(8 + headerLength);

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}
type Header = Record<string, Entry>;

/** The good file with its header changed. */
function withHeader(change: (header: Header) => void): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(file.subarray(8, 8 + headerLength));
  const header = JSON.parse(text) as Header;
  change(header);
  return safetensorsOf(header, data);
}

const norm = "model.norm.weight";
const query = "model.layers.1.self_attn.q_proj.weight";

function loadWith(
  weights: Uint8Array<ArrayBuffer>,
  settings: Record<string, unknown> | string = config,
): Promise<Model> {
  const json =
    typeof settings === "string" ? settings : JSON.stringify(settings);
  const files = new Map([
    ["config.json", new Blob([json])],
    ["model.safetensors", new Blob([weights])],
  ]);
  return loadModel(files, { worker: false });
}

let earlier: Model;
beforeAll(async () => {
  earlier = await load(tiny);
});
afterAll(() => {
  earlier.dispose();
});

describe("weights", () => {
  it("as they are, load", async () => {
    using model = await loadWith(file);
    expect(model.config.vocabularySize).toBe(64);
    using same = await loadWith(withHeader(() => undefined));
    const logits = async (of: Model) =>
      (await (await of.run([1])).logits()).data;
    expect(await logits(same)).toEqual(await logits(model));
  });

  it.each<[string, Uint8Array<ArrayBuffer>, string, RegExp]>([
    ["empty", new Uint8Array(0), "not-safetensors", /model\.safetensors/],
    [
      "of seven bytes",
      file.slice(0, 7),
      "not-safetensors",
      /model\.safetensors/,
    ],
    ["a picture", new Uint8Array(999).fill(0x89), "not-safetensors", /./],
    ["cut in the header", file.slice(0, 100), "truncated", /./],
    ["cut in the data", file.slice(0, -1), "truncated", /./],
    ["with a byte too many", new Uint8Array([...file, 0]), "oversized", /./],
    [
      "with a header that is not JSON",
      safetensorsOf("{".repeat(200), data),
      "not-safetensors",
      /./,
    ],
    [
      "with offsets outside",
      withHeader((header) => {
        header[norm]!.data_offsets[1] += 4;
      }),
      "corrupt-header",
      /model\.norm\.weight/,
    ],
    [
      "with offsets turned round",
      withHeader((header) => {
        header[norm]!.data_offsets.reverse();
      }),
      "corrupt-header",
      /model\.norm\.weight/,
    ],
    [
      "with a shape whose product overflows",
      withHeader((header) => {
        header[norm]!.shape = [2 ** 32, 2 ** 32, 2 ** 32];
      }),
      "corrupt-header",
      /model\.norm\.weight/,
    ],
    [
      "with a negative length",
      withHeader((header) => {
        header[norm]!.shape = [-48];
      }),
      "corrupt-header",
      /model\.norm\.weight/,
    ],
    [
      "of whole numbers",
      withHeader((header) => {
        header[query]!.dtype = "I32";
      }),
      "unsupported-dtype",
      /model\.layers\.1\.self_attn\.q_proj\.weight.*I32/,
    ],
    [
      "without a tensor",
      withHeader((header) => {
        header["some.other.name"] = header[query]!;
        delete header[query];
      }),
      "missing-tensor",
      /model\.layers\.1\.self_attn\.q_proj\.weight/,
    ],
    [
      "with a tensor of another shape",
      withHeader((header) => {
        header[query]!.shape.reverse();
        header[query]!.shape[0]! *= 2;
        header[query]!.shape[1]! /= 2;
      }),
      "wrong-shape",
      /model\.layers\.1\.self_attn\.q_proj\.weight/,
    ],
  ])("%s", async (_, weights, code, message) => {
    const fault = await faultOf(loadWith(weights));
    expect(fault.code).toBe(code);
    expect(fault.message).toMatch(message);
    expect(fault.message).toContain("model.safetensors");
  });
});

describe("settings", () => {
  it.each<[string, Record<string, unknown> | string, string, RegExp]>([
    ["empty", "", "invalid-config", /config\.json/],
    ["not JSON", "{", "invalid-config", /config\.json/],
    ["a list", "[]", "invalid-config", /config\.json/],
    [
      "of an unknown architecture",
      { ...config, model_type: "mamba" },
      "unsupported-architecture",
      /mamba/,
    ],
    [
      "of an unknown activation",
      { ...config, hidden_act: "swish_squared" },
      "unsupported-setting",
      /swish_squared/,
    ],
    [
      "with heads that do not divide",
      { ...config, num_key_value_heads: 5 },
      "invalid-config",
      /5/,
    ],
    [
      "with a size as text",
      { ...config, hidden_size: "48" },
      "invalid-config",
      /hidden_size/,
    ],
    [
      "without a size",
      { ...config, vocab_size: undefined },
      "invalid-config",
      /vocab_size/,
    ],
    [
      "of an absurd size",
      { ...config, intermediate_size: 1e15 },
      "invalid-config",
      /intermediate_size/,
    ],
    [
      "of another model's sizes",
      { ...config, hidden_size: 96 },
      "wrong-shape",
      /shape/,
    ],
  ])("%s", async (_, settings, code, message) => {
    const fault = await faultOf(loadWith(file, settings));
    expect(fault.code).toBe(code);
    expect(fault.message).toMatch(message);
  });
});

describe("a model above the memory limit", () => {
  const memoryLimit = 128 * 1024; // its 41,712 parameters take 163 KB

  it("is refused with both numbers, before any weight is read", async () => {
    const stages: string[] = [];
    const fault = await faultOf(
      load(tiny, {
        memoryLimit,
        onProgress: ({ stage }) => stages.push(stage),
      }),
    );
    expect(fault.code).toBe("out-of-memory");
    expect(fault.message).toMatch(
      /config\.json: the model needs \d+(\.\d)? KB, the limit here is 128 KB\.$/i,
    );
    expect(stages).not.toContain("weights");
  });

  it("of the engine itself is refused", async () => {
    const fault = await faultOf(
      loadWith(file, { ...config, vocab_size: 2 ** 22, hidden_size: 1536 }),
    );
    expect(fault.code).toBe("out-of-memory");
    expect(fault.message).toMatch(
      /The model needs 4[89](\.\d)? GB, the limit here is 4 GB\.$/,
    );
  });

  it.each([-1, 0.5, NaN, Infinity, "4 GB" as unknown as number])(
    "that is %s is refused",
    async (limit) => {
      const fault = await faultOf(load(tiny, { memoryLimit: limit }));
      expect(fault.code).toBe("invalid-argument");
      expect(fault.message).toMatch(/^memoryLimit is /);
    },
  );
});

describe("a run too large for the memory", () => {
  it("is an error, and the model works on", async () => {
    const places = 16_000_000;
    const settings = { ...config, max_position_embeddings: places };
    using model = await loadWith(file, settings);
    const fault = await faultOf(model.run([1], { capacity: places }));
    expect(fault.code).toBe("out-of-memory");
    expect(fault.message).toMatch(/KV cache .* the limit here is 4 GB\.$/);
    expect((await model.run([1, 2])).tokens).toHaveLength(2);
  });

  it("is measured by the limit that the model was loaded with", async () => {
    using model = await load(tiny, { memoryLimit: 192 * 1024 });
    const fault = await faultOf(model.run([1, 2], { capacity: 32 }));
    expect(fault.code).toBe("out-of-memory");
    expect(fault.message).toMatch(
      /needs \d+(\.\d)? KB \(KV cache .*\) beside the model's 163 KB, the limit here is 192 KB\.$/,
    );
  });
});

describe("after all these failures", () => {
  it("a model loaded before still works", async () => {
    const run = await earlier.run([1, 2, 3]);
    expect((await run.weights(0, 0)).shape).toEqual([3, 3]);
  });
});
