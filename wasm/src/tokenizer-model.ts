// Step 3 of a tokenizer: the model, which makes tokens of a piece. It is the
// library's; here it is made from tokenizer.json, and what the library would
// carry out otherwise than the Rust library, or not at all, is refused.
// Read next: post-processor.ts.

import { BPE, Unigram, WordPiece } from "@huggingface/tokenizers";

export type LibraryModel = BPE | Unigram | WordPiece;

/** Any "model" of a tokenizer.json. */
export interface ModelJson {
  readonly type?: string;
  readonly vocab?: unknown;
  readonly merges?: unknown;
  readonly [setting: string]: unknown;
}

/** Throws an Error that names what is wrong or not known. */
export function makeModel(json: ModelJson | undefined): LibraryModel {
  if (typeof json !== "object" || (json as object | null) === null)
    throw new Error("it has no model");
  if (typeof json.vocab !== "object" || json.vocab === null)
    throw new Error("its model has no vocabulary");
  for (const setting of [
    "dropout",
    "continuing_subword_prefix",
    "end_of_word_suffix",
  ])
    if (kindOf(json) === "BPE" && json[setting])
      throw new Error(`${setting} of a BPE model is not known here`);
  const model = buildModel(json);
  for (const [entry, id] of model.tokens_to_ids) checkedId(id, entry);
  const unknown = model instanceof Unigram ? "unk_id" : "unk_token";
  const hasUnknown = model.vocab[model.unk_token_id ?? -1] !== undefined;
  if (!hasUnknown && !(model instanceof BPE && json["unk_token"] == null))
    throw new Error(
      `${unknown} ${String(json[unknown])} is not in its vocabulary`,
    );
  return model;
}

function buildModel(json: ModelJson): LibraryModel {
  switch (kindOf(json)) {
    case "BPE":
      return new BPE(json as unknown as ConstructorParameters<typeof BPE>[0]);
    case "WordPiece":
      return new WordPiece(
        json as unknown as ConstructorParameters<typeof WordPiece>[0],
      );
    case "Unigram":
      if (json["byte_fallback"])
        throw new Error("byte_fallback of a Unigram model is not known here");
      return new Unigram(
        json as unknown as ConstructorParameters<typeof Unigram>[0],
        "",
      );
    default:
      throw new Error(
        `its model is ${String(json.type)}; BPE, Unigram or WordPiece is needed`,
      );
  }
}

/** Older files do not say it. */
function kindOf({ type, vocab, merges }: ModelJson): string {
  if (type !== undefined) return type;
  if (Array.isArray(vocab)) return "Unigram";
  return merges === undefined ? "WordPiece" : "BPE";
}

/** An id as it may be; throws an Error that names the entry. */
export function checkedId(id: unknown, entry: string): number {
  if (
    !Number.isInteger(id) ||
    (id as number) < 0 ||
    (id as number) > 0x7fffffff
  )
    throw new Error(`the id of ${JSON.stringify(entry)} is ${String(id)}`);
  return id as number;
}
