// Tokenizers of every kind against the Rust library: ids, texts, pairs, targets.
// The data: tests/golden/tokenizers, made by scripts/golden/tokenizer_golden.py.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { Tokenizer } from "attnscope";

import { golden, readJson } from "./support/files.js";

interface Texts {
  readonly texts: readonly string[];
  readonly long: string;
  readonly pairs: readonly (readonly [string, string])[];
}

interface Golden {
  readonly ids: readonly (readonly number[])[];
  /** null where it is the text itself. */
  readonly decoded: readonly (string | null)[];
  readonly long: { readonly length: number; readonly sha256: string };
  readonly pairs: readonly {
    readonly ids: readonly number[];
    readonly types: readonly number[];
  }[];
  readonly targets?: readonly (readonly number[])[];
}

const folder = join(golden, "tokenizers");
const { texts, long, pairs } = readJson<Texts>(join(folder, "texts.json"));
const kinds = readdirSync(folder).filter((name) => !name.includes("."));

function read(kind: string, file: string): string {
  return readFileSync(join(folder, kind, file), "utf8");
}

function tokenizerOf(kind: string): Tokenizer {
  return new Tokenizer(
    read(kind, "tokenizer.json"),
    read(kind, "tokenizer_config.json"),
    kind,
  );
}

/**
 * What encode() is to give: the reference's ids, save that a text that starts
 * with the begin token does not get a second.
 */
function expected(tokenizer: Tokenizer, ids: readonly number[]): number[] {
  const [first, second] = ids;
  const begin = tokenizer.encode("")[0];
  const doubled = first === second && first === begin;
  return doubled && tokenizer.token(first!).special ? ids.slice(1) : [...ids];
}

function shown(value: unknown): string {
  return JSON.stringify(value);
}

describe.each(kinds)("a tokenizer as %s has it", (kind) => {
  const tokenizer = tokenizerOf(kind);
  const reference = readJson<Golden>(join(folder, kind, "golden.json"));

  it("gives the reference's ids", () => {
    expect(texts.length).toBeGreaterThan(80);
    texts.forEach((text, index) => {
      expect(tokenizer.encode(text), shown(text)).toEqual(
        expected(tokenizer, reference.ids[index]!),
      );
    });
  });

  it("decodes to the reference's texts", () => {
    texts.forEach((text, index) => {
      expect(tokenizer.decode(reference.ids[index]!), shown(text)).toBe(
        reference.decoded[index] ?? text,
      );
    });
  });

  it("is right on a text of 13,000 characters", () => {
    const ids = tokenizer.encode(long);
    const digest = createHash("sha256").update(ids.join(" ")).digest("hex");
    expect(ids).toHaveLength(reference.long.length);
    expect(digest).toBe(reference.long.sha256);
  });

  it("puts two texts in one row as the reference does, or refuses", () => {
    pairs.forEach(([first, second], index) => {
      const { ids, types } = reference.pairs[index]!;
      const encode = () => tokenizer.encodePair(first, second);
      // Without a template the reference just joins the two.
      if (["bloom", "gpt2", "gpt_neox", "qwen2", "smollm"].includes(kind)) {
        expect(encode).toThrow(/no provision for two texts/);
      } else {
        expect(encode()).toEqual({ ids, tokenTypes: types });
      }
    });
  });

  it("gives a target the target language, where there are languages", () => {
    const languages = ["m2m100", "mbart", "mbart50"].includes(kind);
    expect(reference.targets !== undefined).toBe(languages);
    texts.forEach((text, index) => {
      const ids = reference.targets?.[index] ?? tokenizer.encode(text);
      const [first, second] = ids;
      if (languages && first === second && tokenizer.token(first!).special)
        return; // The text names the target language itself.
      expect(tokenizer.encodeTarget(text), shown(text)).toEqual(ids);
    });
  });

  it("marks special tokens, which have no bytes", () => {
    for (let id = 0; id < tokenizer.vocabularySize; ++id) {
      const { special, bytes } = tokenizer.token(id);
      expect(bytes.length === 0, String(id)).toBe(special);
    }
    const added = (
      JSON.parse(read(kind, "tokenizer.json")) as {
        added_tokens: { id: number; special: boolean; content: string }[];
      }
    ).added_tokens;
    expect(added.length).toBeGreaterThan(0);
    for (const { id, special, content } of added) {
      expect(tokenizer.token(id).special, content).toBe(special);
      if (special) expect(tokenizer.token(id).text).toBe(content);
    }
  });
});

