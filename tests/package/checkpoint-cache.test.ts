// What Chromium keeps of downloads: a second load asks for no weights, a broken
// or ended one goes on where it stopped, and whatever does not fit is fetched
// anew. Proven by the requests that the servers saw, and by equal numbers.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Page } from "playwright-core";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
} from "vitest";

import type {
  AttnscopeError,
  HubSource,
  LoadOptions,
  LoadProgress,
} from "attnscope";

import { bundle, startBrowser } from "./support/browser.js";
import {
  cut,
  filesOf,
  withWords,
  type Files,
} from "./support/checkpoint-files.js";
import { FileServer } from "./support/file-server.js";
import { load, tiny } from "./support/models.js";
import { serve, type StaticServer } from "../page/support/static-server.js";

/** What bare-page/main.js hands over. */
declare const attnscope: typeof import("attnscope");

const piece = 4 * 2 ** 20; // as file-cache.ts keeps them
const small = filesOf(tiny);
const big = withWords(small, 40_000);
const bigSize = big.get("model.safetensors")!.length;
const config = "/config.json";
const weights = "model.safetensors";

const cutFolder = mkdtempSync(join(tmpdir(), "attnscope-cut-"));

let bare: Awaited<ReturnType<typeof bundle>>;
let pages: StaticServer;
let browser: Browser;
let right: number[];

beforeAll(async () => {
  for (const [name, bytes] of cut(small, 3))
    writeFileSync(join(cutFolder, name), bytes);
  bare = await bundle("bare-page");
  pages = await serve([{ at: "/", folder: bare.folder }]);
  browser = await startBrowser();
  using model = await load(tiny);
  const run = await model.run([1, 2, 3]);
  right = [...(await run.weights(1, 3)).data];
});
afterAll(async () => {
  await browser?.close();
  await pages?.close();
  bare?.remove();
  rmSync(cutFolder, { recursive: true });
});

let server: FileServer;
let context: BrowserContext;

beforeEach(async () => {
  server = await FileServer.start();
  context = await browser.newContext();
});
afterEach(async () => {
  await context.close();
  await server.stop();
});

type Options = Omit<LoadOptions, "signal" | "onProgress"> & {
  /** Ends the load once so many bytes of weights came. */
  readonly endAfter?: number;
};

interface Outcome {
  /** Of the weights: the first and the last report. */
  readonly first?: LoadProgress;
  readonly last?: LoadProgress;
  readonly data?: number[];
  readonly code?: string;
  readonly message?: string;
}

interface Opening {
  readonly before?: (page: Page) => Promise<unknown>;
  readonly pageUrl?: string;
}

/** Loads in a page of its own and takes some numbers of a run. */
async function loadIn(
  source: string | HubSource | [path: string, url: string][],
  options: Options = {},
  {
    before = () => Promise.resolve<unknown>(undefined),
    pageUrl = pages.url,
  }: Opening = {},
): Promise<Outcome> {
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await before(page);
  await page.goto(pageUrl);
  await page.waitForFunction(() => "attnscope" in globalThis);
  const outcome = await page.evaluate(
    async ({ source, options: { endAfter = Infinity, ...options } }) => {
      const seen: LoadProgress[] = [];
      const ending = new AbortController();
      try {
        const files = async (entries: [string, string][]) =>
          new Map(
            await Promise.all(
              entries.map(
                async ([path, url]) =>
                  [path, await (await fetch(url)).blob()] as const,
              ),
            ),
          );
        const given = Array.isArray(source) ? await files(source) : source;
        const model = await attnscope.loadModel(given, {
          ...options,
          signal: ending.signal,
          onProgress: (progress) => {
            if (progress.stage !== "weights") return;
            seen.push(progress);
            if (progress.loaded >= endAfter) ending.abort();
          },
        });
        const run = await model.run([1, 2, 3]);
        const data = [...(await run.weights(1, 3)).data];
        model.dispose();
        return { first: seen[0]!, last: seen.at(-1)!, data };
      } catch (thrown) {
        const { code, message } = thrown as AttnscopeError;
        return { code, message };
      }
    },
    { source, options },
  );
  await page.close();
  return outcome;
}

async function loadsRight(...all: Parameters<typeof loadIn>): Promise<Outcome> {
  const outcome = await loadIn(...all);
  expect(outcome.message).toBeUndefined();
  expect(outcome.data).toEqual(
    right.map((number) => expect.closeTo(number, 5)),
  );
  return outcome;
}

