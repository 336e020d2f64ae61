// The page's main job on the model that comes with it: text in, attention out,
// on with generation. Traps of other systems are named by what must hold.

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { lightPalette, parseHex } from "../../web/src/pictures/colours.js";
import { initialState } from "../../web/src/state/state.js";
import { PageTester, soon, type Explorer } from "./support/explorer.js";

let tester: PageTester;
let explorer: Explorer;

beforeAll(async () => {
  tester = await PageTester.start();
});
afterAll(() => tester.stop());
afterEach(async () => {
  expect(explorer.problems).toEqual([]);
  await explorer.close();
});

const withText = (text: string) => `#v1?${new URLSearchParams({ text })}`;

test("opens with a model, a text, a head and a row, all computed", async () => {
  explorer = await tester.open();
  const strip = await explorer.strip();
  expect(strip.join("").replaceAll("␣", " ")).toBe(initialState.text);
  for (const sum of await explorer.rowSums()) expect(sum).toBeCloseTo(1, 5);
  const { head, pinned, variant } = await explorer.read((state) => ({
    head: state.head!,
    pinned: state.pinned!,
    variant: state.model!.variant.variant,
  }));
  expect(
    await explorer
      .locator("as-heads [aria-pressed=true]")
      .getAttribute("aria-label"),
  ).toBe(`layer ${head.layer}, head ${head.head}`);
  expect(await explorer.locator("as-cell-card .sum").textContent()).toBe(
    "1.00",
  );
  expect(await explorer.locator("as-row-bars li").count()).toBe(
    pinned.query + 1,
  );
  expect(await explorer.locator("header.top").textContent()).toContain(variant);
});

test("the picture's pixels are the weights: 0 is the ground, masked is hatched", async () => {
  explorer = await tester.open();
  const first = await explorer.read((state) => state.pattern!.weights[0]!);
  expect(first).toBe(1); // the first token sees only itself
  expect(await explorer.cellColour(0, 0)).toBe(
    parseHex(lightPalette.ink).join(),
  );
  const colours = await explorer
    .locator("as-heatmap canvas")
    .evaluate((element) => {
      const canvas = element as HTMLCanvasElement;
      const size = Math.floor(canvas.width / 4);
      const { data } = canvas
        .getContext("2d")!
        .getImageData(canvas.width - size, 0, size, size);
      const seen = new Set<string>();
      for (let i = 0; i < data.length; i += 4) {
        seen.add([data[i], data[i + 1], data[i + 2]].join());
      }
      return [...seen].sort();
    });
  expect(colours).toEqual(
    [
      parseHex(lightPalette.ground).join(),
      parseHex(lightPalette.hatch).join(),
    ].sort(),
  );
});

test("the legend of weights shows the domain 0 to 1", async () => {
  explorer = await tester.open();
  const legend = explorer.locator("as-legend");
  expect(await legend.locator(".domain").textContent()).toMatch(
    /weight, 0 to 1;/,
  );
  const ticks = await legend.locator(".ticks span").allTextContents();
  expect([ticks[0], ticks.at(-1)]).toEqual(["0", "1"]);
  await explorer.page.getByLabel("square root").check();
  await explorer.drawn();
  expect(await legend.locator(".domain").textContent()).toMatch(
    /0 to 1; ?square root/,
  );
});

test("characters of several tokens are joined, and none is replaced", async () => {
  explorer = await tester.open(withText("你好 🙂"));
  const strip = await explorer.strip();
  expect(strip.join("")).not.toMatch(/\uFFFD/);
  for (const character of ["你", "好", "🙂"]) {
    expect(strip.some((label) => label.includes(character))).toBe(true);
  }
});

test.each(["a<b<c", '"><img src=x onerror=1>'])(
  "text %j is shown as typed and nothing of it is executed",
  async (text) => {
    explorer = await tester.open();
    await explorer.type(text);
    expect(await explorer.locator("textarea").inputValue()).toBe(text);
    expect((await explorer.strip()).join("").replaceAll("␣", " ")).toBe(text);
    expect(await explorer.page.locator("img").count()).toBe(0);
  },
);

test("equal tokens are rows and columns of their own", async () => {
  explorer = await tester.open(withText(" the cat the cat"));
  expect(await explorer.strip()).toEqual(["␣the", "␣cat", "␣the", "␣cat"]);
  expect(
    await explorer.read((state) => [state.pattern!.rows, state.pattern!.cols]),
  ).toEqual([4, 4]);
  const axis = (name: string) =>
    explorer.locator(`as-heatmap .axis.${name} .label`).allTextContents();
  expect(await axis("query")).toEqual(["␣the", "␣cat", "␣the", "␣cat"]);
  expect(await axis("key")).toEqual(["␣the", "␣cat", "␣the", "␣cat"]);
});

