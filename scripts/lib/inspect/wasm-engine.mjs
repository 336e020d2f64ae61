// The WebAssembly engine: the same arrays as the native one, by the package's
// public interface. Read next: native-engine.mjs.

import { pathToFileURL } from "node:url";

import { AttnscopeError, loadModel } from "attnscope";

import { toNpy } from "./npy.mjs";

/** The .npy files of a run by array name. */
export async function runWasm(job) {
  const { folder, ids, greedy, storage, variant } = job;
  const model = await loadModel(pathToFileURL(folder), {
    worker: false,
    storage,
    ...(variant === undefined ? {} : { variant }),
  });
  try {
    const options = optionsFor(job, model.config);
    const files = new Map([["ids", idsNpy(ids)]]);
    if (options.target !== undefined) {
      files.set("decoder_ids", idsNpy(options.target));
    }
    if (greedy > 0) {
      const text = await continuation(model, ids, options, greedy);
      files.set("greedy", idsNpy(text));
    }
    await addPrompt(files, model, job, options);
    return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  } finally {
    model.dispose();
  }
}

/** What a run is told besides its input. */
function optionsFor(job, { architecture, modelType, startTokens }) {
  const { attentionMask, tokenTypes, decoderIds } = job;
  const padding =
    attentionMask === undefined
      ? []
      : [
          {
            kind: "padding",
            hidden: attentionMask.map((shown) => shown === 0),
          },
        ];
  const common = tokenTypes === undefined ? {} : { tokenTypes };
  if (architecture === "encoder-decoder") {
    const target = decoderIds ?? startTokens;
    if (decoderIds === undefined && startTokens.length === 0) {
      throw new AttnscopeError(
        "invalid-argument",
        "config.json names no decoder_start_token_id: --decoder-ids must say what the text starts with.",
      );
    }
    return { ...common, target, sourceMask: padding };
  }
  if (decoderIds !== undefined) {
    throw new AttnscopeError(
      "invalid-argument",
      `a ${modelType} model has no encoder and takes no --decoder-ids.`,
    );
  }
  const causal = architecture === "decoder" ? [{ kind: "causal" }] : [];
  return { ...common, mask: [...causal, ...padding] };
}

/** The recorded weights of every attention by array name. */
function attentionsOf({ architecture, numLayers, encoder }) {
  const names = new Map();
  const add = (array, count, name) => {
    for (let layer = 0; layer < count; ++layer) {
      names.set(`${array}.${layer}`, name(layer));
    }
  };
  if (architecture !== "encoder-decoder") {
    add("attentions", numLayers, (l) => `blocks.${l}.attn.hook_pattern`);
    return names;
  }
  const pattern = (stack) => (l) => `${stack}.${l}.attn.hook_pattern`;
  add("encoder_attentions", encoder.numLayers, pattern("encoder"));
  add("decoder_attentions", numLayers, pattern("decoder"));
  const cross = (l) => `decoder.${l}.cross_attn.hook_pattern`;
  add("cross_attentions", numLayers, cross);
  return names;
}

async function addPrompt(files, model, { ids, tensors }, options) {
  const attentions = attentionsOf(model.config);
  const all = tensors.length === 1 && tensors[0] === "all";
  const run = await model.run(ids, {
    ...options,
    record: all ? "all" : [...attentions.values(), ...tensors],
    capacity: Math.max(1, (options.target ?? ids).length),
    allLogits: true,
  });
  if (model.config.hasLogits) {
    files.set("logits", tensorNpy(await run.logits()));
  }
  for (const [array, name] of attentions) {
    files.set(array, tensorNpy(await run.tensor(name)));
  }
  for (const name of all ? model.tensorNames : tensors) {
    files.set(name, tensorNpy(await run.tensor(name)));
  }
}

// An end token does not end it: exactly `count` tokens are added.
async function continuation(model, ids, options, count) {
  const prompt = options.target ?? ids;
  const capacity = prompt.length + count;
  const run = await model.run(ids, { ...options, record: [], capacity });
  const text = [...prompt];
  const generation = run.generate({ maxTokens: count, stopAtEnd: false });
  for await (const { id } of generation) text.push(id);
  return text;
}

function idsNpy(ids) {
  const data = BigInt64Array.from(ids, BigInt);
  return toNpy({ shape: [1, ids.length], data });
}

function tensorNpy({ shape, data }) {
  return toNpy({ shape: [1, ...shape], data });
}