/** Serves files in a folder and gives its URL, for pages that of another site. */
function serveFolder(files: Files): string {
  server.add("/folder/", files);
  return `${server.origin}/folder`;
}

/** What was asked for a file: the method, and from where on. */
function asked(end: string): string[] {
  const all = server.askedFor(end);
  server.asked = server.asked.filter((one) => !all.includes(one));
  return all.map(({ method, range }) =>
    range ? `${method} ${range}` : method,
  );
}

describe.each([
  ["one file", small],
  ["several files", cut(small, 3)],
])("weights in %s", (_, files) => {
  it("of a folder by URL", async () => {
    await loadsRight(serveFolder(files));
  });

  it("of a repository of the hub", async () => {
    server.add("/owner/name/resolve/main/", files);
    await loadsRight({ hub: "owner/name" }, { hubBase: server.origin });
  });

  it("of a folder on the page's own server", async () => {
    const folder = files === small ? tiny : cutFolder;
    const own = await serve([
      { at: "/", folder: bare.folder },
      { at: "/models/it/", folder },
    ]);
    await loadsRight("models/it", {}, { pageUrl: own.url });
    await own.close();
  });

  it.each(["", "folder/", "outer/inner/"])(
    "of files in hand, in '%s'",
    async (folder) => {
      server.add("/files/", files);
      const paths = [...files.keys()].map((name) => [
        folder + name,
        `${server.origin}/files/${name}`,
      ]) as [string, string][];
      await loadsRight(paths);
    },
  );
});

describe("weights in several files", () => {
  it("go on with what is missing of each, and are kept", async () => {
    const folder = serveFolder(cut(big, 2));
    const [first, second] = [1, 2].map(
      (part) => `model-0000${part}-of-00002.safetensors`,
    ) as [string, string];
    server.fault(`/folder/${second}`, { breaks: [6_000_000, 0, 0, 0, 0] });
    expect((await loadIn(folder)).code).toBe("fetch-failed");
    asked(first);
    asked(second);
    await loadsRight(folder);
    expect(asked(first)).toEqual(["HEAD"]);
    expect(asked(second)).toEqual([
      "HEAD",
      expect.stringMatching(/^GET bytes=\d+-$/),
    ]);
    const { last } = await loadsRight(folder);
    expect([asked(first), asked(second)]).toEqual([["HEAD"], ["HEAD"]]);
    expect(last!.loaded).toBe(last!.total);
    await server.stop();
    await loadsRight(folder); // though model.safetensors cannot be asked for
    await server.listen();
  });
});

