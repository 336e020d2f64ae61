// Reads one file from wherever it is: a server, a disk (under node) or memory.
// Texts are read whole, weights are streamed. Every error names the file and
// what came in its place. Read next: remote-file.ts.

import { nameOf, type FileSource } from "./checkpoint-source.js";
import type { Reading } from "./connection.js";
import { AttnscopeError, describe, throwIfAborted } from "./errors.js";
import {
  NotThere,
  pageCame,
  RemoteFile,
  type ByteStream,
} from "./remote-file.js";

/** A file that can be read. */
export interface ReadableFile {
  readonly name: string;
  /** In bytes, where it can be told beforehand. */
  size(): Promise<number | undefined>;
  open(): Promise<ByteStream>;
  /** Forgets a kept copy that proved to be bad. */
  forget(): Promise<void>;
}

export function readable(file: FileSource, reading: Reading): ReadableFile {
  throwIfAborted(reading.signal);
  const name = nameOf(file);
  if (file.kind === "blob")
    return new BlobFile(name, file.blob, reading.signal);
  return file.url.startsWith("file:")
    ? new DiskFile(name, reading.signal)
    : new RemoteFile(name, reading);
}

export async function readText(file: ReadableFile): Promise<string> {
  const { chunks } = await file.open();
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks)
    text += decoder.decode(chunk, { stream: true });
  text += decoder.decode();
  if (/^\s*<(!doctype|html)/i.test(text)) throw pageCame(file.name);
  return text;
}

/** What is done with a file, or undefined if it is not there. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof NotThere) return undefined;
    throw thrown;
  }
}

class BlobFile implements ReadableFile {
  readonly name: string;
  private readonly blob: Blob;
  private readonly signal: AbortSignal | undefined;

  constructor(name: string, blob: Blob, signal: AbortSignal | undefined) {
    this.name = name;
    this.blob = blob;
    this.signal = signal;
  }

  size() {
    return Promise.resolve(this.blob.size);
  }

  open() {
    const { size } = this.blob;
    const chunks = this.chunks();
    return Promise.resolve({ total: size, chunks, close: () => undefined });
  }

  forget() {
    return Promise.resolve();
  }

  private async *chunks(): AsyncGenerator<Uint8Array> {
    const reader = this.blob.stream().getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        throwIfAborted(this.signal);
        if (done) return;
        yield value;
      }
    } catch (thrown) {
      throw cannotRead(this.name, thrown);
    } finally {
      void reader.cancel().catch(() => undefined);
    }
  }
}

/** The parts of node that are used to read files; never imported, for bundlers. */
interface NodeFiles {
  stat(path: URL): Promise<{ readonly size: number }>;
  open(path: URL): Promise<{
    createReadStream(options: {
      highWaterMark: number;
    }): AsyncIterable<Uint8Array>;
    close(): Promise<void>;
  }>;
}

class DiskFile implements ReadableFile {
  readonly name: string;
  private readonly signal: AbortSignal | undefined;

  constructor(name: string, signal: AbortSignal | undefined) {
    this.name = name;
    this.signal = signal;
  }

  async size() {
    return this.trying(async (files, url) => (await files.stat(url)).size);
  }

  async open() {
    return this.trying(async (files, url) => {
      const { size } = await files.stat(url);
      const file = await files.open(url);
      const close = () => void file.close();
      return { total: size, chunks: this.chunks(file), close };
    });
  }

  forget() {
    return Promise.resolve();
  }

  private async trying<T>(
    work: (files: NodeFiles, url: URL) => Promise<T>,
  ): Promise<T> {
    const node = (
      globalThis as { process?: { getBuiltinModule?(name: string): unknown } }
    ).process;
    const files = node?.getBuiltinModule?.("node:fs/promises") as
      NodeFiles | undefined;
    if (files === undefined) {
      throw new AttnscopeError(
        "fetch-failed",
        `${this.name}: file URLs can be read under node only.`,
      );
    }
    try {
      return await work(files, new URL(this.name));
    } catch (thrown) {
      throw new NotThere(
        "fetch-failed",
        `${this.name} cannot be read: ${describe(thrown)}`,
      );
    }
  }

  private async *chunks(
    file: Awaited<ReturnType<NodeFiles["open"]>>,
  ): AsyncGenerator<Uint8Array> {
    try {
      const stream = file.createReadStream({ highWaterMark: 1 << 20 });
      for await (const chunk of stream) {
        throwIfAborted(this.signal);
        yield chunk;
      }
    } catch (thrown) {
      throw cannotRead(this.name, thrown);
    }
  }
}

function cannotRead(name: string, thrown: unknown): AttnscopeError {
  return thrown instanceof AttnscopeError
    ? thrown
    : new AttnscopeError(
        "fetch-failed",
        `${name} cannot be read: ${describe(thrown)}`,
      );
}
