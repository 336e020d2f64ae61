// Where a checkpoint comes from: http folders, files in hand, and everything
// that may come in a file's place. A failed load leaves other models working.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  loadModel,
  type CheckpointSource,
  type LoadProgress,
  type Model,
} from "attnscope";

import { cut, filesOf } from "./support/checkpoint-files.js";
import { FileServer } from "./support/file-server.js";
import { blobsOf, tales, urlOf } from "./support/files.js";
import { faultOf, load, tiny } from "./support/models.js";
import { bytes, page, serve, type TestServer } from "./support/server.js";

const read = (name: string) => readFileSync(join(tiny, name));
const local = { worker: false } as const;

let earlier: Model;
let server: TestServer;

beforeAll(async () => {
  earlier = await load(tiny);
  const config = bytes(read("config.json"));
  const weights = bytes(read("model.safetensors"));
  server = await serve({
    "/good/config.json": config,
    "/good/model.safetensors": weights,
    "/gzip/config.json": config,
    "/gzip/model.safetensors": bytes(read("model.safetensors"), {
      "content-encoding": "identity",
    }),
    "/spa/config.json": page(200),
    "/spa/model.safetensors": page(200),
    "/half/config.json": config,
    "/half/model.safetensors": page(200),
    "/plain/config.json": config,
    "/plain/model.safetensors": bytes("<!doctype html><p>x".repeat(99)),
    "/optional/config.json": config,
    "/optional/model.safetensors": weights,
    "/optional/tokenizer.json": page(200),
    "/broken/config.json": config,
    "/broken/model.safetensors": (response) => {
      response.writeHead(200, { "content-length": 1_000_000 });
      response.write(read("model.safetensors").subarray(0, 20_000), () => {
        response.destroy();
      });
    },
    "/failing/config.json": (response) => {
      response.writeHead(500).end();
    },
    "/slow/config.json": config,
    "/slow/model.safetensors": (response) => {
      response.writeHead(200, { "content-length": 1_000_000 });
      response.write(read("model.safetensors").subarray(0, 20_000));
    },
  });
});
afterAll(() => {
  server.close();
  earlier.dispose();
});

describe("a folder", () => {
  it.each(["/good", "/good/", "/good/?version=2#x"])(
    "by http, as %s",
    async (path) => {
      using model = await loadModel(server.origin + path, local);
      expect(model.hasTokenizer).toBe(false);
      const run = await model.run([1, 2]);
      expect(run.tokens[0]).toMatchObject({ id: 1, text: "1" });
    },
  );

  it("tells its progress in bytes", async () => {
    const seen: LoadProgress[] = [];
    using model = await loadModel(`${server.origin}/good`, {
      ...local,
      onProgress: (progress) => seen.push(progress),
    });
    expect(model.config.numParameters).toBeGreaterThan(0);
    const total = read("model.safetensors").length;
    const weights = seen.filter(({ stage }) => stage === "weights");
    expect(weights[0]).toEqual({ stage: "weights", loaded: 0, total });
    expect(weights.at(-1)).toEqual({ stage: "weights", loaded: total, total });
    const counts = weights.map(({ loaded }) => loaded);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(seen.at(-1)?.stage).toBe("ready");
    const stages = new Set(seen.map(({ stage }) => stage));
    expect([...stages].sort()).toEqual([
      "config",
      "module",
      "ready",
      "weights",
    ]);
  });

  it("has no known size when the bytes are encoded on the way", async () => {
    const seen: LoadProgress[] = [];
    using model = await loadModel(`${server.origin}/gzip`, {
      ...local,
      onProgress: (progress) => seen.push(progress),
    });
    expect(model.config.modelType).toBe("llama");
    const weights = seen.filter(({ stage }) => stage === "weights");
    expect(weights.every(({ total }) => total === undefined)).toBe(true);
  });

  it("of files in hand", async () => {
    using model = await loadModel(blobsOf(tales), local);
    expect(model.hasTokenizer).toBe(true);
    const text = "the cat the cat";
    const run = await model.run(text);
    expect(run.tokens.map((token) => token.text).join("")).toBe(text);
    expect(run.tokens).toHaveLength(model.tokenize(text).length);
  });

  it("without tokenizer where a page comes in its place", async () => {
    using model = await loadModel(`${server.origin}/optional`, local);
    expect(model.hasTokenizer).toBe(false);
  });
});

