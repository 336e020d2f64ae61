// Text to token ids and back. The models (BPE, Unigram, WordPiece) and the
// patterns are those of @huggingface/tokenizers; the steps around them are here
// and below, as the Rust library carries them out: ids are the same. What is not
// known is refused by name. Read next: added-tokens.ts, normalizers.ts,
// pre-tokenizers.ts, tokenizer-model.ts, post-processor.ts, token-bytes.ts.

import { BPE } from "@huggingface/tokenizers";

import { AddedTokens, type AddedTokenJson } from "./added-tokens.js";
import { AttnscopeError, describe } from "./errors.js";
import {
  makeNormalizer,
  type Normalizer,
  type NormalizerJson,
} from "./normalizers.js";
import {
  fill,
  makeTemplate,
  type PostProcessorJson,
  type Slot,
  type Template,
} from "./post-processor.js";
import {
  makePreTokenizer,
  type Piece,
  type PreTokenizer,
  type PreTokenizerJson,
} from "./pre-tokenizers.js";
import {
  checkedId,
  makeModel,
  type LibraryModel,
  type ModelJson,
} from "./tokenizer-model.js";
import { TextJoiner } from "./text-joiner.js";
import {
  cleanUp,
  makeEntryReader,
  type DecoderJson,
  type EntryReader,
} from "./token-bytes.js";
import type { TextPair, Token } from "./types.js";

/** The parts of a Hugging Face tokenizer.json that are read here. */
interface TokenizerJson {
  readonly added_tokens?: readonly AddedTokenJson[] | null;
  readonly normalizer?: NormalizerJson | null;
  readonly pre_tokenizer?: PreTokenizerJson | null;
  readonly post_processor?: PostProcessorJson | null;
  readonly decoder?: DecoderJson | null;
  readonly model?: ModelJson;
}

/** The parts of a tokenizer_config.json that are read here. */
interface ConfigJson {
  readonly clean_up_tokenization_spaces?: boolean | null;
  readonly mask_token?: string | { readonly content: string } | null;
  readonly src_lang?: string | null;
  readonly tgt_lang?: string | null;
}

const noBytes = new Uint8Array(0);

