// The page on encoders and encoder-decoders: small models with random weights,
// so what is tested is what belongs where, never what a model says.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { axeFaults } from "./support/axe.js";
import { PageTester, phone, soon, type Explorer } from "./support/explorer.js";
import { smallBert, smallMarian, smallModel } from "./support/small-models.js";

const folder = mkdtempSync(join(tmpdir(), "attnscope-architectures-"));
smallBert(join(folder, "bert"));
smallMarian(join(folder, "marian"));

const special = (begin: number | undefined, end: number, unknown: number) => ({
  ...(begin !== undefined && { begin: { token: "<s>", id: begin } }),
  end: { token: "</s>", id: end },
  unknown: { token: "<unk>", id: unknown },
});
/** The other families, with the ids of their configs. */
const families = {
  distilbert: special(2, 3, 1),
  roberta: special(0, 2, 3),
  t5: special(undefined, 1, 2),
  t5_gated: special(undefined, 1, 2),
  bart: special(0, 2, 3),
  m2m100: special(undefined, 2, 3),
};
for (const [family, tokens] of Object.entries(families)) {
  smallModel(join(folder, family), family, tokens);
}

let tester: PageTester;
let explorer: Explorer;

beforeAll(async () => {
  tester = await PageTester.start([{ at: "/small/", folder }]);
});
afterAll(async () => {
  await tester.stop();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  expect(explorer.problems).toEqual([]);
  await explorer.close();
});

const on = (name: string, parts: Record<string, string>) =>
  `#v1?${new URLSearchParams({ model: `${tester.server.url}small/${name}/`, ...parts })}`;

const source = "the bank was crowded near the river";

async function choose(attention: RegExp): Promise<void> {
  await explorer.page.getByRole("radio", { name: attention }).check();
  await explorer.settled();
  await expect
    .poll(
      () =>
        explorer.read(
          (state) => state.pattern!.id.attention === state.head!.attention,
        ),
      soon,
    )
    .toBe(true);
}

const labels = async (axis: string) => {
  await explorer.drawn();
  return explorer.locator(`as-heatmap .axis.${axis} .label`).allTextContents();
};

const shape = () =>
  explorer.read(({ pattern }) => [pattern!.rows, pattern!.cols]);

const heads = () => explorer.locator("as-heads button").count();

test("a source without a target: cross-attention of the start token, no text of a target", async () => {
  explorer = await tester.open(on("marian", { text: source }));
  expect(await explorer.strip("Source tokens")).toEqual([
    ..."the bank was crowded near the river".split(" ").map((w) => `␣${w}`),
    "</s>",
  ]);
  const target = await explorer.strip("Target tokens");
  expect(target[0]).toBe("<pad>");
  const next = await explorer
    .locator("as-next-tokens .token")
    .first()
    .textContent();
  // The strip ends with what the model would say.
  expect(target.slice(1)).toEqual([next]);
  expect(await explorer.read((state) => state.head!.attention)).toBe("cross");
  expect(await shape()).toEqual([1, 8]);
  expect(await labels("query")).toEqual([next]);
  expect((await labels("key")).length).toBe(8);
  for (const sum of await explorer.rowSums()) expect(sum).toBeCloseTo(1, 5);
});

test("a row of cross-attention is named by the token that was then generated", async () => {
  explorer = await tester.open(on("marian", { text: source }));
  for (let step = 1; step <= 3; step++) {
    await explorer.generate("One token");
    await explorer.settled();
    expect(await shape()).toEqual([step + 1, 8]);
    const target = await explorer.strip("Target tokens");
    expect(await labels("query")).toEqual(target.slice(1));
  }
  // A token chosen in the strip is the row that predicts it.
  await explorer.locator('as-token-strip[side="text"] button').nth(2).click();
  expect(await explorer.read((state) => state.pinned)).toEqual({ query: 1 });
  const name = (await explorer.strip("Target tokens"))[2]!;
  expect(await explorer.locator("as-cell-card .who").innerText()).toContain(
    `query 1 predicts ${name}`,
  );
  // A source token is a key of that row.
  await explorer.locator('as-token-strip[side="source"] button').nth(6).click();
  expect(await explorer.read((state) => state.pinned)).toEqual({
    query: 1,
    key: 6,
  });
  expect(await explorer.locator("as-cell-card .who").innerText()).toMatch(
    /key 6\s+␣river/,
  );
  await explorer.page.getByRole("button", { name: "Start over" }).click();
  await explorer.settled();
  expect(await shape()).toEqual([1, 8]);
});

test("a target that was typed is read by the decoder, start token first", async () => {
  explorer = await tester.open(on("marian", { text: source }));
  await explorer.page.getByLabel("Target text").fill("la rive était");
  await explorer.settled();
  const target = await explorer.strip("Target tokens");
  expect(target.slice(0, 4)).toEqual(["<pad>", "␣la", "␣rive", "␣était"]);
  expect(await labels("query")).toEqual(target.slice(1));
  expect(await shape()).toEqual([4, 8]);
  await explorer.page.getByLabel("Target text").fill("");
  await explorer.settled();
  expect(await shape()).toEqual([1, 8]);
});