describe("files in hand, with folders", () => {
  const under = (folder: string, files = blobsOf(tiny)) =>
    new Map([...files].map(([name, blob]) => [`${folder}${name}`, blob]));

  it.each(["model/", "/model/", "outer/inner/"])("in %s", async (folder) => {
    using model = await loadModel(under(folder), local);
    const run = await model.run([1, 2, 3]);
    using same = await load(tiny);
    expect(await run.weights(0, 0)).toEqual(
      await (await same.run([1, 2, 3])).weights(0, 0),
    );
  });

  it("are those beside the config.json that lies least deep", async () => {
    const other = under("model/onnx/", blobsOf(tales));
    const files = new Map([...other, ...under("model/")]);
    using model = await loadModel(files, local);
    expect(model.config.vocabularySize).toBe(64);
    expect(model.hasTokenizer).toBe(false);
  });

  it("of two checkpoints are refused, naming both", async () => {
    const files = new Map([...under("a/"), ...under("b/")]);
    const fault = await faultOf(loadModel(files, local));
    expect(fault.code).toBe("invalid-argument");
    expect(fault.message).toMatch(/a\/config\.json, b\/config\.json/);
  });

  it("that are no blobs are refused", async () => {
    const files = new Map([["config.json", "{}" as unknown as Blob]]);
    const fault = await faultOf(loadModel(files, local));
    expect(fault.code).toBe("invalid-argument");
    expect(fault.message).toMatch(/config\.json is '\{\}'; it must be a Blob/);
  });
});

