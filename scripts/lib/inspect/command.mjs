// The command line of scripts/inspect as a record, checked. Whether ids and
// names fit the checkpoint is for the engine. Read next: main.mjs.

import { parseArgs } from "node:util";

export const usage = `scripts/inspect FOLDER (--text TEXT | --ids 1,2,3) --out FILE.npz
  --attention-mask 1,1,0  one number a token: 0 marks padding, on either side
  --token-types 0,0,1     one number a token: the segment, for BERT
  --greedy N              adds the array greedy: the prompt and N tokens more
  --tensors NAME,...      adds recorded tensors (blocks.0.attn.hook_q), or all
  --storage KIND          of matrices: float32 (default), bfloat16, float16, int8
  --engine native|wasm    default native
An encoder-decoder reads TEXT as its source, and the mask is the source's:
  --decoder-ids 0,5       what the decoder reads; default: its start tokens
  --decoder-text TEXT     the same as a text, which the start tokens precede
Arrays, each with a leading axis of one text: ids, logits [1, token, vocabulary],
attentions.L [1, head, query, key], greedy, and the tensors by name. Of an
encoder-decoder decoder_ids, encoder_attentions.L, decoder_attentions.L and
cross_attentions.L, and greedy is the decoder's text.`;

/** The command itself is wrong, before any checkpoint is looked at. */
export class UsageError extends Error {}

const storageKinds = ["float32", "bfloat16", "float16", "int8"];

export function parseCommand(words) {
  const { values, positionals } = parse(words);
  if (values.help) return "help";
  if (positionals.length !== 1) {
    throw new UsageError(`one FOLDER is needed, ${positionals.length} given.`);
  }
  if (positionals[0] === "") throw new UsageError("FOLDER is empty.");
  if ((values.text === undefined) === (values.ids === undefined)) {
    throw new UsageError("either --text or --ids is needed.");
  }
  const { "decoder-text": decoderText, "decoder-ids": decoderIds } = values;
  if (decoderText !== undefined && decoderIds !== undefined) {
    throw new UsageError(
      "--decoder-text and --decoder-ids exclude each other.",
    );
  }
  if (values.out === undefined) throw new UsageError("--out is needed.");
  if (!["native", "wasm"].includes(values.engine)) {
    throw new UsageError(`--engine is '${values.engine}', not native or wasm.`);
  }
  if (!storageKinds.includes(values.storage)) {
    throw new UsageError(
      `--storage is '${values.storage}', not ${storageKinds.join(", ")}.`,
    );
  }
  return {
    folder: positionals[0],
    text: values.text,
    ids: numbers("ids", values.ids),
    decoderText,
    decoderIds: numbers("decoder-ids", decoderIds),
    tokenTypes: numbers("token-types", values["token-types"]),
    attentionMask: mask(values["attention-mask"]),
    greedy: number("greedy", values.greedy),
    tensors: names("tensors", values.tensors),
    storage: values.storage,
    engine: values.engine,
    out: values.out,
  };
}

function parse(words) {
  const text = { type: "string" };
  const options = {
    text,
    ids: text,
    "decoder-ids": text,
    "decoder-text": text,
    "token-types": text,
    "attention-mask": text,
    greedy: { type: "string", default: "0" },
    tensors: text,
    storage: { type: "string", default: "float32" },
    engine: { type: "string", default: "native" },
    out: text,
    help: { type: "boolean", default: false },
  };
  try {
    return parseArgs({ args: words, options, allowPositionals: true });
  } catch (thrown) {
    throw new UsageError(thrown.message.replaceAll("\n", " "));
  }
}

function mask(list) {
  const shown = numbers("attention-mask", list);
  if (shown?.some((value) => value > 1)) {
    throw new UsageError(`--attention-mask is '${list}', not zeros and ones.`);
  }
  return shown;
}

function names(option, list) {
  const all = list?.split(",") ?? [];
  if (all.includes("")) {
    throw new UsageError(`--${option}: '${list}' has an empty name.`);
  }
  return all;
}

function numbers(option, list) {
  if (list === undefined) return undefined;
  return list === ""
    ? []
    : list.split(",").map((word) => number(option, word.trim()));
}

function number(option, word) {
  const value = Number(word);
  if (!/^\d+$/.test(word) || value > 2 ** 31 - 1) {
    throw new UsageError(
      `--${option}: '${word}' is not a whole number from 0.`,
    );
  }
  return value;
}
