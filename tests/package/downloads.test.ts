// Downloads over connections as they are: redirects, breaks, silence, servers
// without ranges, files that change. The requests that the server saw tell
// whether a load went on where it stopped. What the browser keeps is in
// checkpoint-cache.test.ts.
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import {
  loadModel,
  type CheckpointSource,
  type LoadOptions,
  type LoadProgress,
} from "attnscope";

import { filesOf } from "./support/checkpoint-files.js";
import { FileServer } from "./support/file-server.js";
import { faultOf, load, tiny } from "./support/models.js";

const files = filesOf(tiny);
const weights = files.get("model.safetensors")!;
const path = "/folder/model.safetensors";

let server: FileServer;

beforeEach(async () => {
  server = await FileServer.start();
  server.add("/folder/", files);
});
afterEach(() => server.stop());

/** Loads on the calling thread and compares with the folder on disk. */
async function loadRight(
  source: CheckpointSource,
  options: LoadOptions = {},
): Promise<LoadProgress[]> {
  const seen: LoadProgress[] = [];
  using model = await loadModel(source, {
    worker: false,
    onProgress: (progress) => seen.push(progress),
    ...options,
  });
  using right = await load(tiny);
  const numbers = async (model: Awaited<ReturnType<typeof loadModel>>) =>
    (await (await model.run([1, 2, 3])).logits()).data;
  expect(await numbers(model)).toEqual(await numbers(right));
  return seen.filter(({ stage }) => stage === "weights");
}

const folder = () => `${server.origin}/folder`;
const ranges = () => server.askedFor(path).map(({ range }) => range);

describe("a connection that breaks", () => {
  it("is made again from where it broke, as often as bytes come", async () => {
    const breaks = [20_000, 1, 50_000, 7, 30_000, 100, 10_000];
    server.fault(path, { breaks: [...breaks] });
    const seen = await loadRight(folder());
    let sum = 0;
    const starts = breaks.map((size) => `bytes=${(sum += size)}-`);
    expect(ranges()).toEqual([undefined, ...starts]);
    expect(seen.at(-1)).toMatchObject({
      loaded: weights.length,
      total: weights.length,
    });
  });

  it("is given up when nothing more comes, and the error says how far it got", async () => {
    server.fault(path, { breaks: [20_000, 0, 0, 0, 0, 0] });
    const fault = await faultOf(loadModel(folder(), { worker: false }));
    expect(fault.code).toBe("fetch-failed");
    expect(fault.message).toMatch(
      new RegExp(
        `${path} broke off after 20000 of ${weights.length} bytes, and asking again 4 times`,
      ),
    );
    expect(ranges()).toEqual([undefined, ...Array(4).fill("bytes=20000-")]);
  });

  it("is skipped up to where it broke by a server without ranges", async () => {
    server.fault(path, { breaks: [20_000, 30_000], ignoresRanges: true });
    await loadRight(folder());
    expect(ranges()).toEqual([undefined, "bytes=20000-", "bytes=30000-"]);
  });

  it("waits for a server that is out of order for a moment", async () => {
    server.fault(path, { breaks: [20_000] });
    const seen: number[] = [];
    await loadRight(folder(), {
      onProgress: ({ stage, loaded }) => {
        if (stage !== "weights" || loaded === 0) return;
        if (seen.length === 0) server.faults.get(path)!.statuses = [503, 503];
        seen.push(loaded);
      },
    });
    expect(ranges()).toEqual([undefined, ...Array(3).fill("bytes=20000-")]);
  });

  it("does not join two versions of a file", async () => {
    server.fault(path, { breaks: [20_000] });
    const fault = await faultOf(
      loadModel(folder(), {
        worker: false,
        onProgress: ({ stage, loaded }) => {
          if (stage !== "weights" || loaded === 0) return;
          const other = Buffer.from(weights);
          other[weights.length - 1]! ^= 1;
          server.files.set(path, other);
        },
      }),
    );
    expect(fault.code).toBe("fetch-failed");
    expect(fault.message).toMatch(/model\.safetensors changed on the server/);
  });

  it("goes on without ETag and date while the size stays", async () => {
    const headers = { etag: undefined };
    server.fault(path, { breaks: [20_000], headers });
    await loadRight(folder());
    expect(ranges()).toEqual([undefined, "bytes=20000-"]);
  });
});

