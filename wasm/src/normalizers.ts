// Step 1 of a tokenizer: the text, made uniform. Each kind of tokenizer.json's
// "normalizer" as the Rust library carries it out; the library's own versions
// depart from it on Greek capitals, rare Chinese characters, odd blanks and
// every table of replacements. StripAccents may differ on marks that came after
// Unicode 9. Read next: pre-tokenizers.ts.

import {
  PrecompiledNormalizer,
  ReplaceNormalizer,
} from "@huggingface/tokenizers";

import { PrecompiledMap } from "./precompiled-map.js";

export type Normalizer = (text: string) => string;

/** Any "normalizer" of a tokenizer.json. */
export interface NormalizerJson {
  readonly type: string;
  readonly normalizers?: readonly NormalizerJson[];
  readonly [setting: string]: unknown;
}

/** Throws an Error that names what it does not know. */
export function makeNormalizer(
  json: NormalizerJson | null | undefined,
): Normalizer {
  if (json == null) return (text) => text;
  switch (json.type) {
    case "Sequence": {
      const steps = (json.normalizers ?? []).map(makeNormalizer);
      return (text) => steps.reduce((soFar, step) => step(soFar), text);
    }
    case "NFC":
    case "NFD":
    case "NFKC":
    case "NFKD": {
      const form = json.type;
      return (text) => text.normalize(form);
    }
    case "Lowercase":
      return lowercase;
    case "StripAccents":
      return (text) => text.replace(/\p{M}/gu, "");
    case "Prepend":
      return (text) => (text === "" ? "" : String(json["prepend"]) + text);
    case "Strip":
      return makeStrip(json);
    case "Replace":
      return makeReplace(json);
    case "BertNormalizer":
      return makeBert(json);
    case "Precompiled":
      return makePrecompiled(json);
    default:
      throw new Error(`the normalizer ${json.type} is not known here`);
  }
}

/** Letter by letter: a final Σ is no different from another. */
function lowercase(text: string): string {
  return text.replaceAll("Σ", "σ").toLowerCase();
}

function makeStrip(json: NormalizerJson): Normalizer {
  return (text) => {
    const left = json["strip_left"]
      ? text.replace(/^\p{White_Space}+/u, "")
      : text;
    return json["strip_right"] ? trimEnd(left) : left;
  };
}

/** Without blanks at the end, as Unicode names them. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /\p{White_Space}/u.test(text[end - 1]!)) --end;
  return text.slice(0, end);
}

function makeReplace(json: NormalizerJson): Normalizer {
  const { pattern } = new ReplaceNormalizer(
    json as unknown as ConstructorParameters<typeof ReplaceNormalizer>[0],
  );
  if (pattern === null) throw new Error("a Replace normalizer has no pattern");
  const content = String(json["content"]);
  return (text) => text.replace(pattern, () => content);
}

function makeBert(json: NormalizerJson): Normalizer {
  const steps: Normalizer[] = [];
  if (json["clean_text"]) steps.push(cleanText);
  if (json["handle_chinese_chars"]) {
    steps.push((text) => text.replace(chineseCharacter, " $& "));
  }
  if (json["strip_accents"] ?? json["lowercase"]) {
    steps.push((text) => text.normalize("NFD").replace(accent, ""));
  }
  if (json["lowercase"]) steps.push(lowercase);
  return (text) => steps.reduce((soFar, step) => step(soFar), text);
}

// The reference sorts characters for BERT by tables of Unicode 8; these came
// later, or became marks, format controls or punctuation later.
const later = `
  61d 7fd 890-8e2 9fd-9fe a76 afa-aff b55 c04-c3c c77 c84 d00 d3b-d3c
  d81 eba ece 180f-1886 1abf-1aff 1b4e-1b4f 1b7d-1b7f 1df6-1dfb
  2e43-2e7f a82c a8c5 a8ff a9bd 10d24-10fff 11070-11074 110c2-110cd
  111c9 111cf 1123e-11241 1133b 113bb-1145e 11660-1166c 116b9
  1182f-11fff 12ff1-1612f 16d6d-16f4f 16fe2-16fe4 1cf00-1cf46
  1e000-1e5ff 1e944-1e95f`
  .trim()
  .split(/\s+/)
  .map((range) => range.replace(/\w+/g, "\\u{$&}"))
  .join("");
const accent = new RegExp(`(?![${later}])\\p{Mn}|\\u1734|\\u{1171e}`, "gu");
const control = new RegExp(
  `(?![\\t\\n\\r${later}])[\\p{Cc}\\p{Cf}\\p{Co}\\ufffd]`,
  "gu",
);
/** Signs at which BERT cuts: those of ASCII and what Unicode calls punctuation. */
export const punctuation = new RegExp(
  `(?![${later}])[\\p{P}!-/:-@[-\`{-~]|\\u166d|\\u{111c9}`,
  "gu",
);

function cleanText(text: string): string {
  return text.replace(control, "").replace(/\p{White_Space}/gu, " ");
}

// The blocks that BERT's authors took for Chinese.
const chineseCharacter =
  /[\u{3400}-\u{4dbf}\u{4e00}-\u{9fff}\u{f900}-\u{faff}\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

function makePrecompiled(json: NormalizerJson): Normalizer {
  const charsmap = json["precompiled_charsmap"];
  if (typeof charsmap === "string" && charsmap !== "") {
    const map = new PrecompiledMap(charsmap);
    return (text) => map.normalize(text);
  }
  // Conversions of opus-mt leave the table out; the library's approximation of
  // nmt_nfkc is what they were made for.
  const library = new PrecompiledNormalizer(
    json as unknown as ConstructorParameters<typeof PrecompiledNormalizer>[0],
  );
  return (text) => library.normalize(text);
}
