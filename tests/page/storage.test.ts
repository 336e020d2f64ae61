// How a model's numbers are kept: chosen, linked, and what it changes said.

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { axeFaults } from "./support/axe.js";
import { PageTester, phone, soon, type Explorer } from "./support/explorer.js";

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

const open = () => explorer.locator("header.top button").first().click();

async function keepAs(kind: string): Promise<void> {
  await explorer.page.getByLabel("Numbers kept as").selectOption(kind);
  await expect
    .poll(
      () =>
        explorer.read(({ model, loading, stale }) => [
          model!.storage,
          !loading,
          !stale,
        ]),
      soon,
    )
    .toEqual([kind, true, true]);
  await explorer.settled();
}

const compared = () =>
  explorer.read(({ comparison, run }) =>
    comparison?.runId === run!.id ? comparison.result : undefined,
  );

/** A weight of the shown run, as the picture has it. */
async function weightAt(layer: number, head: number, cell: number[]) {
  await explorer
    .locator("as-heads")
    .getByLabel(`layer ${layer}, head ${head}`)
    .click();
  await expect
    .poll(
      () =>
        explorer.read(
          ({ pattern, head, run }) =>
            pattern!.runId === run!.id &&
            pattern!.id.layer === head!.layer &&
            pattern!.id.head === head!.head,
        ),
      soon,
    )
    .toBe(true);
  const { cols, weights } = await explorer.read(({ pattern }) => ({
    cols: pattern!.cols,
    weights: [...pattern!.weights],
  }));
  return weights[cell[0]! * cols + cell[1]!]!;
}

test("int8 says what it changes on this text, and the picture bears it out", async () => {
  explorer = await tester.open();
  const text = await explorer.read((state) => state.text);
  const before = await explorer.read((state) => state.model!.storedBytes);
  await open();
  await keepAs("int8");
  expect(await explorer.read((state) => state.text)).toBe(text);
  expect(await explorer.read((state) => state.model!.storedBytes)).toBeLessThan(
    before / 2,
  );
  await explorer.page
    .getByRole("button", { name: "Compare with float32" })
    .click();
  await expect.poll(compared, soon).toBeDefined();
  const { weight, logit } = (await compared())!;
  expect(weight.change).toBeGreaterThan(0);
  expect(logit!.change).toBeGreaterThan(0);
  expect(await explorer.locator("as-storage .error").innerText()).toMatch(
    /Attention weights change by at most .*Logits change by at most/s,
  );
  await explorer.page.getByRole("button", { name: "Close" }).click();
  const cell = [weight.query, weight.key];
  const small = await weightAt(weight.layer, weight.head, cell);
  expect(small).toBe(weight.to);
  await open();
  await keepAs("float32");
  expect(await explorer.locator("as-storage .error").count()).toBe(0);
  await explorer.page.getByRole("button", { name: "Close" }).click();
  const exact = await weightAt(weight.layer, weight.head, cell);
  expect(exact).toBe(weight.from);
  expect(Math.abs(exact - small)).toBeCloseTo(weight.change, 6);
});

test("a comparison holds for the text it was made on, and is asked for anew", async () => {
  explorer = await tester.open("#v1?storage=int8&text=+the+cat+sat");
  expect(await explorer.read((state) => state.model!.storage)).toBe("int8");
  expect(await explorer.locator("header.top").innerText()).toContain("int8");
  await open();
  const ask = explorer.page.getByRole("button", {
    name: "Compare with float32",
  });
  await ask.click();
  await expect.poll(compared, soon).toBeDefined();
  expect(await ask.count()).toBe(0);
  await explorer.page.getByRole("button", { name: "Close" }).click();
  await explorer.type(" a dog");
  await open();
  await ask.waitFor();
  await expect
    .poll(() => explorer.page.evaluate(() => location.hash), soon)
    .toMatch(/storage=int8/);
});

test("float16 is exact for a checkpoint of that type", async () => {
  explorer = await tester.open("#v1?storage=float16");
  await open();
  await explorer.page
    .getByRole("button", { name: "Compare with float32" })
    .click();
  await expect.poll(compared, soon).toBeDefined();
  const { weight, logit } = (await compared())!;
  expect([weight.change, logit!.change]).toEqual([0, 0]);
});

test.each([
  ["wide", {}],
  ["phone, dark", { ...phone, colorScheme: "dark" as const }],
])("bridge in int8 names the attention; no faults, %s", async (_name, size) => {
  explorer = await tester.open("#v1?bundled=bridge&storage=int8", size);
  await explorer.generate("One token");
  await open();
  await explorer.page
    .getByRole("button", { name: "Compare with float32" })
    .click();
  await expect.poll(compared, soon).toBeDefined();
  await explorer.drawn();
  expect(await explorer.locator("as-storage .error").innerText()).toMatch(
    /(self|encoder|cross) attention, layer/,
  );
  expect(await axeFaults(explorer)).toEqual([]);
});
