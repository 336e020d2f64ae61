// Loading checkpoints in the page: progress, cancelling, files from disk, and
// folders that are not what they should be. Whatever fails, the model that was
// there goes on working.

import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Explorer, PageTester, soon, talesFolder } from "./support/explorer.js";

const files = [
  "config.json",
  "tokenizer.json",
  "tokenizer_config.json",
  "model.safetensors",
] as const;
const folder = mkdtempSync(join(tmpdir(), "attnscope-page-"));

/** A copy of tales in which something is spoilt. */
function spoilt(name: string, spoil: (file: (name: string) => string) => void) {
  mkdirSync(join(folder, name));
  for (const file of files) {
    copyFileSync(join(talesFolder, file), join(folder, name, file));
  }
  spoil((file) => join(folder, name, file));
}

const change = (
  path: string,
  edit: (json: Record<string, unknown>) => void,
) => {
  const json = JSON.parse(readFileSync(path, "utf8")) as Record<
    string,
    unknown
  >;
  edit(json);
  writeFileSync(path, JSON.stringify(json));
};

spoilt("whole", () => undefined);
spoilt("truncated", (file) => truncateSync(file("model.safetensors"), 100_000));
spoilt("no-weights", (file) => rmSync(file("model.safetensors")));
spoilt("html", (file) =>
  writeFileSync(
    file("model.safetensors"),
    "<!doctype html><title>Sign in</title>",
  ),
);
spoilt("lying", (file) => {
  const header = Buffer.alloc(8);
  header.writeBigUInt64LE(2n ** 60n);
  writeFileSync(
    file("model.safetensors"),
    Buffer.concat([header, Buffer.alloc(64)]),
  );
});
spoilt("wider", (file) =>
  change(file("config.json"), (json) => (json["hidden_size"] = 320)),
);
spoilt("unknown", (file) =>
  change(file("config.json"), (json) => (json["model_type"] = "rnn")),
);
spoilt("no-json", (file) => writeFileSync(file("config.json"), "{"));
spoilt("bad-tokenizer", (file) => writeFileSync(file("tokenizer.json"), "[]"));

let tester: PageTester;
let explorer: Explorer;

beforeAll(async () => {
  tester = await PageTester.start([
    { at: "/checkpoints/", folder },
    { at: "/slow/", folder, drip: 150 },
  ]);
});
afterAll(async () => {
  await tester.stop();
  rmSync(folder, { recursive: true });
});
afterEach(() => explorer.close());

const load = (path: string) => loadNamed(`${tester.server.url}${path}`);

/** A name or an address, as a person writes it into the panel. */
async function loadNamed(name: string): Promise<void> {
  await explorer.locator("header.top button").first().click();
  await explorer.page
    .getByLabel("Hub name, or address of a checkpoint folder")
    .fill(name);
  await explorer.page
    .getByRole("button", { name: "Load", exact: true })
    .click();
}

async function stillWorks(): Promise<void> {
  await explorer.type(" a dog");
  expect(await explorer.strip()).toEqual(["␣a", "␣dog"]);
  for (const sum of await explorer.rowSums()) expect(sum).toBeCloseTo(1, 5);
}

test.each([
  ["truncated", /truncated/, /model\.safetensors/],
  ["no-weights", /fetch-failed/, /no-weights\/model\.safetensors.*404/],
  ["html", /not-safetensors|truncated|corrupt-header/, /model\.safetensors/],
  [
    "lying",
    /corrupt-header|oversized|truncated|not-safetensors/,
    /model\.safetensors/,
  ],
  ["wider", /wrong-shape/, /320/],
  ["unknown", /unsupported-architecture/, /rnn/],
  ["no-json", /invalid-config/, /config\.json/],
  ["bad-tokenizer", /invalid-tokenizer/, /tokenizer\.json/],
  ["nowhere", /fetch-failed/, /nowhere\/.*404/],
])(
  "a folder that is %s is refused with a reason",
  async (name, code, reason) => {
    explorer = await tester.open();
    await load(`checkpoints/${name}/`);
    const alert = explorer.locator("as-load-status [role=alert]");
    await alert.waitFor();
    const text = (await alert.textContent())!;
    expect(text).toMatch(code);
    expect(text).toMatch(reason);
    await stillWorks();
    await alert.getByRole("button", { name: "Close" }).click();
    await explorer.drawn();
    expect(await alert.count()).toBe(0);
  },
);

test("a good folder by URL replaces the model, and the link names it", async () => {
  explorer = await tester.open();
  await load("checkpoints/whole/");
  await explorer.page.getByRole("button", { name: /^whole/ }).waitFor();
  await stillWorks();
  await expect
    .poll(() => explorer.page.evaluate(() => location.hash), soon)
    .toContain("checkpoints%2Fwhole%2F");
  expect(explorer.problems).toEqual([]);
});

/** The hub as this page sees it: one repository with one revision. */
async function beTheHub(): Promise<string[]> {
  const asked: string[] = [];
  await explorer.page.route("https://huggingface.co/**", async (route) => {
    const path = new URL(route.request().url()).pathname;
    asked.push(path);
    const name = path.replace("/someone/whole/resolve/v1.0/", "");
    const known = files.find((file) => file === name);
    const headers = { "access-control-allow-origin": "*" };
    await route.fulfill(
      known === undefined
        ? { status: 404, headers, body: "Entry not found" }
        : { headers, path: join(folder, "whole", known) },
    );
  });
  return asked;
}