describe("a second load", () => {
  it("downloads nothing: the server only says that nothing changed", async () => {
    const folder = serveFolder(big);
    const first = await loadsRight(folder);
    expect(first.last).toMatchObject({ loaded: bigSize, total: bigSize });
    expect([asked(weights), asked(config)]).toEqual([["GET"], ["GET"]]);
    const second = await loadsRight(folder);
    expect(second.last).toMatchObject({ loaded: bigSize, total: bigSize });
    expect([asked(weights), asked(config)]).toEqual([["HEAD"], ["HEAD"]]);
    expect(server.asked.some(({ method }) => method === "OPTIONS")).toBe(false);
  });

  it("works without the server, and without what the server never had", async () => {
    const folder = serveFolder(big);
    await loadsRight(folder);
    await server.stop();
    await loadsRight(folder);
    await server.listen();
  });

  it("is of the new file once the server has one", async () => {
    const folder = serveFolder(
      new Map([...big, [weights, Buffer.from("old")]]),
    );
    expect((await loadIn(folder)).code).toBe("not-safetensors");
    server.add("/folder/", big);
    await loadsRight(folder);
    expect(asked(weights).at(-1)).toBe("GET");
    const other = Buffer.from(big.get(weights)!);
    other.fill(0, other.length - 4 * 48); // the weights of the last norm
    server.add("/folder/", new Map([[weights, other]]));
    await loadIn(folder);
    expect(asked(weights)).toEqual(["HEAD", "GET"]);
    await loadIn(folder);
    expect(asked(weights)).toEqual(["HEAD"]);
  });

  it("compares the answer to GET where HEAD is refused", async () => {
    const folder = serveFolder(big);
    server.fault(`/folder/${weights}`, { refusesHead: true });
    await loadsRight(folder);
    expect(asked(weights)).toEqual(["GET"]);
    server.fault(`/folder/${weights}`, {
      refusesHead: true,
      drip: { bytes: 100_000, milliseconds: 300 }, // 40 s for all of it
    });
    await loadsRight(folder);
    expect(asked(weights)).toEqual(["HEAD", "GET"]);
  });

  it.each([
    ["that was not wanted", { cache: false }, {}],
    ["of a file that cannot be known again", {}, { etag: undefined }],
  ])("%s downloads all again", async (_, options, headers) => {
    const folder = serveFolder(big);
    server.fault(`/folder/${weights}`, { headers });
    await loadsRight(folder, options);
    await loadsRight(folder, options);
    expect(asked(weights)).toEqual(["GET", "GET"]);
  });

  it("knows a file by its date where there is no ETag", async () => {
    const folder = serveFolder(big);
    const date = new Date(0).toUTCString();
    const headers = { etag: undefined, "last-modified": date };
    server.fault(`/folder/${weights}`, { headers });
    await loadsRight(folder);
    await loadsRight(folder);
    expect(asked(weights)).toEqual(["GET", "HEAD"]);
  });

  it("on the calling thread uses the same copy", async () => {
    const folder = serveFolder(big);
    await loadsRight(folder);
    await loadsRight(folder, { worker: false });
    expect(asked(weights)).toEqual(["GET", "HEAD"]);
  });

  it("downloads all again after clearCheckpointCache", async () => {
    const folder = serveFolder(big);
    await loadsRight(folder);
    const page = await context.newPage();
    await page.goto(pages.url);
    await page.waitForFunction(() => "attnscope" in globalThis);
    await page.evaluate(() => attnscope.clearCheckpointCache());
    await loadsRight(folder);
    expect(asked(weights)).toEqual(["GET", "GET"]);
  });
});

describe("a load that did not come to its end", () => {
  it("broken off: the next one asks for what is missing", async () => {
    const folder = serveFolder(big);
    server.fault(`/folder/${weights}`, { breaks: [10_000_000, 0, 0, 0, 0] });
    const { code, message } = await loadIn(folder);
    expect(code).toBe("fetch-failed");
    // A browser drops what it has received and not yet handed over.
    const got = Number(/broke off after (\d+) of 15504465/.exec(message!)?.[1]);
    expect(got).toBeGreaterThan(1_000_000);
    expect(got).toBeLessThanOrEqual(10_000_000);
    expect(message).toContain(`The next load goes on after ${got} bytes`);
    expect(asked(weights)).toEqual([
      "GET",
      ...Array<string>(4).fill(`GET bytes=${got}-`),
    ]);
    await loadsRight(folder);
    expect(asked(weights)).toEqual([`GET bytes=${got}-`]);
    await loadsRight(folder);
    expect(asked(weights)).toEqual(["HEAD"]);
  });

  it("ended by the person: less than a piece is lost", async () => {
    const folder = serveFolder(big);
    server.fault(`/folder/${weights}`, {
      drip: { bytes: 500_000, milliseconds: 20 },
    });
    const ended = await loadIn(folder, { endAfter: 10_000_000 });
    expect(ended.code).toBe("aborted");
    expect(asked(weights)).toEqual(["GET"]);
    server.faults.clear();
    await loadsRight(folder);
    const [again, ...others] = asked(weights);
    expect(others).toEqual([]);
    const start = Number(/^GET bytes=(\d+)-$/.exec(again!)?.[1]);
    expect(start).toBeGreaterThan(10_000_000 - 2 * piece);
    expect(start).toBeLessThanOrEqual(10_500_000);
  });

  it.each([
    ["the file changed", {}, (file: Buffer) => void (file[20_000]! ^= 1)],
    [
      "the server does not know ranges",
      { ignoresRanges: true },
      () => undefined,
    ],
  ])("begins anew where %s", async (_, fault, change) => {
    const folder = serveFolder(big);
    server.fault(`/folder/${weights}`, {
      ...fault,
      breaks: [9_000_000, 0, 0, 0, 0],
    });
    expect((await loadIn(folder)).code).toBe("fetch-failed");
    asked(weights);
    const now = Buffer.from(big.get(weights)!);
    change(now);
    server.add("/folder/", new Map([[weights, now]]));
    server.fault(`/folder/${weights}`, fault);
    const outcome = await loadIn(folder);
    expect(outcome.message).toBeUndefined();
    expect(asked(weights)[0]).toMatch(/^GET bytes=/);
    expect((await loadIn(folder)).data).toEqual(outcome.data);
    expect(asked(weights)).toEqual(["HEAD"]);
  });

  it("within one load goes on by itself", async () => {
    const folder = serveFolder(big);
    server.fault(`/folder/${weights}`, { breaks: [6_000_000, 3_000_000] });
    await loadsRight(folder);
    expect(asked(weights)).toEqual([
      "GET",
      expect.stringMatching(/^GET bytes=\d+-$/),
      expect.stringMatching(/^GET bytes=\d+-$/),
    ]);
    await loadsRight(folder);
    expect(asked(weights)).toEqual(["HEAD"]);
  });
});

