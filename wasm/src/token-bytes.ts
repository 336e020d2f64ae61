// The exact bytes that an entry of a vocabulary stands for. Two alphabets are
// known: GPT-2's, where each byte has a printable character of its own, and
// SentencePiece's, where entries are text with ▁ for the space and <0x0A> for a
// byte that is no text. Read next: tokenizer.ts.

export type Alphabet = "byte-level" | "sentence-piece";

const encoder = new TextEncoder();

/** The bytes of an entry as its alphabet writes them. */
export function bytesOfEntry(entry: string, alphabet: Alphabet): Uint8Array {
  return alphabet === "byte-level"
    ? bytesOfByteLevel(entry)
    : bytesOfPiece(entry);
}

function bytesOfPiece(piece: string): Uint8Array {
  const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(piece)?.[1];
  return byte === undefined
    ? encoder.encode(piece.replaceAll("▁", " "))
    : Uint8Array.of(Number.parseInt(byte, 16));
}

function bytesOfByteLevel(entry: string): Uint8Array {
  const characters = Array.from(entry);
  const bytes = characters.map((character) => byteOfCharacter.get(character));
  // An entry outside the alphabet was added as plain text.
  return bytes.every((byte) => byte !== undefined)
    ? Uint8Array.from(bytes)
    : encoder.encode(entry);
}

// Printable bytes of Latin-1 stand for themselves; the others get the
// characters from U+0100 on, in order (Radford et al. 2019, the code).
const byteOfCharacter: ReadonlyMap<string, number> = makeByteLevelAlphabet();

function makeByteLevelAlphabet(): Map<string, number> {
  const alphabet = new Map<string, number>();
  let next = 0x100;
  for (let byte = 0; byte < 256; ++byte) {
    const printable =
      (byte >= 0x21 && byte <= 0x7e) ||
      (byte >= 0xa1 && byte <= 0xac) ||
      byte >= 0xae;
    alphabet.set(String.fromCodePoint(printable ? byte : next++), byte);
  }
  return alphabet;
}