test("a repository of the hub by name replaces the model, and its link opens it", async () => {
  explorer = await tester.open();
  const asked = await beTheHub();
  await loadNamed(" someone/whole@v1.0 ");
  await explorer.page.getByRole("button", { name: /^whole/ }).waitFor();
  await stillWorks();
  expect(asked).toContain("/someone/whole/resolve/v1.0/model.safetensors");
  await expect
    .poll(() => explorer.page.evaluate(() => location.hash), soon)
    .toContain("hub=someone%2Fwhole%40v1.0");
  expect(explorer.problems).toEqual([]);
  await explorer.page.reload();
  await explorer.settled();
  expect(await explorer.read((state) => state.model!.source)).toEqual({
    kind: "hub",
    hub: "someone/whole",
    revision: "v1.0",
  });
});

test("a repository that the hub does not have is refused with its address", async () => {
  explorer = await tester.open();
  await beTheHub();
  await loadNamed("someone/nothing");
  const alert = explorer.locator("as-load-status [role=alert]");
  await alert.waitFor();
  expect(await alert.textContent()).toContain(
    "https://huggingface.co/someone/nothing/resolve/main/config.json is not there (HTTP 404)",
  );
  await stillWorks();
});

test("a load shows its bytes and can be cancelled", async () => {
  explorer = await tester.open();
  await load("slow/whole/");
  const status = explorer.locator("as-load-status");
  const bytes = statSync(join(talesFolder, "model.safetensors")).size;
  const whole = `of ${(bytes / 1e6).toFixed(1)} MB`;
  await expect
    .poll(
      () =>
        status
          .locator(".amount")
          .textContent()
          .catch(() => ""),
      soon,
    )
    .toMatch(new RegExp(`weights:\\s+\\d.*kB\\s*${whole}, \\d+ %`, "s"));
  await stillWorks();
  await status.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => status.locator("progress").count(), soon).toBe(0);
  expect(await status.locator("[role=alert]").count()).toBe(0);
  expect(await explorer.read((state) => state.model!.source.kind)).toBe(
    "bundled",
  );
  await stillWorks();
});

test("files from disk load", async () => {
  explorer = await tester.open();
  await explorer.locator("header.top button").first().click();
  await explorer.page
    .getByLabel("Files", { exact: true })
    .setInputFiles(files.map((file) => join(folder, "whole", file)));
  await expect
    .poll(() => explorer.read((state) => state.model!.source.kind), soon)
    .toBe("files");
  await stillWorks();
  expect(explorer.problems).toEqual([]);
});

test("a folder from disk loads and gives its name", async () => {
  explorer = await tester.open();
  await explorer.locator("header.top button").first().click();
  await explorer.page
    .getByLabel("Folder", { exact: true })
    .setInputFiles(join(folder, "whole"));
  await explorer.page.getByRole("button", { name: /^whole/ }).waitFor();
  await stillWorks();
});

test("a folder in a folder from disk loads", async () => {
  explorer = await tester.open();
  const outer = mkdtempSync(join(tmpdir(), "attnscope-outer-"));
  cpSync(join(folder, "whole"), join(outer, "inner"), { recursive: true });
  writeFileSync(join(outer, "config.json.bak"), "{}");
  await explorer.locator("header.top button").first().click();
  await explorer.page
    .getByLabel("Folder", { exact: true })
    .setInputFiles(outer);
  await expect
    .poll(() => explorer.read((state) => state.model!.source.kind), soon)
    .toBe("files");
  await stillWorks();
  rmSync(outer, { recursive: true });
});

test("files dropped on the page load", async () => {
  explorer = await tester.open();
  const contents = files.map(
    (file) =>
      [
        file,
        readFileSync(join(folder, "whole", file)).toString("base64"),
      ] as const,
  );
  const transfer = await explorer.page.evaluateHandle((dropped) => {
    const data = new DataTransfer();
    for (const [name, base64] of dropped) {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      data.items.add(new File([bytes], name));
    }
    return data;
  }, contents);
  const page = explorer.locator(".page");
  await page.dispatchEvent("dragover", { dataTransfer: transfer });
  await page.dispatchEvent("drop", { dataTransfer: transfer });
  await expect
    .poll(() => explorer.read((state) => state.model!.source.kind), soon)
    .toBe("files");
  await stillWorks();
});

test("files without config.json are refused, naming it", async () => {
  explorer = await tester.open();
  await explorer.locator("header.top button").first().click();
  await explorer.page
    .getByLabel("Files", { exact: true })
    .setInputFiles(join(folder, "whole", "model.safetensors"));
  const alert = explorer.locator("as-load-status [role=alert]");
  await alert.waitFor();
  expect(await alert.textContent()).toMatch(/config\.json/);
  await stillWorks();
});

test("without its engine the page says which file is missing", async () => {
  const context = await tester.browser.newContext();
  const page = await context.newPage();
  await page.route(/\.wasm$/, (route) =>
    route.fulfill({ status: 404, body: "" }),
  );
  explorer = new Explorer(page);
  await page.goto(tester.server.url);
  const alert = explorer.locator("as-load-status [role=alert]");
  await alert.waitFor();
  expect(await alert.textContent()).toMatch(/module-missing.*\.wasm/s);
});
