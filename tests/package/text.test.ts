// Tokens are bytes: exact ids, exact bytes, texts that come back whole.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { Tokenizer } from "attnscope";

import { TextJoiner } from "../../wasm/src/text-joiner.js";
import { makeEntryReader } from "../../wasm/src/token-bytes.js";
import {
  bridge,
  echo,
  golden,
  readJson,
  sharedFolder,
  tales,
} from "./support/files.js";
import { sentencePieceJson } from "./support/sentence-piece.js";

function tokenizerOf(folder: string): Tokenizer {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return new Tokenizer(read("tokenizer.json"), read("tokenizer_config.json"));
}

function bytesOf(tokenizer: Tokenizer, ids: readonly number[]): Uint8Array {
  return Buffer.concat(ids.map((id) => tokenizer.token(id).bytes));
}

/** Texts that other projects lost something of. */
const oddTexts = [
  "hello\nworld",
  "we'll  go",
  "a\t\tb",
  "trailing space ",
  "  leading",
  "a\0b",
  "你好 🙂",
  "😀",
  "a<b<c",
  `"><img src=x onerror=1>`,
  "the cat the cat",
  "\ufeffmark",
  "e\u0301 \u00e9",
  "\r\n",
];

describe("the bundled byte-level tokenizer", () => {
  const tokenizer = tokenizerOf(tales);
  interface Case {
    readonly text: string;
    readonly ids: number[];
    readonly decoded: string;
  }
  const cases = readJson<Case[]>(join(golden, "tokenizer/tales_ids.json"));

  it("gives the ids of the Rust library on every text", () => {
    expect(cases.length).toBeGreaterThan(10);
    for (const { text, ids, decoded } of cases) {
      expect(tokenizer.encode(text), JSON.stringify(text)).toEqual(ids);
      // The reference writes special tokens out; decode() leaves them out.
      const plain = decoded.replaceAll("<|endoftext|>", "");
      expect(tokenizer.decode(ids), JSON.stringify(text)).toBe(plain);
    }
  });

  it.each(oddTexts)("brings back %j byte for byte", (text) => {
    const ids = tokenizer.encode(text);
    expect(tokenizer.decode(ids)).toBe(text);
    expect(Buffer.from(bytesOf(tokenizer, ids)).toString()).toBe(text);
  });

  it("marks special tokens, which have no bytes", () => {
    const token = tokenizer.token(0);
    expect(token.special).toBe(true);
    expect(token.bytes).toHaveLength(0);
    expect(token.text).toBe("<|endoftext|>");
    expect(tokenizer.decode([0, ...tokenizer.encode("a"), 0])).toBe("a");
  });

  it("gives a part of a character its bytes and its vocabulary entry", () => {
    const ids = tokenizer.encode("😀");
    expect(ids.length).toBeGreaterThan(1);
    const part = tokenizer.token(ids[0]!);
    expect(part.bytes[0]).toBe(0xf0);
    expect(part.text).not.toContain("\ufffd");
  });

  it("knows every byte", () => {
    const all = Array.from({ length: 256 }, (_, byte) => byte);
    const entries = new Map(
      Array.from({ length: tokenizer.vocabularySize }, (_, id) => {
        const { bytes } = tokenizer.token(id);
        return [bytes.length === 1 ? bytes[0] : -1, id];
      }),
    );
    expect(all.filter((byte) => !entries.has(byte))).toEqual([]);
  });

  it("has no bytes for an id past its vocabulary", () => {
    const token = tokenizer.token(99999);
    expect(token).toMatchObject({ id: 99999, text: "99999", special: false });
    expect(token.bytes).toHaveLength(0);
  });
});

describe("the tokenizer of single bytes", () => {
  const tokenizer = tokenizerOf(echo);
  interface Case {
    readonly text: string;
    readonly ids: number[];
  }
  const cases = readJson<Case[]>(join(golden, "tokenizer/echo_ids.json"));

  it("gives the ids of the Rust library on every text, begin token first", () => {
    expect(cases.length).toBeGreaterThan(10);
    for (const { text, ids } of cases) {
      expect(tokenizer.encode(text), JSON.stringify(text)).toEqual(ids);
      expect(ids[0], JSON.stringify(text)).toBe(0);
    }
  });

  it.each(oddTexts)("spells %j in as many tokens as it has bytes", (text) => {
    const ids = tokenizer.encode(text);
    expect(ids).toHaveLength(1 + Buffer.from(text).length);
    expect(tokenizer.decode(ids)).toBe(text);
  });
});

