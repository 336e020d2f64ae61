// Token ids of a text, by the checkpoint's own tokenizer. Read next: main.mjs.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { AttnscopeError, loadModel, Tokenizer } from "attnscope";

export async function encodeText(folder, text) {
  const path = join(folder, "tokenizer.json");
  const json = await readFile(path, "utf8").catch((thrown) => {
    throw new AttnscopeError(
      "tokenizer-missing",
      `${path} cannot be read (${thrown.code}); give --ids instead of --text.`,
    );
  });
  const config = await readFile(
    join(folder, "tokenizer_config.json"),
    "utf8",
  ).catch(() => undefined);
  return new Tokenizer(json, config, path).encode(text);
}

/** What a decoder reads of a target text, start tokens included; only the model knows. */
export async function encodeTarget(folder, sourceIds, text) {
  const model = await loadModel(pathToFileURL(folder), { worker: false });
  try {
    const run = await model.run(sourceIds, { target: text, record: [] });
    return run.tokens.map(({ id }) => id);
  } finally {
    model.dispose();
  }
}