test("each attention has its own tokens, heads, mask and way", async () => {
  explorer = await tester.open(
    on("marian", { text: source, target: "la rive était" }),
  );
  const way = async () => {
    await explorer.drawn();
    return explorer.locator("as-way .shape").allTextContents();
  };
  expect(await heads()).toBe(2 * 3);
  expect(await way()).toContain("3×4×8");
  expect(
    await explorer.locator("as-mask-panel input[type=radio]").count(),
  ).toBe(0);

  await choose(/^encoder/);
  expect(await shape()).toEqual([8, 8]);
  expect(await heads()).toBe(3 * 4);
  expect(await way()).toContain("4×8×8");
  expect(await labels("query")).toEqual(await labels("key"));
  expect(
    await explorer.page.getByRole("radio", { name: "none" }).isChecked(),
  ).toBe(true);

  await choose(/^decoder/);
  expect(await shape()).toEqual([4, 4]);
  expect(await heads()).toBe(2 * 3);
  expect(await way()).toContain("3×4×4");
  expect(await labels("query")).toEqual(["<pad>", "␣la", "␣rive", "␣était"]);
  expect(
    await explorer.page.getByRole("radio", { name: "causal" }).isChecked(),
  ).toBe(true);
});

test("a mask of the encoder changes the encoder's pattern alone", async () => {
  explorer = await tester.open(
    on("marian", { text: source, attention: "encoder", layer: "0", head: "1" }),
  );
  const seen = () =>
    explorer.read(({ pattern }) => {
      const { rows, cols, weights } = pattern!;
      return Array.from(
        { length: rows },
        (_, row) =>
          weights
            .subarray(row * cols, (row + 1) * cols)
            .filter((weight) => weight > 0).length,
      );
    });
  expect(await seen()).toEqual(new Array(8).fill(8));
  await explorer.page.getByRole("radio", { name: "causal" }).check();
  await explorer.settled();
  expect(await seen()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  await choose(/^cross/);
  expect(await seen()).toEqual([8]);
});

test("a link opens the target, the attention and the masks it was copied from", async () => {
  explorer = await tester.open(
    on("marian", { text: source, target: "la rive était" }),
  );
  await choose(/^encoder/);
  await explorer.page.getByRole("radio", { name: "causal" }).check();
  await explorer.locator("as-heads").getByLabel("layer 2, head 3").click();
  await explorer.settled();
  const seen = () =>
    explorer.read(({ target, head, masks }) => ({ target, head, masks }));
  const before = await seen();
  expect(before).toEqual({
    target: "la rive était",
    head: { attention: "encoder", layer: 2, head: 3 },
    masks: { encoder: { kind: "causal" } },
  });
  await expect
    .poll(() => explorer.page.evaluate(() => location.hash), soon)
    .toMatch(/attention=encoder.*sourcemask=causal/);
  const fragment = await explorer.page.evaluate(() => location.hash);
  await explorer.close();
  explorer = await tester.open(fragment);
  expect(await seen()).toEqual(before);
});

test("an encoder fills in its mask token, and any other position that is chosen", async () => {
  explorer = await tester.open(
    on("bert", { text: "the [MASK] sat on the mat" }),
  );
  expect(await explorer.strip()).toEqual([
    "[CLS]",
    "␣the",
    "[MASK]",
    "␣sat",
    "␣on",
    "␣the",
    "␣mat",
    "[SEP]",
  ]);
  expect(await shape()).toEqual([8, 8]);
  const heading = explorer.locator("as-next-tokens h2");
  const said = () =>
    explorer.locator("as-next-tokens li .token").allTextContents();
  await expect.poll(() => heading.innerText(), soon).toMatch(/Token at 2/);
  expect(await heading.innerText()).toContain("[MASK]");
  const atMask = await said();
  expect(atMask.length).toBe(8);
  await explorer.locator("as-token-strip button").nth(4).click();
  await expect.poll(() => heading.innerText(), soon).toMatch(/Token at 4/);
  expect(await said()).not.toEqual(atMask);
  await explorer.locator("as-token-strip button").nth(2).click();
  await expect.poll(() => heading.innerText(), soon).toMatch(/Token at 2/);
  expect(await said()).toEqual(atMask);
  // A mask token that is typed is looked at.
  await explorer.type("the cat sat on the");
  await explorer.type("the cat sat on the [MASK]");
  await expect.poll(() => heading.innerText(), soon).toMatch(/Token at 6/);
});

test.each(Object.keys(families))(
  "%s: every attention has rows that sum to 1, stations and thumbnails",
  async (name) => {
    explorer = await tester.open(on(name, { text: source }));
    const parts = await explorer.locator("as-attention-choice input").all();
    expect(parts.length).toBe(/bert/.test(name) ? 0 : 3);
    for (const part of parts.length > 0 ? parts : [undefined]) {
      await part?.check();
      await expect
        .poll(
          () =>
            explorer.read(
              ({ pattern, head }) => pattern!.id.attention === head!.attention,
            ),
          soon,
        )
        .toBe(true);
      for (const sum of await explorer.rowSums()) expect(sum).toBeCloseTo(1, 5);
      for (const canvases of ["as-way", "as-head-thumbnail"]) {
        const old = explorer.locator(`${canvases} canvas.stale`);
        await expect.poll(() => old.count(), soon).toBe(0);
      }
    }
    expect(await explorer.read((state) => state.runFault)).toBeUndefined();
  },
);

test("an encoder does not generate", async () => {
  explorer = await tester.open(on("bert", { text: "the cat sat" }));
  expect(await explorer.locator("as-generate-panel button").count()).toBe(0);
  expect(
    await explorer.page.getByRole("radio", { name: "none" }).isChecked(),
  ).toBe(true);
});

test.each([
  ["marian", "wide", {}],
  ["marian", "phone", phone],
  ["bert", "wide", { colorScheme: "dark" as const }],
  ["marian", "wide, dark", { colorScheme: "dark" as const }],
])("no accessibility faults on %s, %s", async (name, _size, options) => {
  explorer = await tester.open(on(name, { text: source }), options);
  expect(await axeFaults(explorer)).toEqual([]);
  const { width } = explorer.page.viewportSize()!;
  expect(
    await explorer.page.evaluate(() => document.documentElement.scrollWidth),
  ).toBe(width);
});
