// Tokens as people see them: by bytes, nothing invisible, nothing replaced.

import { expect, test } from "vitest";
import type { Token } from "attnscope";
import { labelText, tokenLabels } from "../../web/src/state/tokens.js";

let id = 0;
const token = (bytes: Uint8Array | string): Token => ({
  id: id++,
  bytes: typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes,
  text: "entry of the vocabulary",
  special: false,
});
const special = (text: string): Token => ({
  id: id++,
  bytes: new Uint8Array(),
  text,
  special: true,
});
const texts = (tokens: readonly Token[]) =>
  tokenLabels(tokens).map((label) => label.text);

/** A text cut into tokens of single bytes. */
const bytewise = (text: string) =>
  [...new TextEncoder().encode(text)].map((byte) => token(Uint8Array.of(byte)));

test("equal tokens have labels of their own", () => {
  expect(texts(["the", " cat", " the", " cat"].map(token))).toEqual([
    "the",
    "␣cat",
    "␣the",
    "␣cat",
  ]);
});

test("what is invisible gets a glyph", () => {
  expect(
    texts(["hello\n", "\t\t", "a  ", "\0", "\u00a0", "\u200b"].map(token)),
  ).toEqual(["hello↵", "⇥⇥", "a␣␣", "␀", "⟨00A0⟩", "⟨200B⟩"]);
});

test("text that could reorder its surroundings is spelt out", () => {
  expect(texts([token("\u202eabc")])).toEqual(["⟨202E⟩abc"]);
});

test("the pieces of a character are joined, and counted", () => {
  const labels = tokenLabels(bytewise("你好 🙂"));
  expect(labels.map(labelText)).toEqual([
    "你 1/3",
    "你 2/3",
    "你 3/3",
    "好 1/3",
    "好 2/3",
    "好 3/3",
    "␣",
    "🙂 1/4",
    "🙂 2/4",
    "🙂 3/4",
    "🙂 4/4",
  ]);
});

test("the two halves of an emoji in separate tokens are one character", () => {
  const bytes = new TextEncoder().encode("x😀");
  const labels = tokenLabels([token(bytes.slice(0, 3)), token(bytes.slice(3))]);
  expect(labels.map((label) => label.text)).toEqual(["x😀", "x😀"]);
  expect(labels.map((label) => label.piece?.index)).toEqual([0, 1]);
});

test("never a replacement character: bytes that are no text are spelt out", () => {
  const odd = [
    [token(Uint8Array.of(0xff, 0x41))],
    [token(Uint8Array.of(0xe4, 0xbd))], // a character that never ends
    [token(Uint8Array.of(0xe4)), special("</s>"), token(Uint8Array.of(0xbd))],
    [token(Uint8Array.of(0xc0, 0xaf))], // overlong
    [token(Uint8Array.of(0xed, 0xa0, 0x80))], // half a surrogate pair
  ];
  expect(odd.map(texts)).toEqual([
    ["⟨FF⟩A"],
    ["⟨E4⟩⟨BD⟩"],
    ["⟨E4⟩", "</s>", "⟨BD⟩"],
    ["⟨C0⟩⟨AF⟩"],
    ["⟨ED⟩⟨A0⟩⟨80⟩"],
  ]);
});

test("special tokens show their name", () => {
  expect(texts([special("<s>"), token("a")])).toEqual(["<s>", "a"]);
});
