// The native engine: runs attnscope_run, which writes .npy files, and reads
// them back. Read next: ../attnscope_run.cc.

import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";

import { AttnscopeError } from "attnscope";

const program = fileURLToPath(
  new URL("../../../build/native/attnscope_run", import.meta.url),
);

/** The .npy files of a run by array name. */
export async function runNative(job) {
  const folder = await mkdtemp(join(tmpdir(), "attnscope-"));
  try {
    await start(argumentsFor(job, folder)).catch((thrown) => {
      throw thrown.code === "E2BIG" ? tooManyTokens(job.ids) : thrown;
    });
    const names = await readdir(folder);
    const files = await Promise.all(
      names.map(async (name) => {
        const bytes = await readFile(join(folder, name));
        return [name.replace(/\.npy$/, ""), new Uint8Array(bytes)];
      }),
    );
    return new Map(files.sort(([a], [b]) => (a < b ? -1 : 1)));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function tooManyTokens(ids) {
  return new AttnscopeError(
    "capacity-reached",
    `${ids.length} tokens are more than a command line holds; --engine wasm takes them.`,
  );
}

function argumentsFor(job, out) {
  const words = [job.folder, "--out", out, "--greedy", String(job.greedy)];
  for (const [option, list] of [
    ["--ids", job.ids],
    ["--decoder-ids", job.decoderIds],
    ["--attention-mask", job.attentionMask],
    ["--token-types", job.tokenTypes],
    ["--tensors", job.tensors.length > 0 ? job.tensors : undefined],
    ["--storage", job.storage === undefined ? undefined : [job.storage]],
  ]) {
    if (list !== undefined) words.push(option, list.join(","));
  }
  return words;
}

function start(words) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
    child.on("error", reject);
    child.on("close", (exitCode, signal) => {
      if (exitCode === 0) return resolve();
      const message = said.trim().replace(/^error: /, "");
      reject(
        new Error(message || `${program} ended by ${signal ?? exitCode}.`),
      );
    });
  });
}
