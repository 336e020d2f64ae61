// The models that come with the page: the menu, their texts and cards; and the
// logit lens on them.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { bundledModels } from "../../web/src/state/bundled-models.js";
import { axeFaults } from "./support/axe.js";
import { PageTester, phone, soon, type Explorer } from "./support/explorer.js";
import { smallBert } from "./support/small-models.js";

const folder = mkdtempSync(join(tmpdir(), "attnscope-models-"));
smallBert(join(folder, "carded"));
smallBert(join(folder, "bare"));
writeFileSync(
  join(folder, "carded", "README.md"),
  "# A card\n\n<img src=x onerror=alert(1)> and **more**\n",
);

let tester: PageTester;
let explorer: Explorer;

beforeAll(async () => {
  tester = await PageTester.start([{ at: "/small/", folder }]);
});
afterAll(async () => {
  await tester.stop();
  rmSync(folder, { recursive: true });
});
afterEach(() => explorer.close());

const at = (name: string) =>
  `#v1?${new URLSearchParams({ model: `${tester.server.url}small/${name}/`, text: "the cat" })}`;

const panel = () => explorer.locator("header.top button").first();

async function pick(name: string): Promise<void> {
  await panel().click();
  await explorer
    .locator("as-model-panel .menu button")
    .filter({ hasText: name })
    .click();
  await expect
    .poll(
      () =>
        explorer.read(({ model, loading, stale }) => {
          const source = model!.source;
          return [source.kind === "bundled" && source.name, !loading, !stale];
        }),
      soon,
    )
    .toEqual([name, true, true]);
  await explorer.settled();
}

test("a model of the menu brings its text; a person's own text stays", async () => {
  explorer = await tester.open();
  await pick("bridge");
  const [bridge, echo] = [bundledModels[1]!, bundledModels[2]!];
  expect(await explorer.read((state) => state.text)).toBe(
    bridge.examples[0]!.text,
  );
  expect(await explorer.read((state) => state.settings.temperature)).toBe(0);
  const second = bridge.examples[1]!;
  await explorer.page.getByRole("button", { name: second.name }).click();
  await explorer.settled();
  expect(await explorer.read((state) => state.text)).toBe(second.text);
  await pick("echo");
  expect(await explorer.read((state) => state.text)).toBe(
    echo.examples[0]!.text,
  );
  await explorer.type("abcabc");
  await pick("tales");
  expect(await explorer.read((state) => state.text)).toBe("abcabc");
  expect(explorer.problems).toEqual([]);
});

test("bridge translates, and its cross-attention looks at the word it translates", async () => {
  explorer = await tester.open("#v1?bundled=bridge");
  expect(await explorer.read((state) => state.text)).toBe(
    "The bank was crowded near the river.",
  );
  await explorer.generate("Translate 20");
  await explorer.settled();
  expect(await explorer.locator("as-generate-panel .text").innerText()).toMatch(
    /^La rive /,
  );
  const target = await explorer.strip("Target tokens");
  const source = await explorer.strip("Source tokens");
  const labels = await explorer
    .locator("as-heatmap .axis.query .label")
    .allTextContents();
  expect(labels).toEqual(target.slice(1));
  const row = labels.indexOf("␣rive");
  const best: number[] = [];
  const { numLayers, numQueryHeads } = await explorer.read(
    (state) => state.model!.config,
  );
  for (let layer = 0; layer < numLayers; layer++) {
    for (let head = 0; head < numQueryHeads; head++) {
      const name = `layer ${layer}, head ${head}`;
      await explorer.locator("as-heads").getByLabel(name).click();
      await expect
        .poll(
          () =>
            explorer.read(
              ({ pattern, head }) =>
                pattern!.id.layer === head!.layer &&
                pattern!.id.head === head!.head,
            ),
          soon,
        )
        .toBe(true);
      const { weights, cols } = await explorer.read(({ pattern }) => ({
        weights: [...pattern!.weights],
        cols: pattern!.cols,
      }));
      const one = weights.slice(row * cols, (row + 1) * cols);
      best.push(one.indexOf(Math.max(...one)));
    }
  }
  expect(best).toContain(source.indexOf("␣bank"));
  expect(explorer.problems).toEqual([]);
});

