// scripts/inspect on encoders and encoder-decoders: the arrays of both engines
// against the reference, and one line and an exit code for whatever is wrong.
import { copyFileSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { golden, largestDifference } from "../package/support/files.js";
import {
  continuationsOf,
  Golden,
  type GoldenText,
} from "../package/support/golden.js";
import { arraysOf, engines, folder, inspect, numbers, out } from "./support.js";

/** Encoders and encoder-decoders, whose second text ends in padding. */
const folders = [
  ...["bert", "distilbert", "roberta"],
  ...["t5", "t5_gated", "marian", "bart", "mbart", "m2m100"],
].map((name) => join(golden, name));

/** The options that run a text. */
function wordsOf({ input, target, tokenTypes, hidden }: GoldenText): string[] {
  const list = (option: string, values: readonly number[] | undefined) =>
    values ? [option, values.join(",")] : [];
  return [
    ...list("--ids", input),
    ...list("--decoder-ids", target),
    ...list("--token-types", tokenTypes),
    ...list(
      "--attention-mask",
      hidden?.map(Number).map((padding) => 1 - padding),
    ),
  ];
}

/** A tokenizer.json with a word for each of a few ids. */
const wordTokenizer = JSON.stringify({
  version: "1.0",
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: { type: "WhitespaceSplit" },
  post_processor: null,
  decoder: { type: "WordPiece", prefix: "##", cleanup: false },
  model: {
    type: "WordPiece",
    vocab: { "[UNK]": 0, a: 3, b: 4, c: 5 },
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
  },
});

describe.each(engines)("engine %s", (engine) => {
  it.each(folders)("writes the reference's arrays of %s", (checkpoint) => {
    const right = new Golden(checkpoint);
    const continuations = continuationsOf(checkpoint);
    for (const [row, text] of right.texts.entries()) {
      const arrays = arraysOf(
        ...[checkpoint, "--engine", engine, ...wordsOf(text)],
      );
      const kinds = text.target
        ? ["encoder_attentions", "decoder_attentions", "cross_attentions"]
        : ["attentions"];
      const weights = kinds.flatMap((kind) =>
        Array.from({ length: right.layers(kind) }, (_, l) => `${kind}.${l}`),
      );
      const ids = text.target ? ["decoder_ids", "ids"] : ["ids"];
      expect([...arrays.keys()].sort()).toEqual(
        [...ids, "logits", ...weights].sort(),
      );
      expect(numbers(arrays.get("ids"))).toEqual(text.input);
      if (text.target) {
        expect(numbers(arrays.get("decoder_ids"))).toEqual(text.target);
      }
      for (const name of ["logits", ...weights]) {
        const expected = right.row(name, row);
        expect(arrays.get(name)!.shape).toEqual([1, ...expected.shape]);
        expect(
          largestDifference(numbers(arrays.get(name)), expected.data),
          name,
        ).toBeLessThan(name === "logits" ? 1e-3 : 1e-5);
      }
    }
    for (const { start, whole } of continuations) {
      const count = whole.length - start.target!.length;
      const arrays = arraysOf(
        ...[checkpoint, "--engine", engine, ...wordsOf(start)],
        ...["--greedy", String(count)],
      );
      expect(numbers(arrays.get("greedy"))).toEqual(whole);
    }
  });

  it("puts the decoder's text after its start tokens, which are its default", () => {
    const checkpoint = mkdtempSync(join(folder, "marian-"));
    for (const name of ["config.json", "model.safetensors"]) {
      copyFileSync(join(golden, "marian", name), join(checkpoint, name));
    }
    writeFileSync(join(checkpoint, "tokenizer.json"), wordTokenizer);
    const common = [checkpoint, "--engine", engine];
    const texts = arraysOf(...common, "--text", "c a", "--decoder-text", "b c");
    expect(numbers(texts.get("ids"))).toEqual([5, 3]);
    expect(numbers(texts.get("decoder_ids"))).toEqual([63, 4, 5]);
    const ids = arraysOf(
      ...[...common, "--ids", "5,3", "--decoder-ids", "63,4,5"],
    );
    expect(texts).toEqual(ids);
    const start = arraysOf(...common, "--ids", "5,3");
    expect(numbers(start.get("decoder_ids"))).toEqual([63]);
    expect(start.get("cross_attentions.0")!.shape).toEqual([1, 3, 1, 2]);
  });

  it.each<[string, string, string[], string]>([
    [
      "a continuation of an encoder",
      "bert",
      ["--ids", "1", "--greedy", "3"],
      "invalid-argument: .*bert",
    ],
    [
      "token types of another length",
      "bert",
      ["--ids", "1,2", "--token-types", "0"],
      "invalid-argument: .*1 token types for 2 tokens",
    ],
    [
      "a token type that the model lacks",
      "bert",
      ["--ids", "1,2", "--token-types", "0,2"],
      ".*token type",
    ],
    [
      "a source that is too long",
      "marian",
      ["--ids", "1,".repeat(40) + "1"],
      ".*source",
    ],
    [
      "a decoder's text that is too long",
      "marian",
      ["--ids", "1", "--decoder-ids", "1,".repeat(40) + "1"],
      "capacity-reached: ",
    ],
    ["an empty source", "marian", ["--ids", ""], "empty-input: "],
    [
      "an empty text of the decoder",
      "marian",
      ["--ids", "1", "--decoder-ids", ""],
      "empty-input: ",
    ],
  ])("%s: exit code 1 and the reason", (_, name, words, reason) => {
    const result = inspect(join(golden, name), ...words, "--engine", engine);
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(new RegExp(`^error: ${reason}.*\n$`, "i"));
    expect(existsSync(out)).toBe(false);
  });
});