describe("a repository of the hub", () => {
  const at = "/openai-community/gpt2/resolve/main/";
  const hub = { hub: "openai-community/gpt2" };
  let storage: FileServer;

  beforeEach(async () => {
    storage = await FileServer.start();
    storage.files.set("/blobs/1234", big.get(weights)!);
    server.add(at, big);
    server.redirects.set(
      at + weights,
      `${storage.otherOrigin}/blobs/1234?signature=5`,
    );
  });
  afterEach(() => storage.stop());

  it("leads to a storage, is kept, and goes on, without asking for permission", async () => {
    const options = { hubBase: server.origin };
    storage.fault("/blobs/1234", { breaks: [9_000_000, 0, 0, 0, 0] });
    const { message } = await loadIn(hub, options);
    const got = /goes on after (\d+) bytes/.exec(message!)?.[1];
    storage.asked = [];
    await loadsRight(hub, options);
    expect(storage.asked).toEqual([
      {
        method: "GET",
        path: "/blobs/1234",
        range: `bytes=${got}-`,
      },
    ]);
    storage.asked = [];
    await loadsRight(hub, options);
    expect(storage.asked.map(({ method }) => method)).toEqual(["HEAD"]);
  });

  it("is told apart by revision", async () => {
    const options = { hubBase: server.origin };
    await loadsRight(hub, options);
    const other = { ...hub, revision: "v2" };
    server.add("/openai-community/gpt2/resolve/v2/", small);
    const outcome = await loadsRight(other, options);
    expect(outcome.last?.loaded).toBe(small.get(weights)!.length);
  });

  it("compressed unseen has no known size, and is kept all the same", async () => {
    const packed = gzipSync(big.get(weights)!);
    server.redirects.clear();
    server.files.set(at + weights, packed);
    server.fault(at + weights, { headers: { "content-encoding": "gzip" } });
    const options = { hubBase: server.origin };
    const { last } = await loadsRight(hub, options);
    expect(last).toEqual({ stage: "weights", loaded: bigSize });
    asked(weights);
    await loadsRight(hub, options);
    expect(asked(weights)).toEqual(["HEAD"]);
  });
});

