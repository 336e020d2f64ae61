// Tokens that are found in the text itself, before anything else looks at it:
// special ones and others that were added to the model's vocabulary. What lies
// between them goes through the tokenizer's other steps.
// Read next: tokenizer.ts.

import { trimEnd } from "./normalizers.js";
import { wordCharacter } from "./pre-tokenizers.js";

/** One of "added_tokens" of a tokenizer.json. */
export interface AddedTokenJson {
  readonly id: number;
  readonly content: string;
  readonly special?: boolean;
  /** Looked for in the normalized text; default: unless it is special. */
  readonly normalized?: boolean;
  readonly single_word?: boolean;
  readonly lstrip?: boolean;
  readonly rstrip?: boolean;
}

/** A part of a text: a token that was found there, or text between. */
export interface Section {
  readonly text: string;
  readonly start: number;
  readonly token?: AddedTokenJson;
}

const startsWithWord = new RegExp(`^${wordCharacter}`, "u");
const endsWithWord = new RegExp(`${wordCharacter}$`, "u");

export class AddedTokens {
  private readonly tokens: ReadonlyMap<string, AddedTokenJson>;
  private readonly pattern: RegExp | undefined;

  /** `written` gives the form in which a token is looked for. */
  constructor(
    tokens: readonly AddedTokenJson[],
    written: (content: string) => string,
  ) {
    this.tokens = new Map(
      tokens
        .map((token) => [written(token.content), token] as const)
        .filter(([content]) => content !== ""),
    );
    // Of those that start at one place, the longest is the one.
    const contents = [...this.tokens.keys()].sort(
      (a, b) => b.length - a.length,
    );
    if (contents.length > 0)
      this.pattern = new RegExp(contents.map(escape).join("|"), "gu");
  }

  split(text: string): Section[] {
    const sections: Section[] = [];
    let done = 0;
    const matches = this.pattern ? text.matchAll(this.pattern) : [];
    for (const match of matches) {
      const token = this.tokens.get(match[0])!;
      let start = match.index;
      let end = start + match[0].length;
      const before = text.slice(done, start);
      const after = text.slice(end);
      if (
        token.single_word &&
        (endsWithWord.test(text.slice(Math.max(0, start - 2), start)) ||
          startsWithWord.test(after))
      )
        continue;
      if (token.lstrip) start = done + trimEnd(before).length;
      if (token.rstrip) end += /^\p{White_Space}*/u.exec(after)![0].length;
      if (start > done)
        sections.push({ text: text.slice(done, start), start: done });
      sections.push({ text: match[0], start, token });
      done = end;
    }
    if (done < text.length)
      sections.push({ text: text.slice(done), start: done });
    return sections;
  }
}

function escape(content: string): string {
  return content.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
