// One request and its answer: ends with the caller's signal, and when the
// server is silent for too long. Whether to ask again is for remote-file.ts.

import { describe, throwIfAborted } from "./errors.js";

/** How the files of a checkpoint are read. */
export interface Reading {
  readonly signal?: AbortSignal | undefined;
  /** Keep what is downloaded, and use what is kept. */
  readonly cache: boolean;
  /** Longest silence of a server, in milliseconds. */
  readonly stallTimeout: number;
}

export const defaultStallTimeout = 30_000;

/** Most bytes that are read at once. */
const readSize = 2 ** 20;

/** The network failed, or the server was silent; asking again may help. */
export class BrokenOff extends Error {}

export class Connection {
  readonly response: Response;
  private readonly controller: AbortController;
  private readonly reading: Reading;

  private constructor(
    response: Response,
    controller: AbortController,
    reading: Reading,
  ) {
    this.response = response;
    this.controller = controller;
    this.reading = reading;
  }

  static async open(
    url: string,
    init: RequestInit,
    reading: Reading,
  ): Promise<Connection> {
    throwIfAborted(reading.signal);
    const controller = new AbortController();
    const { signal } = controller;
    const answer = fetch(url, { ...init, signal });
    const response = await patiently(answer, controller, reading);
    return new Connection(response, controller, reading);
  }

  /**
   * The answer's bytes as they come, from the given one on. A chunk is good only
   * until the next one is asked for.
   */
  async *chunks(skipped = 0): AsyncGenerator<Uint8Array> {
    const { body } = this.response;
    if (body === null) return;
    const read = readerOf(body);
    let skip = skipped;
    for (;;) {
      throwIfAborted(this.reading.signal);
      const { done, value } = await patiently(
        read(),
        this.controller,
        this.reading,
      );
      if (done) return;
      if (skip < value.length) yield value.subarray(skip);
      skip = Math.max(0, skip - value.length);
    }
  }

  /** Ends the transfer; whatever has not come will not. */
  close(): void {
    this.controller.abort();
  }
}

/**
 * Reads a stream into one buffer, where the browser can: chunks that nobody
 * needs any more pile up, up to 100 MB, before they are collected.
 */
function readerOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): () => Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>> {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = stream.getReader({ mode: "byob" });
  } catch {
    const anyReader = stream.getReader();
    return () => anyReader.read();
  }
  let buffer = new ArrayBuffer(readSize);
  return async () => {
    const result = await reader.read(new Uint8Array(buffer));
    if (result.value !== undefined) ({ buffer } = result.value);
    return result;
  };
}

/** What the network gives, unless it takes too long or the caller gives up. */
async function patiently<T>(
  work: Promise<T>,
  controller: AbortController,
  { signal, stallTimeout }: Reading,
): Promise<T> {
  const stop = () => controller.abort();
  let stalled = false;
  const timer = setTimeout(() => {
    stalled = true;
    stop();
  }, stallTimeout);
  signal?.addEventListener("abort", stop);
  try {
    return await work;
  } catch (thrown) {
    throwIfAborted(signal);
    throw new BrokenOff(
      stalled ? `nothing came for ${stallTimeout / 1000} s` : describe(thrown),
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

export function pause(
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise<void>((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done);
  }).then(() => throwIfAborted(signal));
}
