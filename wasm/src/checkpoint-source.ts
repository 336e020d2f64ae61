// Where a checkpoint's files come from: a folder by URL (http, https; file
// under node), or blobs by name. Texts are read whole, weights are streamed.
// Every error names the file and what came in its place. Read next: client.ts.

import { wrong } from "./checks.js";
import { AttnscopeError, describe, throwIfAborted } from "./errors.js";
import type { CheckpointSource } from "./types.js";

/** One file, in a form that can be sent to a worker. */
export type FileSource =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "blob"; readonly name: string; readonly blob: Blob };

/** A file's bytes as they arrive. */
export interface ByteStream {
  /** Its size, where known. */
  readonly total: number | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** What people know a file by. */
export function nameOf(file: FileSource): string {
  return file.kind === "url" ? file.url : file.name;
}

/** A file of the checkpoint, or undefined if the source surely lacks it. */
export function locate(
  source: CheckpointSource,
  name: string,
): FileSource | undefined {
  if (isBlobs(source)) {
    const blob = source.get(name);
    if (blob === undefined) return undefined;
    if (typeof (blob as Partial<Blob> | null)?.stream !== "function")
      throw wrong(name, blob, "a Blob");
    return { kind: "blob", name, blob };
  }
  if (typeof source !== "string" && !(source instanceof URL))
    throw wrong("the checkpoint", source, "a folder's URL or a Map of Blobs");
  return { kind: "url", url: insideFolder(name, folderUrl(source)) };
}

/** Like locate, for files that must be there. */
export function locateNeeded(
  source: CheckpointSource,
  name: string,
): FileSource {
  const file = locate(source, name);
  if (file === undefined) {
    const names = isBlobs(source) ? [...source.keys()].join(", ") : "";
    throw new AttnscopeError(
      "fetch-failed",
      `${name} is missing; given: ${names || "no files"}.`,
    );
  }
  return file;
}

function isBlobs(
  source: CheckpointSource,
): source is ReadonlyMap<string, Blob> {
  return (
    typeof (source as Partial<Map<string, Blob>> | null)?.get === "function"
  );
}

function insideFolder(name: string, folder: URL): string {
  try {
    return new URL(name, folder).href;
  } catch {
    // data: and the like have no folders.
    throw wrong("the checkpoint", folder.href, "the URL of a folder");
  }
}

/** A folder's URL with the slash that makes names resolve inside it. */
export function folderUrl(folder: string | URL): URL {
  const base = (globalThis as { location?: { href: string } }).location?.href;
  let url: URL;
  try {
    url = new URL(folder, base);
  } catch {
    throw new AttnscopeError(
      "invalid-argument",
      `'${String(folder)}' is not the URL of a folder.`,
    );
  }
  url.search = "";
  url.hash = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

export async function readText(
  file: FileSource,
  signal?: AbortSignal,
): Promise<string> {
  const { chunks } = await openStream(file, signal);
  const text = await joinText(chunks);
  if (/^\s*<(!doctype|html)/i.test(text)) throw htmlCame(nameOf(file));
  return text;
}

/**
 * Like readText; undefined if the file is not there. A page in its place counts
 * as absent, since many servers answer every unknown address with one.
 */
export async function readOptionalText(
  file: FileSource | undefined,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readText(file, signal);
  } catch (thrown) {
    if (thrown instanceof NotThere) return undefined;
    throw thrown;
  }
}

export async function openStream(
  file: FileSource,
  signal?: AbortSignal,
): Promise<ByteStream> {
  throwIfAborted(signal);
  if (file.kind === "blob") {
    return {
      total: file.blob.size,
      chunks: chunksOf(file.blob.stream(), file.name, signal),
    };
  }
  if (file.url.startsWith("file:")) return openDiskFile(file.url, signal);
  const response = await request(file.url, signal);
  if (response.headers.get("content-type")?.startsWith("text/html"))
    throw htmlCame(file.url);
  if (response.body === null) {
    throw new AttnscopeError(
      "fetch-failed",
      `${file.url}: the answer is empty.`,
    );
  }
  // The length counts compressed bytes, but the stream gives plain ones.
  const length = response.headers.has("content-encoding")
    ? null
    : response.headers.get("content-length");
  return {
    total: length === null ? undefined : Number(length),
    chunks: chunksOf(response.body, file.url, signal),
  };
}

async function request(
  url: string,
  signal: AbortSignal | undefined,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, signal === undefined ? {} : { signal });
  } catch (thrown) {
    throwIfAborted(signal);
    throw new AttnscopeError(
      "fetch-failed",
      `${url} cannot be fetched: ${describe(thrown)}`,
    );
  }
  if (response.status === 404 || response.status === 410) {
    throw new NotThere(
      "fetch-failed",
      `${url} is not there (HTTP ${response.status}).`,
    );
  }
  if (!response.ok) {
    throw new AttnscopeError(
      "fetch-failed",
      `${url}: the server answered HTTP ${response.status}.`,
    );
  }
  return response;
}

async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
  name: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      throwIfAborted(signal);
      if (done) return;
      yield value;
    }
  } catch (thrown) {
    throwIfAborted(signal);
    throw thrown instanceof AttnscopeError
      ? thrown
      : new AttnscopeError(
          "fetch-failed",
          `${name} broke off: ${describe(thrown)}`,
        );
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

async function joinText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks)
    text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

function htmlCame(name: string): NotThere {
  return new NotThere(
    "fetch-failed",
    `${name}: a page (HTML) came in its place.`,
  );
}

/** The file is not at its address. */
class NotThere extends AttnscopeError {}

// ---- node -------------------------------------------------------------------

/** The parts of node that are used to read files; never imported, for bundlers. */
interface NodeFiles {
  stat(path: URL): Promise<{ readonly size: number }>;
  open(path: URL): Promise<{
    createReadStream(options: {
      highWaterMark: number;
    }): AsyncIterable<Uint8Array>;
  }>;
}

async function openDiskFile(
  url: string,
  signal: AbortSignal | undefined,
): Promise<ByteStream> {
  const node = (
    globalThis as { process?: { getBuiltinModule?(name: string): unknown } }
  ).process;
  const files = node?.getBuiltinModule?.("node:fs/promises") as
    NodeFiles | undefined;
  if (files === undefined) {
    throw new AttnscopeError(
      "fetch-failed",
      `${url}: file URLs can be read under node only.`,
    );
  }
  try {
    const { size } = await files.stat(new URL(url));
    const file = await files.open(new URL(url));
    return {
      total: size,
      chunks: stopping(
        file.createReadStream({ highWaterMark: 1 << 20 }),
        url,
        signal,
      ),
    };
  } catch (thrown) {
    throw new NotThere(
      "fetch-failed",
      `${url} cannot be read: ${describe(thrown)}`,
    );
  }
}

async function* stopping(
  chunks: AsyncIterable<Uint8Array>,
  url: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of chunks) {
      throwIfAborted(signal);
      yield chunk;
    }
  } catch (thrown) {
    throw thrown instanceof AttnscopeError
      ? thrown
      : new AttnscopeError(
          "fetch-failed",
          `${url} cannot be read: ${describe(thrown)}`,
        );
  }
}
