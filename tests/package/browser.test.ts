// The package in a real browser, as an outside page bundles it: in a worker,
// under a strict content security policy, without special headers.
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type * as attnscope from "attnscope";

import { serve, type StaticServer } from "../page/support/static-server.js";
import { bundle, startBrowser } from "./support/browser.js";
import {
  golden,
  largestDifference,
  readJson,
  readSafetensors,
  sharedFolder,
  tales,
} from "./support/files.js";

const stories = sharedFolder("real/stories260k");
const shared = sharedFolder("golden");

const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
].join("; ");

/** What outside-page/main.js hands over, and what the policy refused. */
declare const seen: {
  readonly attnscope: typeof attnscope;
  readonly globals: readonly string[];
  readonly model: attnscope.Model;
  readonly run: attnscope.Run;
  readonly shape: readonly number[];
  readonly data: Float32Array;
};

let outsidePage: Awaited<ReturnType<typeof bundle>>;
let server: StaticServer;
let browser: Browser;

beforeAll(async () => {
  outsidePage = await bundle("outside-page");
  server = await serve([
    { at: "/", folder: outsidePage.folder },
    { at: "/models/tales/", folder: tales },
    { at: "/models/tiny/", folder: join(golden, "llama_gqa") },
    { at: "/models/golden/", folder: golden },
    ...(shared ? [{ at: "/models/shared/", folder: shared }] : []),
    ...(stories ? [{ at: "/models/stories/", folder: stories }] : []),
  ]);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  outsidePage?.remove();
});

/** Opens the page; `problems` collects what the browser complains of. */
async function open(): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage();
  page.setDefaultTimeout(20_000);
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("pageerror", ({ message }) => problems.push(message));
  await page.route("**/*", async (route) => {
    const response = await route.fetch();
    const headers = {
      ...response.headers(),
      "content-security-policy": policy,
    };
    await route.fulfill({ response, headers });
  });
  await page.goto(server.url);
  return { page, problems };
}

async function openReady(): Promise<{ page: Page; problems: string[] }> {
  const opened = await open();
  await opened.page
    .waitForFunction(() => "seen" in globalThis)
    .catch(() => {
      throw new Error(`the page is not ready: ${opened.problems.join("; ")}`);
    });
  return opened;
}

async function close(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.close();
}

describe("an outside page", () => {
  it("shows weights and a continuation in five lines", async () => {
    const { page, problems } = await openReady();
    const result = await page.evaluate(() => ({
      shape: seen.shape,
      data: [...seen.data],
      ids: seen.run.tokens.map(({ id }) => id),
      decoded: seen.model.decode(seen.run.tokens.map(({ id }) => id)),
      text: document.querySelector("p")!.textContent,
      variant: seen.model.variant,
      isolated: globalThis.crossOriginIsolated,
    }));
    const length = result.shape[0]!;
    expect(result.shape).toEqual([length, length]);
    for (let row = 0; row < length; ++row) {
      const weights = result.data.slice(row * length, (row + 1) * length);
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(
        1,
        6,
      );
    }
    expect(result.ids).toHaveLength(length + 20);
    expect(`Once upon a time${result.text}`).toBe(result.decoded);
    expect(result.variant.kernels).toBe(result.variant.variant);
    expect(result.isolated).toBe(false);
    expect(problems).toEqual([]);
    await close(page);
  });

  it("finds no globals of the package", async () => {
    const { page } = await openReady();
    const added = await page.evaluate(() => {
      const before = new Set([...seen.globals, "seen"]);
      return Object.getOwnPropertyNames(globalThis).filter(
        (name) => !before.has(name),
      );
    });
    expect(added).toEqual([]);
    await close(page);
  });

  it("has the same numbers from every variant, in a worker or not", async () => {
    const { page, problems } = await openReady();
    const runs = await page.evaluate(async () => {
      const all: Record<string, number[]> = {};
      for (const variant of ["relaxed", "simd128", "scalar"] as const) {
        for (const worker of [true, false]) {
          const options = { variant, worker };
          const model = await seen.attnscope.loadModel("models/tales", options);
          const run = await model.run([1, 2, 3, 4, 5], { allLogits: true });
          all[`${model.variant.kernels} ${worker}`] = [
            ...(await run.logits()).data,
            ...(await run.weights(1, 3)).data,
          ];
          model.dispose();
        }
      }
      return all;
    });
    expect(Object.keys(runs)).toHaveLength(6);
    const right = runs["scalar false"]!;
    for (const numbers of Object.values(runs)) {
      expect(largestDifference(numbers, right)).toBeLessThan(1e-4);
    }
    expect(runs["simd128 true"]).toEqual(runs["simd128 false"]);
    expect(problems).toEqual([]);
    await close(page);
  });

  it("gets two models side by side, and errors with codes", async () => {
    const { page } = await openReady();
    const result = await page.evaluate(async () => {
      const other = await seen.attnscope.loadModel("models/tiny");
      const run = await other.run([1, 2, 3]);
      const failed = await seen.attnscope
        .loadModel("models/nothing")
        .catch((thrown: attnscope.AttnscopeError) => ({
          right: thrown instanceof seen.attnscope.AttnscopeError,
          code: thrown.code,
          message: thrown.message,
        }));
      other.dispose();
      const after = await run
        .weights(0, 0)
        .catch((thrown: attnscope.AttnscopeError) => thrown.code);
      const mine = await seen.run.weights(0, 0);
      return { failed, after, mine: mine.shape };
    });
    expect(result.failed).toMatchObject({ right: true, code: "fetch-failed" });
    expect(result.failed).toHaveProperty(
      "message",
      expect.stringContaining(`${server.url}models/nothing/config.json`),
    );
    expect(result.after).toBe("disposed");
    expect(result.mine).toHaveLength(2);
    await close(page);
  });
});

