// Tokens as people see them: bytes first. Spaces and control characters get
// visible glyphs, the pieces of one character are joined, and nothing becomes
// a replacement character. Read next: state.ts.

import type { Token } from "attnscope";

/** A stretch of a label; glyphs stand for something invisible. */
export interface LabelPart {
  readonly text: string;
  readonly glyph: boolean;
}

export interface TokenLabel {
  readonly parts: readonly LabelPart[];
  /** Parts as one string. */
  readonly text: string;
  /**
   * Where the token is a piece of a character (or of several): which piece, of
   * how many. Its text is then that of all the pieces together.
   */
  readonly piece?: { readonly index: number; readonly count: number };
  readonly special: boolean;
}

/** How many bytes the UTF-8 character that starts with `byte` has; 0: none starts so. */
function characterLength(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte >= 0xc2 && byte < 0xe0) return 2;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  if (byte >= 0xf0 && byte < 0xf5) return 4;
  return 0;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The character's text, or undefined where the bytes are not one. */
function decodeCharacter(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

const hex = (value: number, digits: number) =>
  value.toString(16).toUpperCase().padStart(digits, "0");

/** A visible stand-in for characters that would show nothing or mislead. */
function glyphOf(character: string): string | undefined {
  const code = character.codePointAt(0)!;
  if (character === " ") return "␣";
  if (character === "\n") return "↵";
  if (character === "\t") return "⇥";
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "␡";
  if (/[\p{Cc}\p{Cf}\p{Z}]/u.test(character) && character !== "\u200d") {
    return `⟨${hex(code, 4)}⟩`;
  }
  return undefined;
}

function labelParts(bytes: Uint8Array): LabelPart[] {
  const parts: LabelPart[] = [];
  const add = (text: string, glyph: boolean) => {
    const last = parts.at(-1);
    if (last?.glyph === glyph) {
      parts[parts.length - 1] = { text: last.text + text, glyph };
    } else {
      parts.push({ text, glyph });
    }
  };
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes[at]!);
    const character =
      length > 0 && at + length <= bytes.length
        ? decodeCharacter(bytes.subarray(at, at + length))
        : undefined;
    if (character === undefined) {
      add(`⟨${hex(bytes[at]!, 2)}⟩`, true);
      at += 1;
    } else {
      const glyph = glyphOf(character);
      add(glyph ?? character, glyph !== undefined);
      at += length;
    }
  }
  return parts;
}

function join(tokens: readonly Token[]): Uint8Array {
  const joined = new Uint8Array(
    tokens.reduce((sum, token) => sum + token.bytes.length, 0),
  );
  let at = 0;
  for (const token of tokens) {
    joined.set(token.bytes, at);
    at += token.bytes.length;
  }
  return joined;
}

/** Whether the bytes end inside a character that later bytes may finish. */
function endsInside(bytes: Uint8Array): boolean {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte >= 0xc0) return characterLength(byte) > back;
    if (byte < 0x80) return false;
  }
  return false;
}

/** Labels of tokens by position; equal tokens keep labels of their own. */
export function tokenLabels(tokens: readonly Token[]): TokenLabel[] {
  const labels: TokenLabel[] = [];
  for (let start = 0; start < tokens.length;) {
    const token = tokens[start]!;
    if (token.special || token.bytes.length === 0) {
      labels.push({
        parts: [{ text: token.text, glyph: true }],
        text: token.text,
        special: true,
      });
      start += 1;
      continue;
    }
    let end = start + 1;
    while (
      end < tokens.length &&
      endsInside(join(tokens.slice(start, end))) &&
      !tokens[end]!.special &&
      tokens[end]!.bytes.length > 0
    ) {
      end += 1;
    }
    const parts = labelParts(join(tokens.slice(start, end)));
    const text = parts.map((part) => part.text).join("");
    const count = end - start;
    for (let index = 0; index < count; index++) {
      labels.push({
        parts,
        text,
        special: false,
        ...(count > 1 && { piece: { index, count } }),
      });
    }
    start = end;
  }
  return labels;
}

/** A label as one line of plain text, for read-outs and names. */
export function labelText(label: TokenLabel): string {
  return label.piece
    ? `${label.text} ${label.piece.index + 1}/${label.piece.count}`
    : label.text;
}