describe("the tokenizer of words and bytes", () => {
  const tokenizer = tokenizerOf(bridge);
  interface Case {
    readonly text: string;
    readonly ids: number[];
  }
  const cases = readJson<Case[]>(join(golden, "tokenizer/bridge_ids.json"));

  it("gives the ids of the Rust library on every text, the end token last", () => {
    expect(cases.length).toBeGreaterThan(10);
    for (const { text, ids } of cases) {
      expect(tokenizer.encode(text), JSON.stringify(text)).toEqual(ids);
      expect(tokenizer.decode(ids), JSON.stringify(text)).toBe(text);
      expect(tokenizer.token(ids.at(-1)!).text).toBe("</s>");
    }
  });

  it("has a token for each word that it knows and bytes for others", () => {
    const texts = (text: string) =>
      tokenizer.encode(text).map((id) => tokenizer.token(id).text);
    expect(texts("The white cat didn't sit.")).toEqual([
      "The",
      " white",
      " cat",
      " didn",
      "'t",
      ..." sit",
      ".",
      "</s>",
    ]);
    expect(texts("L'arbre d'Anna")).toEqual([
      "L'",
      "arbre",
      " d'",
      "Anna",
      "</s>",
    ]);
  });
});

const stories = sharedFolder("real/stories260k");
describe.each([
  ["a small one", new Tokenizer(sentencePieceJson(), undefined)],
  ...(stories ? [["stories260k", tokenizerOf(stories)] as const] : []),
] as const)(
  "a SentencePiece tokenizer with byte fallback: %s",
  (_name, tokenizer) => {
    it.each(oddTexts)("brings back %j byte for byte", (text) => {
      expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
    });

    it("knows spaces and bytes by their entries", () => {
      const [, once, newline] = tokenizer.encode("Once\n");
      expect(tokenizer.token(once!).text).toBe(" Once");
      expect([...tokenizer.token(newline!).bytes]).toEqual([10]);
    });

    it("does not double a begin token that the text has already", () => {
      const ids = tokenizer.encode("Once upon");
      expect(ids[0]).toBe(1);
      expect(tokenizer.encode("<s>Once upon")).toEqual(ids);
      // One that the text itself doubles is the text's own.
      expect(tokenizer.encode("<s><s>Once upon")).toEqual([1, ...ids]);
    });

    it("keeps an embedded NUL", () => {
      const ids = tokenizer.encode("a\0b");
      expect(ids).toContain(3); // <0x00>
    });
  },
);

describe("the bytes of an entry", () => {
  it("are those of GPT-2's alphabet", () => {
    const { bytes } = makeEntryReader({ type: "ByteLevel" });
    expect([...bytes("ĠtheĊ")]).toEqual([32, 116, 104, 101, 10]);
  });
  it("are those of SentencePiece's", () => {
    const { bytes, firstBytes } = makeEntryReader({
      type: "Sequence",
      decoders: [
        { type: "Replace", pattern: { String: "▁" }, content: " " },
        { type: "ByteFallback" },
        { type: "Fuse" },
        { type: "Strip", content: " ", start: 1, stop: 0 },
      ],
    });
    expect([...bytes("<0xE4>")]).toEqual([0xe4]);
    expect([...bytes("▁a")]).toEqual([32, 97]);
    expect([...firstBytes("▁▁a")]).toEqual([32, 97]);
    // Only the whole entry is a byte.
    expect(bytes("x<0xE4>")).toHaveLength(7);
  });
  it("are those of WordPiece's", () => {
    const { bytes, firstBytes } = makeEntryReader({
      type: "WordPiece",
      prefix: "##",
      cleanup: true,
    });
    const text = (read: Uint8Array) => Buffer.from(read).toString();
    expect(text(bytes("##ing"))).toBe("ing");
    expect(text(bytes("go"))).toBe(" go");
    expect(text(bytes("."))).toBe(".");
    expect(text(firstBytes("go"))).toBe("go");
  });
});

describe("the text joiner", () => {
  it("holds the halves of a character until it is whole", () => {
    const joiner = new TextJoiner();
    const bytes = new TextEncoder().encode("a😀b");
    const texts = Array.from(bytes, (byte) => joiner.push(Uint8Array.of(byte)));
    expect(texts).toEqual(["a", "", "", "", "😀", "b"]);
  });
  it("shows an unfinished character only at the end", () => {
    const joiner = new TextJoiner();
    expect(joiner.push(Uint8Array.of(0xf0, 0x9f))).toBe("");
    expect(joiner.end()).toBe("\ufffd");
  });
  it("keeps a byte order mark", () => {
    expect(new TextJoiner().push(Uint8Array.of(0xef, 0xbb, 0xbf))).toBe(
      "\ufeff",
    );
  });
});

describe("tokenizers that cannot be read", () => {
  it.each([
    ["not JSON", "<!doctype html>", "not JSON"],
    ["a list", "[]", "decoder"],
    ["a number", "3", "not a JSON object"],
    ["nothing but a decoder", '{"decoder":{"type":"ByteLevel"}}', "x.json"],
  ])("%s: a clear error", (_, json, part) => {
    expect(() => new Tokenizer(json, undefined, "x.json")).toThrow(
      expect.objectContaining({
        code: "invalid-tokenizer",
        message: expect.stringContaining(part) as string,
      }),
    );
  });
});
