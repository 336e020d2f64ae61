// The exact bytes that an entry of a vocabulary stands for. Three ways of
// writing are known: GPT-2's, where each byte has a printable character of its
// own; SentencePiece's, where entries are text with ▁ for the space and, in
// some, <0x0A> for a byte that is no text; and WordPiece's, where an entry is
// the beginning of a word unless ## stands before it. Read next: tokenizer.ts.

import { prependScheme } from "./pre-tokenizers.js";

/** Any "decoder" of a tokenizer.json. */
export interface DecoderJson {
  readonly type: string;
  readonly decoders?: readonly DecoderJson[];
  readonly [setting: string]: unknown;
}

/** Reads entries; the first of a text may lose the space before it. */
export interface EntryReader {
  readonly bytes: (entry: string) => Uint8Array;
  readonly firstBytes: (entry: string) => Uint8Array;
  /** Whether a text always comes back from its tokens, a first space aside. */
  readonly lossless: boolean;
}

const encoder = new TextEncoder();

/** Throws an Error that names what it does not know. */
export function makeEntryReader(
  json: DecoderJson | null | undefined,
): EntryReader {
  const steps = flatten(json);
  const types = steps.map(({ type }) => type).join(", ");
  switch (types) {
    case "ByteLevel":
      return {
        bytes: bytesOfByteLevel,
        firstBytes: bytesOfByteLevel,
        lossless: true,
      };
    case "WordPiece":
      return wordPieces(steps[0]!);
    case "Metaspace":
      return metaspacePieces(steps[0]!);
    case "Replace":
    case "Replace, ByteFallback, Fuse":
    case "Replace, ByteFallback, Fuse, Strip":
      return sentencePieces(steps);
    default:
      throw new Error(
        `its decoder is ${types || "missing"}; ByteLevel, WordPiece, Metaspace or a Sequence of Replace, ByteFallback, Fuse and Strip is needed`,
      );
  }
}

function flatten(decoder: DecoderJson | null | undefined): DecoderJson[] {
  if (decoder == null) return [];
  return decoder.type === "Sequence"
    ? (decoder.decoders ?? []).flatMap(flatten)
    : [decoder];
}

function sentencePieces(steps: readonly DecoderJson[]): EntryReader {
  const [replace, fallback, , strip] = steps;
  const { pattern, content } = replace as {
    pattern?: { String?: string };
    content?: string;
  };
  const mark = pattern?.String;
  if (mark === undefined || content !== " ")
    throw new Error(
      "its decoder replaces something else than a mark by a space",
    );
  const bytes = (entry: string) => {
    const byte = fallback && /^<0x([0-9A-Fa-f]{2})>$/.exec(entry)?.[1];
    return byte === undefined
      ? encoder.encode(entry.replaceAll(mark, " "))
      : Uint8Array.of(Number.parseInt(byte, 16));
  };
  const stripped = strip?.["content"] === " " ? Number(strip["start"] ?? 0) : 0;
  const firstBytes = (entry: string) => {
    const all = bytes(entry);
    let start = 0;
    while (start < stripped && all[start] === 0x20) ++start;
    return all.subarray(start);
  };
  return { bytes, firstBytes, lossless: fallback !== undefined };
}

function metaspacePieces(json: DecoderJson): EntryReader {
  const mark = String(json["replacement"] ?? "▁");
  const bytes = (entry: string) => encoder.encode(entry.replaceAll(mark, " "));
  // Every mark of the first piece goes, wherever it stands.
  const firstBytes =
    prependScheme(json) === "never"
      ? bytes
      : (entry: string) => encoder.encode(entry.replaceAll(mark, ""));
  return { bytes, firstBytes, lossless: false };
}

function wordPieces(json: DecoderJson): EntryReader {
  const prefix = String(json["prefix"] ?? "##");
  const clean = json["cleanup"] ? cleanUp : (text: string) => text;
  return {
    bytes: (entry) =>
      encoder.encode(
        clean(
          entry.startsWith(prefix) ? entry.slice(prefix.length) : ` ${entry}`,
        ),
      ),
    firstBytes: (entry) => encoder.encode(clean(entry)),
    lossless: false,
  };
}

/** Without the spaces that splitting at punctuation put before it. */
export function cleanUp(text: string): string {
  return text
    .replace(/ ([.?!,])/g, "$1")
    .replaceAll(" ' ", "'")
    .replaceAll(" n't", "n't")
    .replace(/ ('m|'s|'ve|'re)/g, "$1");
}

/** A text's bytes in GPT-2's alphabet. */
export function byteLevelText(text: string): string {
  return Array.from(
    encoder.encode(text),
    (byte) => byteLevelAlphabet[byte]!,
  ).join("");
}

function bytesOfByteLevel(entry: string): Uint8Array {
  const bytes = Array.from(entry, (character) =>
    byteOfCharacter.get(character),
  );
  // An entry outside the alphabet was added as plain text.
  return bytes.every((byte) => byte !== undefined)
    ? Uint8Array.from(bytes)
    : encoder.encode(entry);
}

// Printable bytes of Latin-1 stand for themselves; the others get the
// characters from U+0100 on, in order (Radford et al. 2019, the code).
const byteLevelAlphabet = makeByteLevelAlphabet();
const byteOfCharacter: ReadonlyMap<string, number> = new Map(
  byteLevelAlphabet.map((character, byte) => [character, byte]),
);

function makeByteLevelAlphabet(): string[] {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => {
    const printable =
      (byte >= 0x21 && byte <= 0x7e) ||
      (byte >= 0xa1 && byte <= 0xac) ||
      byte >= 0xae;
    return String.fromCodePoint(printable ? byte : next++);
  });
}
