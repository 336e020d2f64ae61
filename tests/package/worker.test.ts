// The worker's path: the same results as on the calling thread, faults that
// keep their code, and an engine that ends with its model. Node's threads stand
// in for workers; browser.test.ts uses real ones.
import { join } from "node:path";
import { Worker as Thread } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { loadModel, type LoadProgress, type Model } from "attnscope";

import {
  transferables,
  type FromWorker,
  type Replies,
} from "../../wasm/src/worker-protocol.js";
import { blobsOf, root, tales, urlOf } from "./support/files.js";
import { drain, faultOf, load, tiny } from "./support/models.js";

const threads: Thread[] = [];

/** A worker of the web, as far as the package uses it, made of a thread. */
class WebWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;
  private readonly thread: Thread;

  constructor(url: URL) {
    const script = `
      import { parentPort } from "node:worker_threads";
      globalThis.postMessage = (message, transfer) =>
        parentPort.postMessage(message, transfer);
      await import(${JSON.stringify(url.href)});
      parentPort.on("message", (data) => globalThis.onmessage({ data }));`;
    this.thread = new Thread(
      new URL(`data:text/javascript,${encodeURIComponent(script)}`),
    );
    threads.push(this.thread);
    this.thread.on("message", (data) => this.onmessage?.({ data }));
    this.thread.on("error", ({ message }) => this.onerror?.({ message }));
  }
  postMessage(message: unknown): void {
    this.thread.postMessage(message);
  }
  terminate(): void {
    void this.thread.terminate();
  }
}

beforeAll(() => {
  vi.stubGlobal("Worker", WebWorker);
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await Promise.all(threads.map((thread) => thread.terminate()));
});

const moduleBase = urlOf(join(root, "wasm/dist"));
const inWorker = (folder = tiny): Promise<Model> =>
  loadModel(urlOf(folder), { moduleBase });

describe("a model in a worker", () => {
  it("computes what the calling thread computes", async () => {
    using there = await inWorker(tales);
    using here = await load(tales);
    const text = "The cat sat";
    const [a, b] = [await there.run(text), await here.run(text)];
    expect(a.tokens).toEqual(b.tokens);
    expect(await a.weights(1, 1)).toEqual(await b.weights(1, 1));
    expect(await a.mask(0, 0)).toEqual(await b.mask(0, 0));
    expect(await a.logits()).toEqual(await b.logits());
    expect(await a.nextTokens(5)).toEqual(await b.nextTokens(5));
    const sampling = { maxTokens: 8, temperature: 0.8, seed: 5 };
    const ids = async (model: typeof a) =>
      (await drain(model.generate(sampling))).tokens.map(({ id }) => id);
    expect(await ids(a)).toEqual(await ids(b));
    expect((await a.weights(1, 1)).shape).toEqual(
      (await b.weights(1, 1)).shape,
    );
  });

  it("takes files in hand and tells its progress", async () => {
    const seen: LoadProgress[] = [];
    using model = await loadModel(blobsOf(tiny), {
      moduleBase,
      onProgress: (progress) => seen.push(progress),
    });
    expect(model.config.modelType).toBe("llama");
    const weights = seen.filter(({ stage }) => stage === "weights");
    expect(weights.at(-1)?.loaded).toBe(weights.at(-1)?.total);
  });

  it("passes on faults with their code and message", async () => {
    using model = await inWorker();
    const fault = await faultOf(model.run([1, 64]));
    expect(fault.code).toBe("token-out-of-range");
    expect(fault.message).toContain("64");
    expect((await model.run([1])).tokens).toHaveLength(1);
    const missing = await faultOf(
      loadModel(urlOf("/not/there"), { moduleBase }),
    );
    expect(missing.code).toBe("fetch-failed");
  });

  it("is one of several that do not know of each other", async () => {
    using a = await inWorker();
    const b = await inWorker();
    const run = await a.run([1, 2]);
    await b.run([3]);
    b.dispose();
    expect((await run.weights(0, 0)).shape).toEqual([2, 2]);
  });

  it("fails what is under way when it is disposed of", async () => {
    const model = await inWorker();
    const work = model.run([1, 2, 3]);
    model.dispose();
    expect(await faultOf(work)).toMatchObject({ code: "disposed" });
    expect(await faultOf(model.run([1]))).toMatchObject({ code: "disposed" });
  });

  it("ends at once when its load is cancelled", async () => {
    const controller = new AbortController();
    const work = loadModel(urlOf(tales), {
      moduleBase,
      signal: controller.signal,
      onProgress: () => {
        controller.abort();
      },
    });
    expect(await faultOf(work)).toMatchObject({ code: "aborted" });
  });

  it("says so when the worker cannot start", async () => {
    vi.stubGlobal(
      "Worker",
      class extends WebWorker {
        constructor() {
          super(new URL("file:///not/there/worker.js"));
        }
      },
    );
    const fault = await faultOf(inWorker());
    vi.stubGlobal("Worker", WebWorker);
    expect(fault.code).toBe("worker-failed");
    expect(fault.message).toContain("not/there/worker.js");
  });
});

describe("without workers", () => {
  it("the calling thread does the work, unless a worker is asked for", async () => {
    vi.stubGlobal("Worker", undefined);
    using model = await loadModel(urlOf(tiny));
    expect((await model.run([1])).tokens).toHaveLength(1);
    const fault = await faultOf(loadModel(urlOf(tiny), { worker: true }));
    vi.stubGlobal("Worker", WebWorker);
    expect(fault.code).toBe("worker-failed");
  });
});

describe("the protocol", () => {
  it("gives away the arrays of replies, and nothing else", () => {
    const data = new Float32Array(4);
    expect(transferables({ shape: [2, 2], data })).toEqual([data.buffer]);
    const others: Replies[keyof Replies][] = [
      null,
      3,
      { run: 1, capacity: 2, milliseconds: 3 },
      [{ id: 1, logit: 2, probability: 0.5 }],
    ];
    for (const reply of others) expect(transferables(reply)).toEqual([]);
  });

  it("consists of plain data", () => {
    const message: FromWorker = {
      kind: "fault",
      id: 1,
      fault: { code: "truncated", message: "The file ends early." },
    };
    expect(structuredClone(message)).toEqual(message);
  });
});
