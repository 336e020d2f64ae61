// SentencePiece's precompiled table of replacements (nmt_nfkc and its like),
// as tokenizer.json stores it: a double-array trie of UTF-8 keys, then the
// texts they become. The library has an approximation of one such table in its
// place. Read next: normalizers.ts.

const encoder = new TextEncoder();

/** Replaces characters as a table says; whole graphemes first. */
export class PrecompiledMap {
  private readonly units: Uint32Array;
  private readonly texts: Uint8Array;

  /** `charsmap` is base64: the trie's size in bytes (32 bits), trie, texts. */
  constructor(charsmap: string) {
    const bytes = Uint8Array.from(atob(charsmap), (char) => char.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    const size = view.getUint32(0, true);
    this.units = Uint32Array.from({ length: size / 4 }, (_, index) =>
      view.getUint32(4 + 4 * index, true),
    );
    this.texts = bytes.subarray(4 + size);
  }

  normalize(text: string): string {
    let normalized = "";
    for (const segment of graphemes(text)) {
      // The reference looks up no longer ones (no key of SentencePiece's is).
      const whole =
        encoder.encode(segment).length < 6 ? this.lookUp(segment) : undefined;
      normalized +=
        whole ??
        Array.from(segment, (char) => this.lookUp(char) ?? char).join("");
    }
    return normalized;
  }

  /**
   * The text of the shortest key that `part` starts with. It stands for all of
   * the part, as in the reference, even if the key is only its beginning.
   */
  private lookUp(part: string): string | undefined {
    let position = childrenOf(0, this.unit(0));
    for (const byte of encoder.encode(part)) {
      if (byte === 0) return undefined;
      position ^= byte;
      const unit = this.unit(position);
      if ((unit & 0x800000ff) !== byte) return undefined;
      position = childrenOf(position, unit);
      if (unit & 0x100) return this.textAt(this.unit(position) & 0x7fffffff);
    }
    return undefined;
  }

  private textAt(start: number): string {
    const end = this.texts.indexOf(0, start);
    return new TextDecoder().decode(
      this.texts.subarray(start, end < 0 ? undefined : end),
    );
  }

  private unit(position: number): number {
    return this.units[position] ?? 0;
  }
}

/**
 * Characters as people count them. Engines take the square of a text's length
 * for it, so it is done a stretch at a time; the last of a stretch may go on
 * beyond it and is looked at again.
 */
function* graphemes(text: string): Generator<string> {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let stretch = 64;
  for (let start = 0; start < text.length;) {
    const end = Math.min(start + stretch, text.length);
    const part = text.slice(start, end);
    const found = Array.from(segmenter.segment(part), (each) => each.segment);
    if (end < text.length) {
      if (found.length === 1) {
        stretch *= 2;
        continue;
      }
      found.pop();
    }
    yield* found;
    start += found.join("").length;
    stretch = 64;
  }
}

/** Where the children of a unit begin; bit 9 says that the way is long. */
function childrenOf(position: number, unit: number): number {
  return position ^ ((unit >>> 10) << ((unit & 0x200) >>> 6));
}
