// Joins the bytes of successive tokens into text. The first bytes of a
// character are held until its last ones come, so that no half is ever shown.
// Read next: tokenizer.ts.

export class TextJoiner {
  // A byte order mark is a character of the text like any other.
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /** Text that became whole with these bytes. */
  push(bytes: Uint8Array): string {
    return this.decoder.decode(bytes, { stream: true });
  }

  /** What is left at the end: a replacement character for an unfinished one. */
  end(): string {
    return this.decoder.decode();
  }
}