test("a link opens a bundled model with its text", async () => {
  explorer = await tester.open("#v1?bundled=echo");
  expect(await explorer.read((state) => state.text)).toBe(
    bundledModels[2]!.examples[0]!.text,
  );
  await expect
    .poll(() => explorer.page.evaluate(() => location.hash), soon)
    .toMatch(/bundled=echo/);
});

test("a model's card is read as text", async () => {
  explorer = await tester.open();
  await panel().click();
  await explorer.page.getByText("Model card").click();
  const card = explorer.locator("as-model-card .card");
  await card.waitFor();
  expect(await card.locator("h3").first().innerText()).toBe("tales");
  expect(await card.locator("table").count()).toBeGreaterThan(0);
  expect(await axeFaults(explorer)).toEqual([]);
  expect(explorer.problems).toEqual([]);
});

test("HTML in a checkpoint's own card is shown, not obeyed", async () => {
  explorer = await tester.open(at("carded"));
  await panel().click();
  await explorer.page.getByText("Model card").click();
  const card = explorer.locator("as-model-card .card");
  await card.waitFor();
  expect(await card.innerText()).toContain(
    "<img src=x onerror=alert(1)> and more",
  );
  expect(await card.locator("img").count()).toBe(0);
  expect(explorer.problems).toEqual([]);
});

test("a folder without a card says so", async () => {
  explorer = await tester.open(at("bare"));
  await panel().click();
  await explorer.page.getByText("Model card").click();
  await explorer.page.getByText("This folder has no README.md.").waitFor();
});

const lens = () =>
  explorer.read(({ lens, run, stale }) =>
    lens &&
    !stale &&
    lens.runId === run!.id &&
    lens.length === run!.tokens.length
      ? {
          position: lens.position,
          layers: lens.layers.map((tokens) =>
            tokens.map(({ id, probability }) => ({ id, probability })),
          ),
        }
      : undefined,
  );

test.each(["tales", "bridge", "echo"])(
  "the logit lens after the last layer of %s is the prediction; it follows the row",
  async (name) => {
    explorer = await tester.open(`#v1?bundled=${name}`);
    expect(await explorer.read((state) => state.lens)).toBeUndefined();
    await explorer.locator("as-logit-lens summary").click();
    await expect.poll(lens, soon).toBeDefined();
    for (const step of [0, 1]) {
      if (step > 0) await explorer.generate("One token");
      const { next, last, numLayers } = await explorer.read(
        ({ run, model }) => ({
          next: run!.next.slice(0, 3).map(({ id, probability }) => ({
            id,
            probability,
          })),
          last: run!.tokens.length - 1,
          numLayers: model!.config.numLayers,
        }),
      );
      await expect.poll(async () => (await lens())?.position, soon).toBe(last);
      const { layers } = (await lens())!;
      expect(layers.length).toBe(numLayers);
      layers.at(-1)!.forEach(({ id, probability }, rank) => {
        expect(id).toBe(next[rank]!.id);
        expect(probability).toBeCloseTo(next[rank]!.probability, 4);
      });
    }
    expect(await explorer.locator("as-logit-lens tbody tr").count()).toBe(
      await explorer.read((state) => state.model!.config.numLayers),
    );
    await explorer
      .locator('as-token-strip[side="text"] button:not(:disabled)')
      .first()
      .click();
    await expect.poll(async () => (await lens())?.position, soon).toBe(0);
    expect(explorer.problems).toEqual([]);
  },
);

test.each([
  ["wide", {}],
  ["phone", phone],
  ["wide, dark", { colorScheme: "dark" as const }],
])(
  "no accessibility faults on bridge with its lens, %s",
  async (_name, size) => {
    explorer = await tester.open("#v1?bundled=bridge&lens=open", size);
    await explorer.locator("as-logit-lens table").waitFor();
    expect(await axeFaults(explorer)).toEqual([]);
    expect(
      await explorer.page.evaluate(() => document.documentElement.scrollWidth),
    ).toBe(explorer.page.viewportSize()!.width);
  },
);
