// Using the page by keyboard, by touch, in the dark and on a narrow screen.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  darkPalette,
  lightPalette,
  parseHex,
} from "../../web/src/pictures/colours.js";
import { axeFaults } from "./support/axe.js";
import { PageTester, soon, phone, type Explorer } from "./support/explorer.js";

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

const active = (one: Explorer) =>
  one.read((state) => state.preview ?? state.pinned);

test("arrows move the chosen cell, the read-out follows, Escape releases", async () => {
  explorer = await tester.open();
  const { page } = explorer;
  const start = (await active(explorer))!.query;
  await explorer.locator("as-heatmap .plot").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowUp");
  expect(await active(explorer)).toEqual({ query: start - 1, key: start - 1 });
  await page.keyboard.press("Home");
  expect(await active(explorer)).toEqual({ query: start - 1, key: 0 });
  const words = new RegExp(
    `query ${start - 1} '.*' → key 0 'The': score .*, scaled .*, weight .*, rank \\d+ of ${start}`,
  );
  expect(
    await explorer.locator("as-heatmap [aria-live]").textContent(),
  ).toMatch(words);
  expect(await explorer.locator("as-cell-card dl").textContent()).toMatch(
    /rank\s+\d+ of/,
  );
  expect(await explorer.locator("as-heatmap .mark.cell").count()).toBe(1);
  await page.keyboard.press("Escape");
  expect(await active(explorer)).toBeUndefined();
  expect(await explorer.locator("as-heatmap .mark").count()).toBe(0);
});

test("the read-out is the numbers: scaled = score x scale, softmax gives the weight", async () => {
  explorer = await tester.open();
  await explorer.locator("as-heatmap .plot").focus();
  await explorer.page.keyboard.press("ArrowLeft");
  await explorer.page.getByRole("button", { name: "all digits" }).click();
  await explorer.drawn();
  const values = (await explorer.locator("as-cell-card dd").allTextContents())
    .slice(0, 3)
    .map(Number);
  const [score, scaled, weight] = values as [number, number, number];
  const facts = await explorer.read((state) => {
    const { query, key } = state.pinned as { query: number; key: number };
    const { cols, maskedScores } = state.pattern!;
    const row = [...maskedScores.subarray(query * cols, (query + 1) * cols)];
    const most = Math.max(...row);
    const sum = row.reduce((total, one) => total + Math.exp(one - most), 0);
    return {
      scale: state.model!.config.attentionScale,
      weight: Math.exp(row[key]! - most) / sum,
    };
  });
  expect(scaled).toBeCloseTo(score * facts.scale, 4);
  expect(weight).toBeCloseTo(facts.weight, 5);
});

test("heads and tokens are walked with arrows", async () => {
  explorer = await tester.open();
  await explorer.locator("as-heads").getByLabel("layer 0, head 0").click();
  await explorer.page.keyboard.press("ArrowRight");
  await explorer.page.keyboard.press("ArrowDown");
  expect(await explorer.read((state) => state.head)).toEqual({
    attention: "self",
    layer: 1,
    head: 1,
  });
  await explorer.locator("as-token-strip button").nth(2).click();
  await explorer.page.keyboard.press("ArrowRight");
  expect(await active(explorer)).toEqual({ query: 3 });
});

test("hover previews, click pins, one selection lights every view", async () => {
  explorer = await tester.open();
  const plot = explorer.locator("as-heatmap .plot");
  const box = (await plot.boundingBox())!;
  const count = await explorer.read((state) => state.pattern!.cols);
  const place = (cell: number) => ((cell + 0.5) / count) * box.width;
  await explorer.page.mouse.move(box.x + place(2), box.y + place(6));
  expect(await active(explorer)).toEqual({ query: 6, key: 2 });
  expect(
    await explorer
      .locator("as-token-strip .is-query")
      .getAttribute("data-position"),
  ).toBe("6");
  expect(
    await explorer
      .locator("as-token-strip .is-key")
      .getAttribute("data-position"),
  ).toBe("2");
  expect(await explorer.locator("as-row-bars .chosen").count()).toBe(1);
  await explorer.page.mouse.click(box.x + place(2), box.y + place(6));
  await explorer.page.mouse.move(5, 5);
  expect(await active(explorer)).toEqual({ query: 6, key: 2 });
});

