// Loading as people call it: the engine starts while settings and tokenizer are
// read, then the engine reads the weights. Read next: checkpoint-source.ts,
// client.ts.

import { openChannel, type Channel } from "./channel.js";
import {
  folderOf,
  locate,
  locateNeeded,
  type Folder,
} from "./checkpoint-source.js";
import { oneOf, whole } from "./checks.js";
import { LoadedModel } from "./client.js";
import { defaultStallTimeout, type Reading } from "./connection.js";
import { AttnscopeError, throwIfAborted } from "./errors.js";
import { ifThere, readable, readText } from "./file-reader.js";
import { folderUrl } from "./folder-url.js";
import { Tokenizer } from "./tokenizer.js";
import type {
  CheckpointSource,
  LoadOptions,
  LoadProgress,
  Model,
  StorageKind,
} from "./types.js";

const storageKinds: readonly StorageKind[] = [
  "float32",
  "bfloat16",
  "float16",
  "int8",
];

/** Loads a checkpoint folder; each model has an engine of its own. */
export async function loadModel(
  source: CheckpointSource,
  options: LoadOptions = {},
): Promise<Model> {
  const { onProgress = () => undefined, signal } = options;
  throwIfAborted(signal);
  const channel = openChannel(options.worker, onProgress, signal);
  const abort = () => {
    channel.close(new AttnscopeError("aborted", "The work was cancelled."));
  };
  signal?.addEventListener("abort", abort);
  try {
    return await load(source, options, channel, onProgress);
  } catch (thrown) {
    channel.close(new AttnscopeError("disposed", "The model did not load."));
    throwIfAborted(signal);
    throw thrown;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

async function load(
  source: CheckpointSource,
  options: LoadOptions,
  channel: Channel,
  onProgress: NonNullable<LoadOptions["onProgress"]>,
): Promise<Model> {
  const { variant, moduleBase, signal, cache = true } = options;
  const { stallTimeout = defaultStallTimeout, memoryLimit, storage } = options;
  if (storage !== undefined) oneOf(storage, "storage", storageKinds);
  if (memoryLimit !== undefined)
    whole(memoryLimit, "memoryLimit", 0, Number.MAX_SAFE_INTEGER);
  const reading: Reading = {
    signal,
    cache,
    stallTimeout: whole(stallTimeout, "stallTimeout", 1),
  };
  const folder = folderOf(source, options.hubBase);
  const config = readable(locateNeeded(folder, "config.json"), reading);
  const [report, configJson, tokenizer] = await Promise.all([
    channel.send({
      kind: "start",
      variant,
      moduleBase:
        moduleBase === undefined ? undefined : folderUrl(moduleBase).href,
    }),
    readText(config).then((text) => {
      onProgress(wholeFile("config", text));
      return text;
    }),
    readTokenizer(folder, reading, onProgress),
  ]);
  const loaded = await channel.send({
    kind: "load",
    configJson,
    configName: config.name,
    folder,
    cache,
    stallTimeout,
    storage,
    memoryLimit,
    tokenizerSize: tokenizer?.vocabularySize,
  });
  throwIfAborted(signal);
  onProgress({ stage: "ready", loaded: 0, total: 0 });
  return new LoadedModel(channel, loaded, report, tokenizer);
}

async function readTokenizer(
  folder: Folder,
  reading: Reading,
  onProgress: NonNullable<LoadOptions["onProgress"]>,
): Promise<Tokenizer | undefined> {
  const [json, configJson] = await Promise.all(
    ["tokenizer.json", "tokenizer_config.json"].map((name) => {
      const file = locate(folder, name);
      return file && ifThere(readText(readable(file, reading)));
    }),
  );
  if (json === undefined) return undefined;
  onProgress(wholeFile("tokenizer", json));
  const { name } = readable(locateNeeded(folder, "tokenizer.json"), reading);
  return new Tokenizer(json, configJson, name);
}

function wholeFile(stage: LoadProgress["stage"], text: string): LoadProgress {
  const bytes = new TextEncoder().encode(text).length;
  return { stage, loaded: bytes, total: bytes };
}
