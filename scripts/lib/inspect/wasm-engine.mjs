// The WebAssembly engine: the same arrays as the native one, by the package's
// public interface. Read next: native-engine.mjs.

import { pathToFileURL } from "node:url";

import { loadModel } from "attnscope";

import { toNpy } from "./npy.mjs";

/** The .npy files of a run by array name. */
export async function runWasm({
  folder,
  ids,
  attentionMask,
  greedy,
  tensors,
  storage,
  variant,
}) {
  const model = await loadModel(pathToFileURL(folder), {
    worker: false,
    storage,
    ...(variant === undefined ? {} : { variant }),
  });
  try {
    const mask = maskFor(attentionMask);
    const files = new Map([["ids", idsNpy(ids)]]);
    if (greedy > 0) {
      files.set("greedy", idsNpy(await continuation(model, ids, mask, greedy)));
    }
    await addPrompt(files, model, ids, mask, tensors);
    return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  } finally {
    model.dispose();
  }
}

function maskFor(attentionMask) {
  if (attentionMask === undefined) return [{ kind: "causal" }];
  const hidden = attentionMask.map((shown) => shown === 0);
  return [{ kind: "causal" }, { kind: "padding", hidden }];
}

async function addPrompt(files, model, ids, mask, tensors) {
  const { numLayers } = model.config;
  const patterns = Array.from(
    { length: numLayers },
    (_, layer) => `blocks.${layer}.attn.hook_pattern`,
  );
  const all = tensors.length === 1 && tensors[0] === "all";
  const run = await model.run(ids, {
    mask,
    record: all ? "all" : [...patterns, ...tensors],
    capacity: Math.max(1, ids.length),
    allLogits: true,
  });
  files.set("logits", tensorNpy(await run.logits()));
  for (const [layer, name] of patterns.entries()) {
    files.set(`attentions.${layer}`, tensorNpy(await run.tensor(name)));
  }
  for (const name of all ? model.tensorNames : tensors) {
    files.set(name, tensorNpy(await run.tensor(name)));
  }
}

// An end token does not end it: exactly `count` tokens are added.
async function continuation(model, ids, mask, count) {
  const capacity = ids.length + count;
  const run = await model.run(ids, { mask, record: [], capacity });
  const options = { maxTokens: count, stopAtEnd: false };
  const text = [...ids];
  for await (const { id } of run.generate(options)) text.push(id);
  return text;
}

function idsNpy(ids) {
  const data = BigInt64Array.from(ids, BigInt);
  return toNpy({ shape: [1, ids.length], data });
}

function tensorNpy({ shape, data }) {
  return toNpy({ shape: [1, ...shape], data });
}
