// Folders of small models for page tests: a golden checkpoint of a family, whose
// weights are random, and a tokenizer of whole words for its 64 entries.

import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const golden = fileURLToPath(new URL("../../golden/", import.meta.url));

/** Words that the tokenizers know; the other entries are fillers. */
const words =
  "the a cat dog bank river was is crowded near sat on mat le la chat chien rive banque était bondée près de du fleuve assis sur tapis";

interface Special {
  readonly token: string;
  readonly id: number;
}

/** Writes a folder that the page can load. */
export function smallModel(
  folder: string,
  family: string,
  special: {
    readonly begin?: Special;
    readonly end: Special;
    readonly unknown: Special;
    readonly others?: readonly Special[];
  },
  settings: Record<string, unknown> = {},
): void {
  mkdirSync(folder, { recursive: true });
  for (const name of ["config.json", "model.safetensors"]) {
    copyFileSync(join(golden, family, name), join(folder, name));
  }
  const { begin, end, unknown, others = [] } = special;
  const specials = [...(begin ? [begin] : []), end, unknown, ...others];
  const vocab: Record<string, number> = {};
  for (const { token, id } of specials) vocab[token] = id;
  const known = words.split(" ");
  for (let id = 0; id < 64; id++) {
    if (specials.some((one) => one.id === id)) continue;
    vocab[known.shift() ?? `filler${id}`] = id;
  }
  const slot = ({ token }: Special) => ({
    SpecialToken: { id: token, type_id: 0 },
  });
  const sequence = (id: string) => ({ Sequence: { id, type_id: 0 } });
  const head = begin ? [slot(begin)] : [];
  writeFileSync(
    join(folder, "tokenizer.json"),
    JSON.stringify({
      version: "1.0",
      truncation: null,
      padding: null,
      added_tokens: specials.map(({ token, id }) => ({
        id,
        content: token,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: true,
      })),
      normalizer: null,
      pre_tokenizer: { type: "BertPreTokenizer" },
      post_processor: {
        type: "TemplateProcessing",
        single: [...head, sequence("A"), slot(end)],
        pair: [...head, sequence("A"), slot(end), sequence("B"), slot(end)],
        special_tokens: Object.fromEntries(
          [...(begin ? [begin] : []), end].map(({ token, id }) => [
            token,
            { id: token, ids: [id], tokens: [token] },
          ]),
        ),
      },
      decoder: { type: "WordPiece", prefix: "##", cleanup: true },
      model: {
        type: "WordPiece",
        unk_token: unknown.token,
        continuing_subword_prefix: "##",
        max_input_chars_per_word: 100,
        vocab,
      },
    }),
  );
  writeFileSync(
    join(folder, "tokenizer_config.json"),
    JSON.stringify({ unk_token: unknown.token, ...settings }),
  );
}

/** Reads a whole text; says what stands at [MASK]. */
export const smallBert = (folder: string) =>
  smallModel(
    folder,
    "bert",
    {
      begin: { token: "[CLS]", id: 2 },
      end: { token: "[SEP]", id: 3 },
      unknown: { token: "[UNK]", id: 1 },
      others: [
        { token: "[PAD]", id: 0 },
        { token: "[MASK]", id: 4 },
      ],
    },
    { mask_token: "[MASK]" },
  );

/** 3 layers of 4 heads read a source, 2 layers of 3 heads say something. */
export const smallMarian = (folder: string) =>
  smallModel(folder, "marian", {
    end: { token: "</s>", id: 0 },
    unknown: { token: "<unk>", id: 1 },
    others: [{ token: "<pad>", id: 63 }],
  });