test.each(["hello\nworld", "we'll  go", "a\t\tb", "trailing space "])(
  "%j reaches the model byte for byte",
  async (text) => {
    explorer = await tester.open();
    await explorer.type(text);
    const bytes = await explorer.read((state) =>
      state.run!.tokens.flatMap((token) => [...token.bytes]),
    );
    expect(new TextDecoder().decode(Uint8Array.from(bytes))).toBe(text);
    expect((await explorer.strip()).join("")).toBe(
      text.replaceAll(" ", "␣").replaceAll("\n", "↵").replaceAll("\t", "⇥"),
    );
  },
);

test("three tokens and three generated make six rows, each summing to 1", async () => {
  explorer = await tester.open(withText(" the cat sat"));
  expect(await explorer.read((state) => state.pattern!.rows)).toBe(3);
  for (const rows of [4, 5, 6]) {
    await explorer.generate("One token");
    expect(await explorer.read((state) => state.pattern!.rows)).toBe(rows);
  }
  for (const sum of await explorer.rowSums()) expect(sum).toBeCloseTo(1, 5);
  const labels = explorer.locator("as-heatmap .axis.query .label");
  expect(await labels.count()).toBe(6);
  expect(await explorer.locator("as-token-strip .generated").count()).toBe(3);
  await explorer.page.getByRole("button", { name: "Start over" }).click();
  await explorer.settled();
  expect(await explorer.read((state) => state.pattern!.rows)).toBe(3);
});

test("the same seed generates the same text, and the text is on the page", async () => {
  explorer = await tester.open();
  const texts: string[] = [];
  for (let i = 0; i < 2; i++) {
    await explorer.generate(/^Generate/);
    texts.push(
      (await explorer.locator("as-generate-panel .text").textContent())!,
    );
    await explorer.page.getByRole("button", { name: "Start over" }).click();
    await explorer.settled();
  }
  expect(texts[0]).not.toBe("");
  expect(texts[1]).toBe(texts[0]);
});

test("generation can be stopped", async () => {
  explorer = await tester.open();
  // Hot enough that the model does not come to its end token first.
  await explorer.page.getByLabel("temperature").fill("3");
  await explorer.page.getByLabel("tokens", { exact: true }).fill("400");
  await explorer.page.getByLabel("tokens", { exact: true }).press("Tab");
  await explorer.page.getByRole("button", { name: "Generate 400" }).click();
  await explorer.page.getByRole("button", { name: "Stop" }).click();
  await explorer.page.getByRole("button", { name: "One token" }).waitFor();
  const generation = await explorer.read((state) => ({
    reason: state.generation!.reason,
    tokens: state.generation!.probabilities.length,
  }));
  expect(generation.reason).toBe("cancelled");
  expect(generation.tokens).toBeLessThan(400);
});

test("masks: none shows what comes later, a window hides what is far", async () => {
  explorer = await tester.open();
  const seen = () =>
    explorer.read((state) => {
      const { rows, cols, weights } = state.pattern!;
      return Array.from(
        { length: rows },
        (_, row) =>
          weights
            .subarray(row * cols, (row + 1) * cols)
            .filter((weight) => weight > 0).length,
      );
    });
  const causal = await seen();
  expect(causal).toEqual(causal.map((_, row) => row + 1));
  await explorer.page.getByRole("radio", { name: "none" }).check();
  await explorer.settled();
  expect(await seen()).toEqual(causal.map(() => causal.length));
  await explorer.page.getByRole("radio", { name: "window" }).check();
  await explorer.settled();
  await explorer.page.getByLabel("Keys in the window").fill("2");
  await explorer.page.getByLabel("Keys in the window").press("Enter");
  await explorer.settled();
  expect(await seen()).toEqual(causal.map((_, row) => Math.min(row + 1, 2)));
});

test("the way leads to scores, masked scores and weights with their shapes", async () => {
  explorer = await tester.open();
  const length = (await explorer.strip()).length;
  const heads = await explorer.read(
    (state) => state.model!.config.numQueryHeads,
  );
  const shape = `${heads}×${length}×${length}`;
  const way = explorer.locator("as-way");
  for (const [name, stage] of [
    ["S", "scores"],
    ["S·c + M", "masked"],
    ["A", "weights"],
  ] as const) {
    await way.getByRole("button", { name: `${name} ${shape}` }).click();
    expect(await explorer.read((state) => state.stage)).toBe(stage);
  }
});

test("stations show live vectors, also those of generated tokens", async () => {
  explorer = await tester.open();
  const pictures = () =>
    explorer
      .locator("as-way canvas[data-vector]:not(.stale)")
      .evaluateAll((canvases) =>
        canvases.map((element) => {
          const canvas = element as HTMLCanvasElement;
          const { data } = canvas
            .getContext("2d")!
            .getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer)).size > 8;
        }),
      );
  await expect.poll(pictures, soon).toEqual(new Array(6).fill(true));
  await explorer.generate("One token");
  await expect.poll(pictures, soon).toEqual(new Array(6).fill(true));
  expect(await explorer.read((state) => state.way!.length)).toBe(
    (await explorer.strip()).length,
  );
});