describe("a file of the engine that is missing", () => {
  it.each([
    ["**/*.wasm", "a page", "module-missing", /\.wasm.*HTML/],
    ["**/*.wasm", "nothing", "module-missing", /\.wasm.*404/],
    ["**/*.mjs", "a page", "module-missing", /\.mjs.*HTML/],
    ["**/*.mjs", "nothing", "module-missing", /\.mjs.*404/],
    ["**/worker*.js", "nothing", "worker-failed", /worker/],
  ])("%s answered with %s", async (pattern, what, code, message) => {
    const { page } = await openReady();
    await page.route(pattern, (route) =>
      route.fulfill({
        status: what === "nothing" ? 404 : 200,
        contentType: "text/html",
        body: "<!doctype html><p>hello",
      }),
    );
    // Not what the browser still has from the first load.
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Network.setCacheDisabled", { cacheDisabled: true });
    const fault = await page.evaluate(() =>
      seen.attnscope.loadModel("models/tiny").then(
        () => undefined,
        ({ code, message }: attnscope.AttnscopeError) => ({ code, message }),
      ),
    );
    expect(fault?.code).toBe(code);
    expect(fault?.message).toMatch(message);
    // The model that is there already works on.
    const shape = await page.evaluate(
      async () => (await seen.run.weights(1, 0)).shape,
    );
    expect(shape).toHaveLength(2);
    await close(page);
  });
});

/** What the page's model makes of a text or ids: every number and a continuation. */
function compute(
  page: Page,
  model: string,
  input: string | number[],
  maxTokens: number,
) {
  return page.evaluate(
    async ({ model: address, input, maxTokens }) => {
      const model = await seen.attnscope.loadModel(address);
      const run = await model.run(input, { allLogits: true });
      const ids = run.tokens.map(({ id }) => id);
      const logits = [...(await run.logits()).data];
      const weights: number[] = [];
      for (let layer = 0; layer < model.config.numLayers; ++layer) {
        for (let head = 0; head < model.config.numQueryHeads; ++head) {
          weights.push(...(await run.weights(layer, head)).data);
        }
      }
      const greedy = [...ids];
      const options = { maxTokens, stopAtEnd: false };
      for await (const { id } of run.generate(options)) greedy.push(id);
      model.dispose();
      return { ids, logits, weights, greedy };
    },
    { model, input, maxTokens },
  );
}

describe("reference checkpoints in the browser", () => {
  it.each([
    ...[
      "gpt2",
      "gpt_neox_parallel",
      "gpt_neox_sequential",
      "llama_gqa",
      "llama_tied_bf16",
    ].map((name) => ["golden", name, golden] as const),
    ...(shared
      ? ["gpt2", "gpt_neox", "llama_gqa"].map(
          (name) => ["shared", name, shared] as const,
        )
      : []),
  ])("%s/%s", async (place, name, parent) => {
    const right = readSafetensors(join(parent, name, "golden.safetensors"));
    const { prompt, greedy } = readJson<{
      prompt: number[][];
      greedy: number[][];
    }>(join(parent, name, "greedy.json"));
    const ids = [...right.get("input_ids")!.data];
    expect(prompt[0]).toEqual(ids);
    const { page } = await openReady();
    const actual = await compute(
      page,
      `models/${place}/${name}`,
      ids,
      greedy[0]!.length - ids.length,
    );
    await close(page);
    expect(actual.greedy).toEqual(greedy[0]);
    expect(
      largestDifference(actual.logits, right.get("logits")!.data),
    ).toBeLessThan(1e-3);
    const attentions: number[] = [];
    for (let layer = 0; right.has(`attentions.${layer}`); ++layer) {
      attentions.push(...right.get(`attentions.${layer}`)!.data);
    }
    expect(largestDifference(actual.weights, attentions)).toBeLessThan(1e-5);
  });
});

describe.skipIf(!stories)("stories260k in the browser", () => {
  interface StoryCase {
    readonly prompt: string;
    readonly input_ids: number[];
    readonly greedy_ids: number[];
    readonly file: string;
  }
  const reference = join(stories ?? "", "reference");
  const cases = stories
    ? readJson<StoryCase[]>(join(reference, "cases.json"))
    : [];

  it.each(cases)("$prompt", async (expected) => {
    const { page } = await openReady();
    const actual = await compute(page, "models/stories", expected.prompt, 100);
    const right = readSafetensors(join(reference, expected.file));
    expect(actual.ids).toEqual(expected.input_ids);
    expect(actual.greedy).toEqual(expected.greedy_ids);
    expect(
      largestDifference(actual.logits, right.get("logits")!.data),
    ).toBeLessThan(1e-3);
    expect(
      largestDifference(actual.weights, right.get("attentions")!.data),
    ).toBeLessThan(1e-5);
    await close(page);
  });
});