export class Tokenizer {
  /** One above the largest id. */
  readonly vocabularySize: number = 0;
  /** The token that a masked position of the text holds, where there is one. */
  readonly maskTokenId: number | undefined;
  /** Of the vocabulary, in UTF-16 units; no token stands for more text. */
  private readonly longestEntry: number = 0;
  private readonly name: string;
  private readonly config: ConfigJson;
  private readonly model: LibraryModel;
  private readonly normalize: Normalizer;
  private readonly preTokenize: PreTokenizer;
  private readonly template: Template;
  private readonly reader: EntryReader;
  /** Looked for in the text as it is, and in the normalized text. */
  private readonly addedRaw: AddedTokens;
  private readonly addedNormalized: AddedTokens;
  private readonly addedById: ReadonlyMap<number, AddedTokenJson>;
  private readonly entryOfId = new Map<number, string>();
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
    this.name = name;
    const json = parseObject(tokenizerJson, name) as TokenizerJson;
    this.config =
      configJson === undefined
        ? {}
        : parseObject(configJson, `config of ${name}`);
    try {
      this.reader = makeEntryReader(json.decoder);
      this.normalize = makeNormalizer(json.normalizer);
      this.preTokenize = makePreTokenizer(json.pre_tokenizer);
      this.template = makeTemplate(json.post_processor);
      this.model = makeModel(json.model);
      const added = checkedTokens(json.added_tokens ?? []).map((token) => ({
        ...token,
        id: checkedId(
          this.model.tokens_to_ids.get(token.content) ?? token.id,
          token.content,
        ),
      }));
      this.addedById = new Map(added.map((token) => [token.id, token]));
      const normalized = (token: AddedTokenJson) =>
        token.normalized ?? !token.special;
      this.addedRaw = new AddedTokens(
        added.filter((token) => !normalized(token)),
        (content) => content,
      );
      this.addedNormalized = new AddedTokens(
        added.filter(normalized),
        this.normalize,
      );
    } catch (thrown) {
      throw new AttnscopeError(
        "invalid-tokenizer",
        `${name}: ${describe(thrown)}`,
      );
    }
    for (const [entry, id] of this.model.tokens_to_ids)
      this.entryOfId.set(id, entry);
    for (const { id, content } of this.addedById.values())
      this.entryOfId.set(id, content);
    for (const [id, entry] of this.entryOfId) {
      this.vocabularySize = Math.max(this.vocabularySize, id + 1);
      this.longestEntry = Math.max(this.longestEntry, entry.length);
    }
    this.maskTokenId = this.findMaskToken();
  }

  /** Ids of a text, with the special tokens that the tokenizer adds. */
  encode(text: string): number[] {
    return this.fillSingle(text, this.template.single);
  }

  /**
   * Ids of a text that a decoder is to be forced through, as transformers makes
   * labels of a `text_target`: those of `encode`, but the token of the source
   * language is that of the target language where tokenizer_config.json names
   * both (`src_lang`, `tgt_lang`: mBART, M2M100). Marian's second vocabulary is
   * not known: a target text is cut like a source text.
   */
  encodeTarget(text: string): number[] {
    const { src_lang: source, tgt_lang: target } = this.config;
    if (source == null || target == null || source === target)
      return this.encode(text);
    const from = this.languageToken(source);
    const to = this.languageToken(target);
    const slots = this.template.single.map((slot) =>
      "ids" in slot
        ? { ...slot, ids: slot.ids.map((id) => (id === from ? to : id)) }
        : slot,
    );
    return this.fillSingle(text, slots);
  }

  /** Ids of two texts in one row, and which of the two each id belongs to. */
  encodePair(first: string, second: string): TextPair {
    const { pair } = this.template;
    if (pair === undefined) {
      throw new AttnscopeError(
        "invalid-argument",
        `${this.name}: it makes no provision for two texts.`,
      );
    }
    const { ids, types } = fill(pair, {
      A: this.bareIds(first),
      B: this.bareIds(second),
    });
    return { ids, tokenTypes: types };
  }

  /**
   * Whether a text surely has more tokens than that, told at once where
   * encoding it would take minutes. Normalisation makes no text four times
   * shorter, save where tokens lose what the text holds.
   */
  surelyExceeds(text: string, tokens: number): boolean {
    return this.reader.lossless && text.length > 4 * tokens * this.longestEntry;
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

  /**
   * Text of ids, special tokens left out; spaces tidied up where
   * tokenizer_config.json says so, but never those of BPE, which are the text's
   * own.
   */
  decode(ids: readonly number[]): string {
    const shown = ids
      .map((id) => this.token(id))
      .filter(({ special }) => !special);
    const joiner = new TextJoiner();
    const text =
      shown
        .map(({ id, bytes }, index) =>
          joiner.push(index === 0 ? this.firstBytes(id) : bytes),
        )
        .join("") + joiner.end();
    return this.config.clean_up_tokenization_spaces &&
      !(this.model instanceof BPE)
      ? cleanUp(text)
      : text;
  }

  private fillSingle(text: string, slots: readonly Slot[]): number[] {
    const bare = this.bareIds(text);
    const [first] = slots;
    const begins = first !== undefined && "ids" in first ? first.ids : [];
    // A text that starts with the begin token already does not get a second.
    const doubled = begins.length === 1 && begins[0] === bare[0];
    return fill(slots, { A: doubled ? bare.slice(1) : bare }).ids;
  }

  /** Ids of a text without what the template adds. */
  private bareIds(text: string): number[] {
    // Half a surrogate pair is no character; nobody else would let it pass.
    const whole = text.replace(/\p{Surrogate}/gu, "\ufffd");
    return this.addedRaw.split(whole).flatMap(({ text, start, token }) => {
      if (token) return [token.id];
      const normalized = this.normalize(text);
      return this.addedNormalized
        .split(normalized)
        .flatMap(({ text, start: within, token }) =>
          token
            ? [token.id]
            : this.modelIds({ text, first: start === 0 && within === 0 }),
        );
    });
  }

  private modelIds(piece: Piece): number[] {
    const { tokens_to_ids: ids, unk_token_id: unknown } = this.model;
    return this.preTokenize(piece).flatMap(({ text }) =>
      // One at a time: unknown tokens are joined within a piece alone.
      this.model([text]).map((entry) => (ids.get(entry) ?? unknown)!),
    );
  }

  private makeToken(id: number): Token {
    const entry = this.entryOfId.get(id);
    if (entry === undefined) return plainToken(id);
    const added = this.addedById.get(id);
    if (added?.special)
      return { id, bytes: noBytes, text: entry, special: true };
    const bytes = this.reader.bytes(entry);
    return { id, bytes, text: wholeText(bytes) ?? entry, special: false };
  }

  private firstBytes(id: number): Uint8Array {
    const entry = this.entryOfId.get(id);
    return entry === undefined ? noBytes : this.reader.firstBytes(entry);
  }

  private findMaskToken(): number | undefined {
    const { mask_token: named } = this.config;
    const names =
      named == null
        ? ["[MASK]", "<mask>"] // Older files leave it to the family.
        : [typeof named === "string" ? named : named.content];
    for (const { id, content } of this.addedById.values())
      if (names.includes(content)) return id;
    return undefined;
  }

  private languageToken(language: string): number {
    for (const { id, content } of this.addedById.values())
      if (content === language || content === `__${language}__`) return id;
    throw new AttnscopeError(
      "invalid-tokenizer",
      `${this.name}: it has no token for the language ${language} of its config.`,
    );
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

function checkedTokens(
  tokens: readonly AddedTokenJson[],
): readonly AddedTokenJson[] {
  const known = (token: Partial<AddedTokenJson> | null) =>
    typeof token?.content === "string";
  if (!Array.isArray(tokens) || !tokens.every(known))
    throw new Error("its added_tokens are not a list of tokens with content");
  return tokens;
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
