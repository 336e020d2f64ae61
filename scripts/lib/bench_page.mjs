// Measures WebAssembly variants in headless Chromium: node scripts/lib/bench_page.mjs [VARIANT=FOLDER ...],
// FOLDER holding attnscope_bench_module.mjs and .wasm (default: the build folders of all variants).

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = join(root, "tests/bench/web");
const variants = process.argv.slice(2).map((argument) => argument.split("="));
if (variants.length === 0) {
  for (const name of ["scalar", "simd128", "relaxed"]) {
    variants.push([name, join(root, `build/wasm-${name}`)]);
  }
}
const folders = new Map([["page", page], ...variants]);

const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

// /NAME/FILE is FILE in the folder of that name.
const server = createServer(async (request, response) => {
  const [, name, file] = request.url.split("/");
  try {
    const bytes = await readFile(join(folders.get(name), file));
    // Isolation gives the page a fine clock.
    response.writeHead(200, {
      "Content-Type": types[extname(file)],
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Embedder-Policy": "require-corp",
    });
    response.end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
  for (const [name] of variants) {
    // A fresh page each: engines share compiled code and heat within one.
    const tab = await browser.newPage();
    await tab.goto(`${origin}/page/index.html`);
    await tab.waitForFunction(() => "measureModule" in window);
    const results = await tab.evaluate(
      (url) => window.measureModule(url),
      `${origin}/${name}/attnscope_bench_module.mjs`,
    );
    const peak = results[0].gigaPerSecond;
    console.log(`\nChromium ${browser.version()}, ${name}`);
    for (const { name, isProduct, microseconds, gigaPerSecond } of results) {
      const unit = isProduct ? "GFLOP/s" : "Gelem/s";
      const share = isProduct
        ? `${((100 * gigaPerSecond) / peak).toFixed(0)} % of peak`
        : "";
      console.log(
        `  ${name.padEnd(26)}${microseconds.toFixed(1).padStart(11)} us` +
          `${gigaPerSecond.toFixed(1).padStart(9)} ${unit} ${share}`,
      );
    }
    await tab.close();
  }
} finally {
  await browser.close();
  server.close();
}
