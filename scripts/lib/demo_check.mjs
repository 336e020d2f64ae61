// demo_check.mjs [URL]: the page's main job, done by a headless Chromium. Opens
// the page (served here from web/dist unless a URL is given), lets it compute
// its default text and generate on, and prints what it found. The exit code is
// not 0 if anything is wrong.

import { chromium } from "playwright-core";
import { preview } from "vite";

const problems = [];
const check = (holds, problem) => {
  if (!holds) problems.push(problem);
};

/** Runs in the page: the numbers behind the picture. */
function look() {
  const { run, pattern, pinned, generation, model } =
    document.querySelector("as-explorer").store.state;
  const { rows, cols, weights } = pattern;
  return {
    variant: model.variant,
    milliseconds: run.milliseconds,
    labels: run.tokens.map((token) => JSON.stringify(token.text)),
    promptLength: run.promptLength,
    head: pattern.id,
    rows: Array.from({ length: rows }, (_, row) => [
      ...weights.subarray(row * cols, (row + 1) * cols),
    ]),
    query: pinned?.query ?? rows - 1,
    generated: generation?.text ?? "",
    reason: generation?.reason,
  };
}

/** Runs in the page: whether text, run and picture belong together. */
function isComputed() {
  const state = document.querySelector("as-explorer")?.store?.state;
  if (state?.loadFault) throw new Error(state.loadFault.message);
  if (state?.runFault) throw new Error(state.runFault.message);
  return Boolean(state?.run && !state.stale && state.pattern);
}

const isGenerated = () =>
  document.querySelector("as-explorer").store.state.generation?.reason !==
  undefined;

function checkRows({ rows }, when) {
  rows.forEach((row, query) => {
    const sum = row.reduce((total, weight) => total + weight, 0);
    check(
      Math.abs(sum - 1) < 1e-5,
      `${when}: row ${query} sums to ${sum}, not to 1`,
    );
    check(
      row.every((weight) => weight >= 0 && weight <= 1),
      `${when}: row ${query} has a weight outside 0..1`,
    );
  });
}

async function checkPage(url) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
    });
    page.on("pageerror", (error) => problems.push(`page: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") {
        problems.push(`console: ${message.text()}`);
      }
    });
    await page.goto(url);
    await page.waitForFunction(isComputed, null, { timeout: 60_000 });
    const before = await page.evaluate(look);
    checkRows(before, "prompt");
    check(
      before.rows.length === before.labels.length,
      `${before.labels.length} tokens, but ${before.rows.length} rows`,
    );
    const drawn = await page.locator("as-heatmap canvas").evaluate((canvas) => {
      const { data } = canvas
        .getContext("2d")
        .getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    });
    check(drawn > 3, `the heatmap has only ${drawn} colours`);

    await page.getByRole("button", { name: /^Generate/ }).click();
    await page.waitForFunction(isGenerated, null, { timeout: 60_000 });
    const after = await page.evaluate(look);
    checkRows(after, "after generation");
    check(
      after.labels.length > before.labels.length,
      "generation added no token",
    );
    check(
      after.rows.length === after.labels.length,
      `the picture did not grow: ${after.rows.length} rows for ${after.labels.length} tokens`,
    );
    check(after.generated !== "", "generation gave no text");
    report(before, after);
  } finally {
    await browser.close();
  }
}

function report(before, after) {
  const { variant, head, query, labels, rows } = before;
  console.log(
    `engine     ${variant.variant} (kernels ${variant.kernels}), ` +
      `${labels.length} tokens in ${before.milliseconds.toFixed(1)} ms`,
  );
  for (const reason of variant.reasons) console.log(`           ${reason}`);
  console.log(`tokens     ${labels.join(" ")}`);
  console.log(
    `layer ${head.layer}, head ${head.head}: query ${query} ${labels[query]} attends to`,
  );
  rows[query]
    .map((weight, key) => ({ weight, key }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 5)
    .forEach(({ weight, key }) =>
      console.log(`           ${weight.toFixed(4)}  key ${key} ${labels[key]}`),
    );
  console.log(`generated  ${JSON.stringify(after.generated)}`);
  console.log(
    `           ${after.labels.length - after.promptLength} tokens (${after.reason}), ` +
      `the picture grew from ${before.rows.length} to ${after.rows.length} rows`,
  );
}

const given = process.argv[2];
const server = given
  ? undefined
  : await preview({
      root: new URL("../../web", import.meta.url).pathname,
      preview: { host: "127.0.0.1", port: 0, open: false },
      logLevel: "error",
    });
try {
  await checkPage(given ?? server.resolvedUrls.local[0]);
} catch (error) {
  problems.push(error.message);
} finally {
  await server?.close();
}
for (const problem of problems) console.error(`wrong: ${problem}`);
console.log(problems.length === 0 ? "all is well" : `${problems.length} wrong`);
process.exit(problems.length === 0 ? 0 : 1);