describe("a server that is slow", () => {
  it("is waited for as long as bytes come", async () => {
    server.fault(path, { drip: { bytes: 20_000, milliseconds: 250 } });
    await loadRight(folder(), { stallTimeout: 1500 });
    expect(ranges()).toEqual([undefined]);
  });

  it("is asked again when it falls silent", async () => {
    server.fault(path, { stalls: [20_000, 40_000] });
    await loadRight(folder(), { stallTimeout: 1500 });
    expect(ranges()).toEqual([undefined, "bytes=20000-", "bytes=60000-"]);
  });

  it("is given up when it stays silent", async () => {
    server.fault(path, { stalls: [20_000, 0, 0, 0, 0] });
    const fault = await faultOf(
      loadModel(folder(), { worker: false, stallTimeout: 1500 }),
    );
    expect(fault.message).toMatch(/20000.*nothing came for 1\.5 s/);
  });

  it("need not be waited for: a signal ends it at once", async () => {
    server.fault(path, { stalls: [20_000] });
    const controller = new AbortController();
    const work = loadModel(folder(), {
      worker: false,
      signal: controller.signal,
      onProgress: ({ loaded }) => {
        if (loaded === 20_000) setTimeout(() => controller.abort(), 20);
      },
    });
    expect(await faultOf(work)).toMatchObject({ code: "aborted" });
  });

  it("has a silence that is a number", async () => {
    const fault = await faultOf(loadModel(folder(), { stallTimeout: -1 }));
    expect(fault).toMatchObject({ code: "invalid-argument" });
    expect(fault.message).toMatch(/stallTimeout is -1/);
  });
});

describe("an answer that is compressed", () => {
  it("has no known size", async () => {
    server.files.set(path, gzipSync(weights));
    server.fault(path, { headers: { "content-encoding": "gzip" } });
    const seen = await loadRight(folder());
    expect(seen.map(({ total }) => total)).not.toContain(expect.any(Number));
    expect(seen.at(-1)).toMatchObject({
      loaded: weights.length,
      total: undefined,
    });
  });
});

describe("a repository of the hub", () => {
  const at = "/openai-community/gpt2/resolve/main/";

  it.each([
    [{ hub: "openai-community/gpt2" }, at],
    [
      { hub: "openai-community/gpt2", revision: "refs/pr/1" },
      "/openai-community/gpt2/resolve/refs%2Fpr%2F1/",
    ],
    [{ hub: "gpt2", revision: "v1.0" }, "/gpt2/resolve/v1.0/"],
  ])("%o has its files at %s", async (source, at) => {
    server.add(at, files);
    await loadRight(source, { hubBase: server.origin });
    expect(server.askedFor(`${at}model.safetensors`)).toHaveLength(1);
  });

  it("may be on a mirror below a folder", async () => {
    server.add(`/mirror/hf${at}`, files);
    const hubBase = `${server.origin}/mirror/hf`;
    await loadRight({ hub: "openai-community/gpt2" }, { hubBase });
  });

  it("leads to a storage elsewhere, from which a broken download goes on", async () => {
    const storage = await FileServer.start();
    storage.files.set("/blobs/1234", weights);
    storage.fault("/blobs/1234", { breaks: [20_000] });
    server.add(at, files);
    server.redirects.set(
      `${at}model.safetensors`,
      `${storage.otherOrigin}/blobs/1234?signature=5`,
    );
    await loadRight(
      { hub: "openai-community/gpt2" },
      { hubBase: server.origin },
    );
    expect(storage.asked.map(({ range }) => range)).toEqual([
      undefined,
      "bytes=20000-",
    ]);
    await storage.stop();
  });

  it("that is not there is named with the hub's reason", async () => {
    const fault = await faultOf(
      loadModel(
        { hub: "nobody/nothing" },
        { worker: false, hubBase: server.origin },
      ),
    );
    expect(fault.code).toBe("fetch-failed");
    expect(fault.message).toContain(
      `${server.origin}/nobody/nothing/resolve/main/config.json is not there (HTTP 404: Entry not found)`,
    );
  });

  it.each([
    [{ hub: "a/b/c" }, /hub is 'a\/b\/c'/],
    [{ hub: "../secret" }, /hub/],
    [{ hub: "owner/.." }, /hub/],
    [{ hub: "https://huggingface.co/gpt2" }, /hub/],
    [{ hub: "" }, /hub/],
    [{ hub: "owner/name", revision: ".." }, /revision/],
    [{ hub: "owner/name", revision: "" }, /revision/],
    [{ hub: "owner/name", revision: 3 as unknown as string }, /revision is 3/],
  ])("%o is refused", async (source, message) => {
    const fault = await faultOf(loadModel(source, { worker: false }));
    expect(fault.code).toBe("invalid-argument");
    expect(fault.message).toMatch(message);
  });
});
