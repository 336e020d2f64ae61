// Text to token ids and back, by @huggingface/tokenizers; this file adds what a
// picture of tokens needs: the exact bytes of each token, and texts that come
// back byte for byte. Tokenizers whose tokens have no exact bytes (WordPiece)
// are refused. Read next: token-bytes.ts.

import { Tokenizer as HuggingFaceTokenizer } from "@huggingface/tokenizers";

import { AttnscopeError, describe } from "./errors.js";
import { bytesOfEntry, type Alphabet } from "./token-bytes.js";
import { TextJoiner } from "./text-joiner.js";
import type { Token } from "./types.js";

/** The parts of a Hugging Face tokenizer.json that are read here. */
interface TokenizerJson {
  readonly decoder?: DecoderJson | null;
  readonly model?: { readonly vocab?: object };
  readonly added_tokens?: readonly {
    readonly id: number;
    readonly special: boolean;
  }[];
}

interface DecoderJson {
  readonly type: string;
  readonly decoders?: readonly DecoderJson[];
  readonly content?: string;
  readonly start?: number;
  readonly prepend_scheme?: string;
}

const noBytes = new Uint8Array(0);

export class Tokenizer {
  /** One above the largest id. */
  readonly vocabularySize: number = 0;
  /** Of the vocabulary, in UTF-16 units; no token stands for more text. */
  private readonly longestEntry: number = 0;
  private readonly library: HuggingFaceTokenizer;
  private readonly alphabet: Alphabet;
  private readonly addedIds: ReadonlySet<number>;
  private readonly specialIds: ReadonlySet<number>;
  /** Whether encoding put a space before the text, which decoding takes away. */
  private readonly stripsFirstSpace: boolean;
  private readonly known = new Map<number, Token>();

  /**
   * From the texts of tokenizer.json and, where there is one,
   * tokenizer_config.json. `name` says in errors where they came from.
   */
  constructor(
    tokenizerJson: string,
    configJson: string | undefined,
    name = "tokenizer.json",
  ) {
    const json = parseObject(tokenizerJson, name) as TokenizerJson;
    const config =
      configJson === undefined
        ? {}
        : parseObject(configJson, `config of ${name}`);
    const decoders = flatten(json.decoder);
    this.alphabet = alphabetOf(decoders, name);
    this.stripsFirstSpace = decoders.some(
      ({ type, content, start, prepend_scheme }) =>
        (type === "Strip" && content === " " && (start ?? 0) > 0) ||
        (type === "Metaspace" && prepend_scheme !== "never"),
    );
    try {
      this.library = new HuggingFaceTokenizer(json, config);
    } catch (thrown) {
      throw new AttnscopeError(
        "invalid-tokenizer",
        `${name}: ${describe(thrown)}`,
      );
    }
    const added = json.added_tokens ?? [];
    this.addedIds = new Set(added.map(({ id }) => id));
    this.specialIds = new Set(
      added.filter(({ special }) => special).map(({ id }) => id),
    );
    for (const [entry, id] of this.library.get_vocab()) {
      this.vocabularySize = Math.max(this.vocabularySize, id + 1);
      this.longestEntry = Math.max(this.longestEntry, entry.length);
    }
  }

  /** Ids of a text, with the begin token where the tokenizer adds one. */
  encode(text: string): number[] {
    const { ids } = this.library.encode(text);
    const [first, second] = ids;
    if (first === undefined || first !== second) return ids;
    // A text that starts with the begin token already does not get a second.
    const bare = this.library.encode(text, { add_special_tokens: false }).ids;
    const doubled = ids.length > bare.length && this.specialIds.has(first);
    return doubled ? ids.slice(1) : ids;
  }

  /**
   * Whether a text surely has more tokens than that, told at once where
   * encoding it would take minutes. Normalisation makes no text four times
   * shorter.
   */
  surelyExceeds(text: string, tokens: number): boolean {
    return text.length > 4 * tokens * this.longestEntry;
  }

  /** The token of an id; one that the vocabulary lacks has no bytes. */
  token(id: number): Token {
    let token = this.known.get(id);
    if (token === undefined) {
      token = this.makeToken(id);
      this.known.set(id, token);
    }
    return token;
  }

  /** Text of ids, special tokens left out. */
  decode(ids: readonly number[]): string {
    const joiner = new TextJoiner();
    const text =
      ids.map((id) => joiner.push(this.token(id).bytes)).join("") +
      joiner.end();
    return this.stripsFirstSpace && text.startsWith(" ") ? text.slice(1) : text;
  }

  private makeToken(id: number): Token {
    const entry = this.library.id_to_token(id);
    if (entry === undefined) return plainToken(id);
    const special = this.specialIds.has(id);
    if (special) return { id, bytes: noBytes, text: entry, special };
    const bytes = this.addedIds.has(id)
      ? new TextEncoder().encode(entry)
      : bytesOfEntry(entry, this.alphabet);
    return { id, bytes, text: wholeText(bytes) ?? entry, special };
  }
}

/** A token of which only the id is known. */
export function plainToken(id: number): Token {
  return { id, bytes: noBytes, text: String(id), special: false };
}

/** The text of bytes that are whole characters. */
function wholeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      bytes,
    );
  } catch {
    return undefined;
  }
}

function alphabetOf(decoders: readonly DecoderJson[], name: string): Alphabet {
  const types = decoders.map(({ type }) => type);
  if (types.includes("ByteLevel")) return "byte-level";
  if (types.includes("ByteFallback") || types.includes("Metaspace"))
    return "sentence-piece";
  throw new AttnscopeError(
    "invalid-tokenizer",
    `${name}: its decoder is ${types.join(", ") || "missing"}; ByteLevel, ByteFallback or Metaspace is needed.`,
  );
}

function flatten(decoder: DecoderJson | null | undefined): DecoderJson[] {
  return decoder == null
    ? []
    : [decoder, ...(decoder.decoders ?? []).flatMap(flatten)];
}

function parseObject(text: string, name: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw new AttnscopeError(
      "invalid-tokenizer",
      `${name} is not JSON: ${describe(thrown)}`,
    );
  }
  if (typeof value !== "object" || value === null) {
    throw new AttnscopeError(
      "invalid-tokenizer",
      `${name} is not a JSON object.`,
    );
  }
  return value;
}
