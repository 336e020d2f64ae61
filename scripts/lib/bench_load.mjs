// How much memory a load takes at its peak, against the bytes that the model keeps: natively, and in
// headless Chromium through the package. node scripts/lib/bench_load.mjs; exits with 1 if a float32 load
// passes the bound. The checkpoint, 300 MB in GPT-2's layout, is made in build/bench.
//
//   native     the whole process: its high-water mark of resident memory
//   renderer   Chromium's process of the page, load in a worker: its high-water mark of resident memory less
//              what it had before the load. Counts the engine, the compiled module, and what arrives
//   module     the engine's linear memory after a load on the page's thread; it never shrinks

import { execFileSync } from "node:child_process";
import {
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const bound = 1.15; // of a float32 load
const storages = ["float32", "bfloat16", "float16", "int8"];

const root = fileURLToPath(new URL("../..", import.meta.url));
const model = join(root, "build/bench/model");

// ---- the checkpoint ---------------------------------------------------------

const [width, layers, vocabulary, context] = [576, 12, 50257, 1024];

function shapes() {
  const all = [
    ["transformer.wte.weight", [vocabulary, width]],
    ["transformer.wpe.weight", [context, width]],
  ];
  for (let layer = 0; layer < layers; ++layer) {
    const linear = (name, inputs, outputs) =>
      all.push(
        [`transformer.h.${layer}.${name}.weight`, [inputs, outputs]],
        [`transformer.h.${layer}.${name}.bias`, [outputs]],
      );
    const norm = (name) =>
      all.push(
        [`transformer.h.${layer}.${name}.weight`, [width]],
        [`transformer.h.${layer}.${name}.bias`, [width]],
      );
    norm("ln_1");
    linear("attn.c_attn", width, 3 * width);
    linear("attn.c_proj", width, width);
    norm("ln_2");
    linear("mlp.c_fc", width, 4 * width);
    linear("mlp.c_proj", 4 * width, width);
  }
  all.push(["transformer.ln_f.weight", [width]]);
  all.push(["transformer.ln_f.bias", [width]]);
  return all;
}

function makeCheckpoint() {
  const weights = join(model, "model.safetensors");
  const header = {};
  let end = 0;
  for (const [name, shape] of shapes()) {
    const begin = end;
    end += 4 * shape.reduce((product, size) => product * size, 1);
    header[name] = { dtype: "F32", shape, data_offsets: [begin, end] };
  }
  const json = Buffer.from(JSON.stringify(header));
  if (existsSync(weights) && statSync(weights).size === 8 + json.length + end)
    return;
  mkdirSync(model, { recursive: true });
  const config = {
    model_type: "gpt2",
    vocab_size: vocabulary,
    n_embd: width,
    n_head: 8,
    n_layer: layers,
    n_positions: context,
  };
  writeFileSync(join(model, "config.json"), JSON.stringify(config));
  const file = openSync(weights, "w");
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  writeSync(file, length);
  writeSync(file, json);
  // Any numbers do; no two pages of them are alike to a system that merges.
  const block = new Float32Array(1 << 18);
  for (let at = 0, seed = 1; at < end; at += block.byteLength) {
    for (let i = 0; i < block.length; ++i) {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
      block[i] = seed / 2 ** 36;
    }
    writeSync(
      file,
      new Uint8Array(block.buffer, 0, Math.min(block.byteLength, end - at)),
    );
  }
  closeSync(file);
}

// ---- the page's server ------------------------------------------------------

const folders = {
  page: join(root, "tests/bench/load"),
  package: join(root, "wasm/dist"),
  tokenizers: join(root, "node_modules/@huggingface/tokenizers/dist"),
  model,
};
const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

// /NAME/PATH is PATH in the folder of that name.
const server = createServer((request, response) => {
  const [, name, ...path] = request.url.split("/");
  const file = join(folders[name] ?? root, ...path);
  if (!(name in folders) || !existsSync(file)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    "Content-Type": types[extname(file)] ?? "application/octet-stream",
    "Content-Length": statSync(file).size,
  });
  createReadStream(file).pipe(response);
});

// ---- measures ---------------------------------------------------------------

/** A line of /proc/PID/status, bytes. */
function memoryOf(pid, line) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return 1024 * Number(new RegExp(`^${line}:\\s+(\\d+)`, "m").exec(status)[1]);
}

/** Resident memory of each renderer by process id. */
async function renderers(session, line) {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const ids = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => id);
  return new Map(ids.map((id) => [id, memoryOf(id, line)]));
}

/** A load in a browser of its own, since processes keep their peaks. */
async function loadInChromium(storage, worker) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    const session = await browser.newBrowserCDPSession();
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${server.address().port}/page/index.html`);
    await tab.waitForFunction(() => "measureLoad" in window);
    const before = await renderers(session, "VmRSS");
    const result = await tab.evaluate(
      ([kind, inWorker]) => window.measureLoad(kind, inWorker),
      [storage, worker],
    );
    const peaks = await renderers(session, "VmHWM");
    const growth = [...peaks].map(([id, peak]) => peak - (before.get(id) ?? 0));
    return { ...result, rendererBytes: Math.max(...growth) };
  } finally {
    await browser.close();
  }
}

function loadNatively(storage) {
  const program = join(root, "build/native/attnscope_load_bench");
  return JSON.parse(
    execFileSync(program, [model, storage], { encoding: "utf8" }),
  );
}

const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MB`.padStart(7);
const share = (peak, stored) =>
  `${megabytes(peak)} (${(peak / stored).toFixed(3)})`;

makeCheckpoint();
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
try {
  console.log(
    "Peak memory of a load, and its share of the bytes that the model keeps:",
  );
  let passed = true;
  for (const storage of storages) {
    const native = loadNatively(storage);
    const inWorker = await loadInChromium(storage, true);
    const onPage = await loadInChromium(storage, false);
    const stored = onPage.storedBytes;
    console.log(
      `  ${storage.padEnd(9)} stored ${megabytes(stored)}` +
        `   native ${share(native.peakBytes, native.storedBytes)}` +
        `   renderer ${share(inWorker.rendererBytes, stored)}` +
        `   module ${share(onPage.memoryBytes, stored)}`,
    );
    if (storage === "float32") {
      passed =
        native.peakBytes <= bound * native.storedBytes &&
        inWorker.rendererBytes <= bound * stored &&
        onPage.memoryBytes <= bound * stored;
    }
  }
  console.log(
    `float32: ${passed ? "within" : "NOT WITHIN"} the bound of ${bound}`,
  );
  process.exitCode = passed ? 0 : 1;
} finally {
  server.closeAllConnections();
  server.close();
}