describe("a server of another site", () => {
  it("that is slow is waited for as long as bytes come", async () => {
    const folder = serveFolder(big);
    server.fault(`/folder/${weights}`, {
      drip: { bytes: 1_000_000, milliseconds: 250 },
    });
    await loadsRight(folder, { stallTimeout: 3000 });
    expect(asked(weights)).toEqual(["GET"]);
  });

  it("that falls silent is asked again", async () => {
    const folder = serveFolder(small);
    server.fault(`/folder/${weights}`, { stalls: [50_000] });
    await loadsRight(folder, { stallTimeout: 2000 });
    expect(asked(weights)).toEqual(["GET", "GET bytes=50000-"]);
  });

  it.each([
    [
      "no weights",
      { statuses: [404] },
      /model\.safetensors is not there \(HTTP 404.*index\.json is not there either/,
    ],
    [
      "a page in their place",
      { headers: { "content-type": "text/html" } },
      /model\.safetensors: a page \(HTML\) came/,
    ],
    [
      "a fault of its own",
      { statuses: [500] },
      /model\.safetensors: the server answered HTTP 500: Out of order\./,
    ],
  ])("that has %s is named", async (_, fault, message) => {
    const folder = serveFolder(small);
    server.fault(`/folder/${weights}`, fault);
    const outcome = await loadIn(folder);
    expect(outcome.code).toBe("fetch-failed");
    expect(outcome.message).toMatch(message);
  });

  it("that does not let others read: the error says that it may be that", async () => {
    const folder = serveFolder(small);
    server.open = false;
    const { code, message } = await loadIn(folder);
    expect(code).toBe("fetch-failed");
    expect(message).toMatch(/folder\/config\.json cannot be fetched.*\(CORS\)/);
    expect(message).toContain(new URL(server.origin).host);
  });

  it("that lets others see no header but the size and date", async () => {
    const folder = serveFolder(big);
    const date = new Date(0).toUTCString();
    const headers = {
      "access-control-expose-headers": "X-Nothing",
      "last-modified": date,
    };
    server.fault(`/folder/${weights}`, { breaks: [9_000_000], headers });
    await loadsRight(folder);
    await loadsRight(folder);
    expect(asked(weights)).toEqual([
      "GET",
      expect.stringMatching(/^GET bytes=\d+-$/),
      "HEAD",
    ]);
  });
});

describe("where nothing can be kept", () => {
  it("a page that is not secure loads", async () => {
    const folder = serveFolder(big);
    const insecure = pages.url.replace("127.0.0.1", "insecure.test");
    await loadsRight(folder, {}, { pageUrl: insecure });
    await loadsRight(folder, {}, { pageUrl: insecure });
    expect(asked(weights)).toEqual(["GET", "GET"]);
  });

  it("a page whose storage is refused loads", async () => {
    const folder = serveFolder(small);
    const before = (page: Page) =>
      page.addInitScript(() => {
        Object.defineProperty(globalThis, "caches", {
          get: () => {
            throw new DOMException("no storage here", "SecurityError");
          },
        });
      });
    await loadsRight(folder, { worker: false }, { before });
  });

  it("a page that has no room left loads", async () => {
    const folder = serveFolder(big);
    const before = (page: Page) => limitRoom(page, 6_000_000);
    await loadsRight(folder, {}, { before });
    await loadsRight(folder, {}, { before });
    const [first, second, ...others] = asked(weights);
    expect([first, others]).toEqual(["GET", []]);
    // What found room is still of use.
    expect(second).toMatch(/^GET bytes=[45]\d{6}-$/);
  });

  it("the files that are kept longest make room for new ones", async () => {
    const before = (page: Page) => limitRoom(page, 24_000_000);
    const [first, second] = ["/first", "/second"] as const;
    server.add(`${first}/`, big);
    server.add(`${second}/`, big);
    for (const folder of [first, second, second, first]) {
      await loadsRight(server.origin + folder, {}, { before });
    }
    expect(asked(`${first}/${weights}`)).toEqual(["GET", "GET"]);
    expect(asked(`${second}/${weights}`)).toEqual(["GET", "HEAD"]);
  });

  it("no more than 16 GiB are kept, though the browser has room", async () => {
    const folder = serveFolder(big);
    await loadsRight(folder);
    const page = await context.newPage();
    await page.goto(pages.url);
    // Pieces tell their sizes in their keys.
    const keys = await page.evaluate(async () => {
      const cache = await caches.open("attnscope-checkpoints");
      for (const { url } of await cache.keys()) {
        const grown = new URL(url.replace("/folder/", "/larger/"));
        const place = grown.searchParams.get("attnscope-piece")!;
        grown.searchParams.set(
          "attnscope-piece",
          place.replace(/"size":\d+/, `"size":${4 * 2 ** 30}`),
        );
        await cache.put(grown, new Response());
      }
      return (await cache.keys()).map(({ url }) => url);
    });
    expect(keys.some((url) => url.includes("/larger/model"))).toBe(true);
    server.add("/new/", small);
    await loadsRight(`${server.origin}/new`);
    const left = await page.evaluate(async () => {
      const cache = await caches.open("attnscope-checkpoints");
      return (await cache.keys()).map(({ url }) => new URL(url).pathname);
    });
    expect(left.filter((path) => path.startsWith("/larger/model"))).toEqual([]);
    expect(new Set(left)).toContain("/new/model.safetensors");
  });
});

/** The page's origin may store so many bytes. */
async function limitRoom(page: Page, quotaSize: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const { origin } = new URL(pages.url);
  await cdp.send("Storage.overrideQuotaForOrigin", { origin, quotaSize });
}