test("the whole page is reached by Tab, and focus can be seen", async () => {
  explorer = await tester.open();
  const reached = new Set<string>();
  for (let i = 0; i < 40; i++) {
    await explorer.page.keyboard.press("Tab");
    const here = await explorer.page.evaluate(() => {
      let element = document.activeElement;
      const path: string[] = [];
      while (element?.shadowRoot?.activeElement) {
        element = element.shadowRoot.activeElement;
        path.push(element.localName);
      }
      return path.join(" ");
    });
    reached.add(
      here
        .split(" ")
        .find((name) => name.startsWith("as-") && name !== "as-picture") ??
        here,
    );
  }
  for (const name of [
    "as-text-field",
    "as-token-strip",
    "as-way",
    "as-heads",
    "as-mask-panel",
    "as-heatmap",
    "as-row-bars",
    "as-generate-panel",
    "as-pattern-table",
  ]) {
    expect([...reached], name).toContain(name);
  }
});

describe.each([
  ["light", lightPalette],
  ["dark", darkPalette],
] as const)("%s", (scheme, palette) => {
  const ground = `rgb(${parseHex(palette.ground).join(", ")})`;
  const background = () =>
    explorer.page
      .locator("as-explorer")
      .evaluate((element) => getComputedStyle(element).backgroundColor);

  test("the page follows the system", async () => {
    explorer = await tester.open("", { colorScheme: scheme });
    expect(await background()).toBe(ground);
    expect(await explorer.cellColour(0, 0)).toBe(parseHex(palette.ink).join());
  });

  test("the theme can be chosen against the system", async () => {
    explorer = await tester.open("", {
      colorScheme: scheme === "light" ? "dark" : "light",
    });
    await explorer.page.getByLabel("Theme").selectOption(scheme);
    await explorer.drawn();
    expect(await background()).toBe(ground);
    await expect
      .poll(() => explorer.cellColour(0, 0), soon)
      .toBe(parseHex(palette.ink).join());
  });

  test.each([
    ["wide", {}],
    ["phone", phone],
  ])("no accessibility faults, %s", async (_name, size) => {
    explorer = await tester.open("", { colorScheme: scheme, ...size });
    await explorer.generate("One token");
    expect(await axeFaults(explorer)).toEqual([]);
  });
});

test("at 360 px nothing sticks out and controls are large enough to touch", async () => {
  explorer = await tester.open("", phone);
  expect(
    await explorer.page.evaluate(() => document.documentElement.scrollWidth),
  ).toBe(360);
  const small = await explorer.page.evaluate(() => {
    const found: string[] = [];
    const visit = (root: Document | ShadowRoot) => {
      for (const element of root.querySelectorAll<HTMLElement>("*")) {
        if (element.shadowRoot) visit(element.shadowRoot);
        if (
          !element.matches(
            "button, select, input[type=number], label:has(input[type=radio])",
          )
        )
          continue;
        const { width, height } = element.getBoundingClientRect();
        if (height > 0 && (height < 43.5 || width < 27.5)) {
          found.push(`${element.outerHTML.slice(0, 80)} ${width}x${height}`);
        }
      }
    };
    visit(document);
    return found;
  });
  expect(small).toEqual([]);
});

test("on a phone a tap pins and the read-out follows; heads come from below", async () => {
  explorer = await tester.open("", phone);
  const plot = explorer.locator("as-heatmap .plot");
  await plot.scrollIntoViewIfNeeded();
  const box = (await plot.boundingBox())!;
  const count = await explorer.read((state) => state.pattern!.cols);
  await explorer.page.touchscreen.tap(
    box.x + (0.5 / count) * box.width,
    box.y + (2.5 / count) * box.height,
  );
  expect(await active(explorer)).toEqual({ query: 2, key: 0 });
  expect(
    await explorer.locator(".dock as-cell-card .who").textContent(),
  ).toMatch(/query 2\s/);
  await explorer.page.getByRole("button", { name: /^Heads/ }).tap();
  await explorer
    .locator("dialog.sheet as-heads")
    .getByLabel("layer 3, head 0")
    .tap();
  await explorer.settled();
  expect(await explorer.read((state) => state.pattern!.id)).toEqual({
    attention: "self",
    layer: 3,
    head: 0,
  });
  await explorer
    .locator("dialog.sheet")
    .getByRole("button", { name: "Close" })
    .tap();
  await explorer.drawn();
  expect(await explorer.locator("dialog.sheet").isVisible()).toBe(false);
});