const lossless = ["gpt2", "roberta", "opt", "bloom", "smollm", "llama3"];
describe.each(lossless)("bytes of %s's tokens", (kind) => {
  it("join to the text", () => {
    const tokenizer = tokenizerOf(kind);
    for (const text of texts) {
      const tokens = tokenizer.encode(text).map((id) => tokenizer.token(id));
      if (/<|\[/.test(text)) continue; // It may hold special tokens.
      const bytes = Buffer.concat(tokens.map((token) => token.bytes));
      expect(bytes.toString(), shown(text)).toBe(text);
      expect(tokenizer.decode(tokens.map(({ id }) => id))).toBe(text);
    }
  });
});

describe.each(["llama2", "mistral", "gemma"])(
  "bytes of %s's tokens",
  (kind) => {
    it("join to the text, after the space that stands before it", () => {
      const tokenizer = tokenizerOf(kind);
      for (const text of texts) {
        if (/<|\[|▁/.test(text)) continue;
        const tokens = tokenizer.encode(text).map((id) => tokenizer.token(id));
        const joined = Buffer.concat(tokens.map((token) => token.bytes));
        const added =
          text !== "" &&
          (kind === "llama2" || (kind === "mistral" && !text.startsWith(" ")));
        expect(joined.toString(), shown(text)).toBe(added ? ` ${text}` : text);
      }
    });
  },
);

describe("a WordPiece tokenizer", () => {
  const tokenizer = tokenizerOf("bert_uncased");
  const tokensOf = (text: string) =>
    tokenizer.encode(text).map((id) => tokenizer.token(id));

  it("has words with their space and the rest of words without", () => {
    const tokens = tokensOf("The RIVERSIDE");
    const parts = tokens.filter(({ special }) => !special);
    expect(parts[0]!.text).toBe(" the");
    expect(
      parts
        .slice(1)
        .map(({ text }) => text)
        .join(""),
    ).toBe(" riverside");
    expect(parts.length).toBeGreaterThan(2);
  });

  it("shows what it does not know as the unknown token", () => {
    expect(tokensOf("the ꙮ cat")[2]).toMatchObject({
      text: "[UNK]",
      special: true,
    });
  });

  it("finds the mask token in a text, and its id", () => {
    const ids = tokenizer.encode("the [MASK] sat.");
    expect(tokenizer.maskTokenId).toBe(ids[2]);
    expect(tokenizer.decode(ids)).toBe("the sat.");
  });

  it("leaves no space before punctuation that it cut off", () => {
    const tidy = tokenizerOf("distilbert");
    const text = "well, it's here; they don't know. really?";
    expect(tidy.decode(tidy.encode("the cat, the dog."))).toBe(
      "the cat, the dog.",
    );
    expect(tokenizer.decode(tokenizer.encode(text))).not.toContain(" ,");
  });
});

it.each([
  ["roberta", true],
  ["bart", true],
  ["mbart", true],
  ["bert_cased", true],
  ["gpt2", false],
  ["t5", false],
])("the mask token of %s: %s", (kind, has) => {
  const tokenizer = tokenizerOf(kind);
  const id = tokenizer.maskTokenId;
  expect(id !== undefined).toBe(has);
  if (id !== undefined)
    expect(tokenizer.token(id).text).toMatch(/^(\[MASK\]|<mask>)$/);
});

it("a long text of joined characters is replaced like a short one", () => {
  const tokenizer = tokenizerOf("t5");
  const cluster = `e\u0301 ﬁ👩‍👩‍👧${"\u0301".repeat(70)} `;
  const once = tokenizer.encode(cluster).slice(0, -1);
  for (let shift = 0; shift < 64; ++shift) {
    const before = "a ".repeat(shift);
    const ids = tokenizer.encode(before + cluster.repeat(3)).slice(0, -1);
    expect(ids.slice(-3 * once.length)).toEqual([...once, ...once, ...once]);
  }
  const started = performance.now();
  tokenizer.encode("é ".repeat(20_000));
  expect(performance.now() - started).toBeLessThan(10_000);
});

it("half a character in the text is the replacement character", () => {
  for (const kind of ["gpt2", "llama2", "t5", "bert_cased"]) {
    const tokenizer = tokenizerOf(kind);
    expect(tokenizer.encode("a\ud83d b")).toEqual(
      tokenizer.encode("a\ufffd b"),
    );
  }
});

describe("settings that are not known", () => {
  const changed = (kind: string, change: (json: Json) => void): string => {
    const json = JSON.parse(read(kind, "tokenizer.json")) as Json;
    change(json);
    return JSON.stringify(json);
  };
  // The parts of a file, to be spoilt in any way.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  type Json = Record<string, any>;
  const cases: [string, string, (json: Json) => void, string][] = [
    [
      "a normalizer",
      "t5",
      (json) => (json["normalizer"] = { type: "Nmt" }),
      "Nmt",
    ],
    [
      "a pre-tokenizer",
      "gpt2",
      (json) => (json["pre_tokenizer"] = { type: "UnicodeScripts" }),
      "UnicodeScripts",
    ],
    [
      "a post-processor",
      "gpt2",
      (json) => (json["post_processor"] = { type: "X" }),
      "X",
    ],
    ["a decoder", "gpt2", (json) => (json["decoder"] = { type: "CTC" }), "CTC"],
    [
      "no decoder",
      "gpt2",
      (json) => (json["decoder"] = null),
      "decoder is missing",
    ],
    [
      "a model",
      "gpt2",
      (json) => (json["model"]["type"] = "WordLevel"),
      "WordLevel",
    ],
    ["no model", "gpt2", (json) => delete json["model"], "no model"],
    ["a model of null", "gpt2", (json) => (json["model"] = null), "no model"],
    [
      "bytes in Unigram",
      "t5",
      (json) => (json["model"]["byte_fallback"] = true),
      "byte_fallback",
    ],
    [
      "a BPE prefix",
      "gpt2",
      (json) => (json["model"]["continuing_subword_prefix"] = "##"),
      "continuing_subword_prefix",
    ],
    ["chance", "llama2", (json) => (json["model"]["dropout"] = 0.1), "dropout"],
    [
      "an unknown token that is none",
      "llama2",
      (json) => (json["model"]["unk_token"] = "<x>"),
      "<x>",
    ],
    [
      "an id of Unigram's that is none",
      "t5",
      (json) => (json["model"]["unk_id"] = 99999),
      "99999",
    ],
    [
      "a negative id",
      "gpt2",
      (json) => (json["model"]["vocab"]["a"] = -1),
      '"a" is -1',
    ],
    [
      "an id that is a text",
      "gpt2",
      (json) => (json["model"]["vocab"]["a"] = "7"),
      '"a" is 7',
    ],
    [
      "an enormous id",
      "gpt2",
      (json) => (json["model"]["vocab"]["a"] = 1e12),
      "1000000000000",
    ],
    [
      "merges that are none",
      "gpt2",
      (json) => (json["model"]["merges"] = 3),
      "gpt2",
    ],
    [
      "a vocabulary that is none",
      "t5",
      (json) => (json["model"]["vocab"] = [3]),
      "t5",
    ],
    [
      "added tokens that are none",
      "gpt2",
      (json) => (json["added_tokens"] = "abc"),
      "gpt2",
    ],
    [
      "an added token without text",
      "gpt2",
      (json) => (json["added_tokens"] = [{ id: 3 }]),
      "gpt2",
    ],
    [
      "a template without ids",
      "t5",
      (json) => (json["post_processor"]["special_tokens"] = {}),
      "</s>",
    ],
    [
      "a table that is no base64",
      "t5",
      (json) => (json["normalizer"]["precompiled_charsmap"] = "?"),
      "t5",
    ],
    [
      "a table cut short",
      "t5",
      (json) => (json["normalizer"]["precompiled_charsmap"] = "////fwAA"),
      "t5",
    ],
    [
      "a pattern that is none",
      "llama3",
      (json) =>
        (json["pre_tokenizer"]["pretokenizers"][0]["pattern"] = { Regex: "(" }),
      "llama3",
    ],
  ];
  it.each(cases)("%s of %s: refused by name", (_, kind, change, part) => {
    expect(() => new Tokenizer(changed(kind, change), undefined, kind)).toThrow(
      expect.objectContaining({
        code: "invalid-tokenizer",
        message: expect.stringContaining(part) as string,
      }),
    );
  });

  it("a language of the settings that the vocabulary lacks: refused by name", () => {
    const config = JSON.stringify({ src_lang: "en_XX", tgt_lang: "xx_YY" });
    const tokenizer = new Tokenizer(read("mbart", "tokenizer.json"), config);
    expect(() => tokenizer.encodeTarget("a")).toThrow(/xx_YY/);
  });
});

/** What no kind above has, checked against ids that the Rust library gave. */
describe("parts that only some files have", () => {
  const build = (change: object, added: object[] = []) => {
    const json = JSON.parse(read("gpt2", "tokenizer.json")) as {
      added_tokens: object[];
    };
    return new Tokenizer(
      JSON.stringify({ ...json, ...change, added_tokens: added }),
      undefined,
    );
  };
  const pieces = (tokenizer: Tokenizer, text: string) =>
    tokenizer.encode(text).map((id) => tokenizer.token(id).text);

  it("words of their own alone", () => {
    const word = { id: 900, content: "cat", single_word: true, special: false };
    const tokenizer = build({}, [word]);
    expect(tokenizer.encode("a cat!")).toContain(900);
    expect(tokenizer.encode("cats")).not.toContain(900);
    expect(tokenizer.encode("bobcat")).not.toContain(900);
  });

  it("tokens that take the blanks around them", () => {
    const token = { id: 900, content: "@@", special: true };
    const both = build({}, [{ ...token, lstrip: true, rstrip: true }]);
    expect(both.encode("a \u0085@@ \u0085 b")).toEqual([
      ...both.encode("a"),
      900,
      ...both.encode("b"),
    ]);
    const none = build({}, [token]);
    expect(pieces(none, "a @@ b")).toEqual(["a", " ", "@@", " b"]);
  });
});
