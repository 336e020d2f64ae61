// Step 2 of a tokenizer: the uniform text, cut into the pieces that the model
// then looks at one by one. Each kind of tokenizer.json's "pre_tokenizer" as the
// Rust library carries it out; the library's own versions depart from it on odd
// blanks, digits and how a separator joins its neighbours.
// Read next: added-tokens.ts, tokenizer.ts.

import { SplitPreTokenizer } from "@huggingface/tokenizers";

import { punctuation } from "./normalizers.js";
import { byteLevelText } from "./token-bytes.js";

/** A part of a text, and whether it is the text's very beginning. */
export interface Piece {
  readonly text: string;
  readonly first: boolean;
}

export type PreTokenizer = (piece: Piece) => Piece[];

/** Any "pre_tokenizer" of a tokenizer.json. */
export interface PreTokenizerJson {
  readonly type: string;
  readonly pretokenizers?: readonly PreTokenizerJson[];
  readonly pattern?: object;
  readonly behavior?: string;
  readonly invert?: boolean;
  readonly [setting: string]: unknown;
}

const blank = /\p{White_Space}+/gu;
const gpt2Words =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;
/** One character of a word, as Rust's regular expressions see it. */
export const wordCharacter = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]`;

/** Throws an Error that names what it does not know. */
export function makePreTokenizer(
  json: PreTokenizerJson | null | undefined,
): PreTokenizer {
  if (json == null) return (piece) => [piece];
  switch (json.type) {
    case "Sequence": {
      const steps = (json.pretokenizers ?? []).map(makePreTokenizer);
      return (piece) =>
        steps.reduce((pieces, step) => pieces.flatMap(step), [piece]);
    }
    case "BertPreTokenizer":
      return (piece) =>
        split(piece, blank, "Removed").flatMap((word) =>
          split(word, punctuation, "Isolated"),
        );
    case "ByteLevel":
      return makeByteLevel(json);
    case "Digits": {
      const digits = json["individual_digits"] ? /\p{N}/gu : /\p{N}+/gu;
      return (piece) => split(piece, digits, "Isolated");
    }
    case "Metaspace":
      return makeMetaspace(json);
    case "Punctuation":
      return (piece) => split(piece, punctuation, json.behavior ?? "Isolated");
    case "Split":
      return makeSplit(json);
    case "Whitespace": {
      const words = new RegExp(
        `${wordCharacter}+|(?:(?!${wordCharacter})\\P{White_Space})+`,
        "gu",
      );
      return (piece) => split(piece, words, "Removed", true);
    }
    case "WhitespaceSplit":
      return (piece) => split(piece, blank, "Removed");
    default:
      throw new Error(`the pre-tokenizer ${json.type} is not known here`);
  }
}

function makeByteLevel(json: PreTokenizerJson): PreTokenizer {
  const words = json["use_regex"] ?? true;
  return ({ text, first }) => {
    const prefixed =
      json["add_prefix_space"] && !text.startsWith(" ") ? ` ${text}` : text;
    const piece = { text: prefixed, first };
    return (words ? split(piece, gpt2Words, "Isolated") : [piece]).map(
      (part) => ({ ...part, text: byteLevelText(part.text) }),
    );
  };
}

function makeMetaspace(json: PreTokenizerJson): PreTokenizer {
  const mark = String(json["replacement"] ?? "▁");
  const scheme = prependScheme(json);
  const marks = new RegExp(`\\u{${mark.codePointAt(0)!.toString(16)}}`, "gu");
  return ({ text, first }) => {
    const marked = text.replaceAll(" ", mark);
    const prepends =
      !marked.startsWith(mark) &&
      (scheme === "always" || (scheme === "first" && first));
    const piece = { text: prepends ? mark + marked : marked, first };
    return (json["split"] ?? true)
      ? split(piece, marks, "MergedWithNext")
      : [piece];
  };
}

/** When Metaspace puts a space first; older files say it by another setting. */
export function prependScheme(json: object): string {
  const { prepend_scheme, add_prefix_space } = json as {
    prepend_scheme?: string;
    add_prefix_space?: boolean;
  };
  return prepend_scheme ?? (add_prefix_space === false ? "never" : "always");
}

function makeSplit(json: PreTokenizerJson): PreTokenizer {
  // The library translates the pattern from the Rust library's syntax.
  const { pattern } = new SplitPreTokenizer(
    json as unknown as ConstructorParameters<typeof SplitPreTokenizer>[0],
  );
  if (pattern === null) throw new Error("a Split pre-tokenizer has no pattern");
  const { behavior = "Isolated", invert } = json;
  return (piece) => split(piece, pattern, behavior, invert);
}

interface Part {
  text: string;
  readonly start: number;
  readonly matched: boolean;
}

/** Cuts at every match; `behavior` says what becomes of the matches. */
function split(
  { text, first }: Piece,
  pattern: RegExp,
  behavior: string,
  invert = false,
): Piece[] {
  return joinParts(partsOf(text, pattern, invert), behavior).map((part) => ({
    text: part.text,
    first: first && part.start === 0,
  }));
}

function partsOf(text: string, pattern: RegExp, invert: boolean): Part[] {
  const parts: Part[] = [];
  let start = 0;
  const add = (end: number, matched: boolean) => {
    if (end > start) {
      parts.push({
        text: text.slice(start, end),
        start,
        matched: matched !== invert,
      });
    }
    start = end;
  };
  for (const match of text.matchAll(pattern)) {
    add(match.index, false);
    add(match.index + match[0].length, true);
  }
  add(text.length, false);
  return parts;
}

function joinParts(parts: readonly Part[], behavior: string): Part[] {
  switch (behavior) {
    case "Isolated":
      return [...parts];
    case "Removed":
      return parts.filter(({ matched }) => !matched);
    case "Contiguous":
      return joinWhere(
        parts,
        (before, part) => before.matched === part.matched,
      );
    case "MergedWithPrevious":
      return joinWhere(
        parts,
        (before, part) => !before.matched && part.matched,
      );
    case "MergedWithNext":
      return joinWhere(
        parts,
        (before, part) => before.matched && !part.matched,
      );
    default:
      throw new Error(`the behavior ${behavior} of a Split is not known here`);
  }
}

/** Joins a part to the one before it where `joins` says so of the two. */
function joinWhere(
  parts: readonly Part[],
  joins: (before: Part, part: Part) => boolean,
): Part[] {
  const joined: Part[] = [];
  parts.forEach((part, index) => {
    const before = parts[index - 1];
    if (before !== undefined && joins(before, part)) {
      joined.at(-1)!.text += part.text;
    } else {
      joined.push({ ...part });
    }
  });
  return joined;
}