test("the table holds the picture's numbers", async () => {
  explorer = await tester.open(withText(" the cat sat"));
  await explorer.page.getByText("The same as a table").click();
  await explorer.drawn();
  const cells = await explorer.locator("as-pattern-table td").allTextContents();
  const weights = await explorer.read((state) => [...state.pattern!.weights]);
  expect(cells.length).toBe(9);
  cells.forEach((cell, index) => {
    const [row, col] = [Math.floor(index / 3), index % 3];
    if (col > row) expect(cell).toBe("masked");
    else expect(Number(cell)).toBeCloseTo(weights[index]!, 2);
  });
});

test("512 tokens: a picture soon, the page never stuck, a run can be cancelled", async () => {
  explorer = await tester.open();
  await explorer.page.evaluate(() => {
    const blocks: number[] = [];
    Object.assign(window, { blocks });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) blocks.push(entry.duration);
    }).observe({ type: "longtask" });
  });
  const started = Date.now();
  await explorer.type(" the".repeat(512));
  expect(Date.now() - started).toBeLessThan(15_000);
  expect(await explorer.read((state) => state.pattern!.rows)).toBe(512);
  const blocks = await explorer.page.evaluate(
    () => (window as unknown as { blocks: number[] }).blocks,
  );
  expect(Math.max(0, ...blocks)).toBeLessThan(1500);

  // From within the page, since the run may be over within a blink.
  await explorer.locator("as-text-field").evaluate(async (field) => {
    const root = field.shadowRoot!;
    const area = root.querySelector("textarea")!;
    area.value = " cat".repeat(512);
    area.dispatchEvent(new Event("input"));
    const cancel = () =>
      [...root.querySelectorAll("button")].find((button) =>
        button.textContent.includes("Cancel"),
      );
    while (!cancel()) await new Promise((resolve) => setTimeout(resolve, 1));
    cancel()!.click();
  });
  expect(await explorer.read((state) => [state.running, state.stale])).toEqual([
    false,
    true,
  ]);
  await explorer.type(" a dog");
  expect(await explorer.strip()).toEqual(["␣a", "␣dog"]);
});

test("a text longer than the context says so, and the next one runs", async () => {
  explorer = await tester.open();
  await explorer.type(" the".repeat(600));
  const alert = explorer.locator("as-text-field [role=alert]");
  expect(await alert.textContent()).toMatch(
    /capacity-reached|invalid-argument/,
  );
  expect(await alert.textContent()).toMatch(/512/);
  await explorer.type(" a dog");
  expect(await alert.count()).toBe(0);
  expect(await explorer.strip()).toEqual(["␣a", "␣dog"]);
});

test("an empty text is an invitation, not an error", async () => {
  explorer = await tester.open();
  await explorer.locator("textarea").fill("");
  await explorer.page
    .getByText("Type a text to see where attention goes.")
    .waitFor();
  expect(await explorer.page.locator("[role=alert]").count()).toBe(0);
  await explorer.type(" a dog");
});

test("two explorers on one page work side by side", async () => {
  explorer = await tester.open(withText(" the cat sat"));
  await explorer.page.evaluate(() => {
    document.body.append(document.createElement("as-explorer"));
  });
  const second = explorer.page.locator("as-explorer").nth(1);
  await second.locator("as-token-strip .token").first().waitFor();
  await second.locator("textarea").fill(" a dog");
  await expect
    .poll(() => second.locator("as-token-strip .token").allTextContents(), soon)
    .toEqual(["␣a", "␣dog"]);
  await second.getByRole("radio", { name: "none" }).check();
  await second.getByRole("button", { name: "One token" }).click();
  await expect
    .poll(() => second.locator("as-token-strip .token").count(), soon)
    .toBe(3);
  expect(await explorer.strip()).toEqual(["␣the", "␣cat", "␣sat"]);
  expect(await explorer.read((state) => state.masks)).toEqual({});
  await explorer.generate("One token");
  expect((await explorer.strip()).length).toBe(4);
  expect(await second.locator("as-token-strip .token").count()).toBe(3);
});

test("a link opens what it was copied from", async () => {
  explorer = await tester.open(withText("the bank by the river "));
  await explorer.locator("as-heads").getByLabel("layer 1, head 2").click();
  await explorer.page.getByLabel("logarithm with a floor").check();
  await explorer.locator("as-row-bars button").first().click();
  await explorer.settled();
  const seen = (one: Explorer) =>
    one.read(({ text, head, scale, pinned }) => ({
      text,
      head,
      scale,
      pinned,
    }));
  const before = await seen(explorer);
  expect(before.head).toEqual({ attention: "self", layer: 1, head: 2 });
  await expect
    .poll(() => explorer.page.evaluate(() => location.hash), soon)
    .toMatch(/scale=log&cell=\d+%2C0/);
  const fragment = await explorer.page.evaluate(() => location.hash);
  await explorer.close();
  explorer = await tester.open(fragment);
  expect(await seen(explorer)).toEqual(before);
});