describe("weights in several files", () => {
  const parts = cut(filesOf(tiny), 3);
  const size = [...parts]
    .filter(([name]) => /^model-.*\.safetensors$/.test(name))
    .reduce((sum, [, bytes]) => sum + bytes.length, 0);
  const inHand = (changed: Iterable<[string, string | Buffer | undefined]>) => {
    const files = new Map<string, Blob>();
    for (const [name, bytes] of [...parts, ...changed]) {
      if (bytes === undefined) files.delete(name);
      else files.set(name, new Blob([bytes as BlobPart]));
    }
    return files;
  };
  let hub: FileServer;

  beforeAll(async () => {
    hub = await FileServer.start();
    hub.add("/folder/", parts);
    hub.add("/owner/name/resolve/main/", parts);
  });
  afterAll(() => hub.stop());

  it.each<[string, () => CheckpointSource]>([
    ["a folder by URL", () => `${hub.origin}/folder`],
    ["a repository of the hub", () => ({ hub: "owner/name" })],
    ["files in hand", () => inHand([])],
  ])("of %s", async (_, source) => {
    const seen: LoadProgress[] = [];
    using model = await loadModel(source(), {
      ...local,
      hubBase: hub.origin,
      onProgress: (progress) => seen.push(progress),
    });
    using whole = await load(tiny);
    const logits = async (one: Model) =>
      (await (await one.run([1, 2, 3])).logits()).data;
    expect(await logits(model)).toEqual(await logits(whole));
    const weights = seen.filter(({ stage }) => stage === "weights");
    expect(weights[0]).toEqual({ stage: "weights", loaded: 0, total: size });
    expect(weights.at(-1)).toMatchObject({ loaded: size, total: size });
  });

  it("that are on the server beside one file give way to that one", async () => {
    hub.add("/both/", parts);
    hub.add("/both/", filesOf(tiny));
    using model = await loadModel(`${hub.origin}/both`, local);
    expect(model.config.modelType).toBe("llama");
    expect(hub.askedFor("/both/model.safetensors.index.json")).toEqual([]);
  });

  const second = "model-00002-of-00003.safetensors";

  it("one of which is missing: it is named before anything is downloaded", async () => {
    hub.add("/less/", parts);
    hub.files.delete(`/less/${second}`);
    const fault = await faultOf(loadModel(`${hub.origin}/less`, local));
    expect(fault.code).toBe("fetch-failed");
    expect(fault.message).toMatch(
      /less\/model-00002-of-00003\.safetensors is not there \(HTTP 404/,
    );
    const gets = hub
      .askedFor(".safetensors")
      .filter(
        ({ method, path }) =>
          method === "GET" && path.startsWith("/less/model-"),
      );
    expect(gets).toEqual([]);
  });

  it("one of which was not given", async () => {
    const fault = await faultOf(
      loadModel(inHand([[second, undefined]]), local),
    );
    expect(fault.code).toBe("fetch-failed");
    expect(fault.message).toMatch(
      /model-00002.* is missing; given: .*model-00001/,
    );
  });

  it("one of which ends early is named", async () => {
    const short = parts.get(second)!.subarray(0, -4);
    const fault = await faultOf(loadModel(inHand([[second, short]]), local));
    expect(fault.code).toBe("truncated");
    expect(fault.message).toContain(second);
  });

  const index = (map: unknown) => JSON.stringify({ weight_map: map });

  it.each([
    ["no JSON", "{", /not JSON/],
    ["null", "null", /weight_map is missing/],
    ["without a map", "{}", /weight_map is missing/],
    ["a list", index([second]), /weight_map is missing, or no object/],
    ["an empty map", index({}), /names 0 files/],
    ["a number", index({ "lm_head.weight": 3 }), /lm_head\.weight.* is in 3/],
    ["a list for a name", index({ a: [second] }), /\["model-00002/],
    ["a path", index({ a: `sub/${second}` }), /"sub\/model-00002/],
    ["a path above", index({ a: `../${second}` }), /"\.\.\/model/],
    ["an absolute path", index({ a: `/${second}` }), /"\/model/],
    ["an address", index({ a: `https://x/${second}` }), /"https:/],
    ["a Windows path", index({ a: `..\\\\${second}` }), /model-00002/],
    ["an escape", index({ a: `%2e%2e%2f${second}` }), /"%2e/],
    ["a query", index({ a: `a.safetensors?${second}` }), /"a\.safetensors\?/],
    ["another file", index({ a: "config.json" }), /"config\.json"/],
    ["a hidden file", index({ a: "..safetensors" }), /"\.\.safetensors"/],
    [
      "too many files",
      index(
        Object.fromEntries(
          Array.from({ length: 1001 }, (_, i) => [i, `${i}.safetensors`]),
        ),
      ),
      /names 1001 files/,
    ],
  ])("whose index is %s: refused, naming it", async (_, json, message) => {
    const files = inHand([["model.safetensors.index.json", json]]);
    const fault = await faultOf(loadModel(files, local));
    expect(fault.code).toBe("invalid-config");
    expect(fault.message).toContain("model.safetensors.index.json: ");
    expect(fault.message).toMatch(message);
  });
});

describe("a file that cannot be had", () => {
  it.each([
    ["/nothing", /\/nothing\/config\.json.*404/],
    ["/spa", /\/spa\/config\.json.*HTML/],
    ["/half", /\/half\/model\.safetensors.*HTML/],
    ["/broken", /\/broken\/model\.safetensors.*broke off/],
    ["/failing", /\/failing\/config\.json.*500/],
  ])("%s: the error names its URL and what came", async (path, message) => {
    const fault = await faultOf(loadModel(server.origin + path, local));
    expect(fault.code).toBe("fetch-failed");
    expect(fault.message).toMatch(message);
  });

  it("a page without its type is not safetensors", async () => {
    const fault = await faultOf(loadModel(`${server.origin}/plain`, local));
    expect(fault.code).toBe("not-safetensors");
    expect(fault.message).toContain("/plain/model.safetensors");
  });

  it("a server that is not there", async () => {
    const fault = await faultOf(loadModel("http://127.0.0.1:1/x", local));
    expect(fault.code).toBe("fetch-failed");
    expect(fault.message).toContain("http://127.0.0.1:1/x/");
  });

  it("a folder on disk that is not there", async () => {
    const fault = await faultOf(loadModel(urlOf("/not/there"), local));
    expect(fault.code).toBe("fetch-failed");
    expect(fault.message).toContain("/not/there/config.json");
  });

  it("a file that was not given", async () => {
    const files = blobsOf(tiny);
    files.delete("model.safetensors");
    const fault = await faultOf(loadModel(files, local));
    expect(fault.code).toBe("fetch-failed");
    expect(fault.message).toMatch(
      /model\.safetensors is missing.*config\.json/,
    );
  });

  it("an address that is none", async () => {
    const fault = await faultOf(loadModel("models/tales", local));
    expect(fault.code).toBe("invalid-argument");
    expect(fault.message).toContain("models/tales");
  });
});

describe("cancelling", () => {
  it("ends a load under way", async () => {
    const controller = new AbortController();
    const work = loadModel(`${server.origin}/slow`, {
      ...local,
      signal: controller.signal,
      onProgress: ({ stage, loaded }) => {
        if (stage === "weights" && loaded > 0) controller.abort();
      },
    });
    expect(await faultOf(work)).toMatchObject({ code: "aborted" });
  });

  it("refuses to begin", async () => {
    const signal = AbortSignal.abort();
    const work = loadModel(`${server.origin}/good`, { ...local, signal });
    expect(await faultOf(work)).toMatchObject({ code: "aborted" });
  });
});

describe("a tokenizer that does not fit", () => {
  it("is a clear error naming both sizes", async () => {
    const files = blobsOf(tiny); // a vocabulary of 64
    files.set("tokenizer.json", blobsOf(tales).get("tokenizer.json")!);
    const fault = await faultOf(loadModel(files, local));
    expect(fault.code).toBe("tokenizer-mismatch");
    expect(fault.message).toMatch(/2047.*63/);
  });

  it("is found before the weights are read", async () => {
    const files = blobsOf(tiny);
    files.set("tokenizer.json", blobsOf(tales).get("tokenizer.json")!);
    files.set("model.safetensors", new Blob(["nothing of use"]));
    const fault = await faultOf(loadModel(files, local));
    expect(fault.code).toBe("tokenizer-mismatch");
  });

  it("is named when it is no tokenizer at all", async () => {
    const files = blobsOf(tiny);
    files.set("tokenizer.json", new Blob(["{}"]));
    const fault = await faultOf(loadModel(files, local));
    expect(fault.code).toBe("invalid-tokenizer");
    expect(fault.message).toContain("tokenizer.json");
  });
});

describe("after all these failures", () => {
  it("a model loaded before still works", async () => {
    const run = await earlier.run([1, 2, 3]);
    expect((await run.weights(0, 0)).shape).toEqual([3, 3]);
  });
});
