// Downloaded files in the browser's Cache API, in pieces, so that a download
// that broke off goes on where it stopped. Where there is no such cache (node,
// private windows, pages that are not secure) nothing is kept, and nothing
// fails. Which copies are still good is for remote-file.ts.

import type { FileVersion } from "./file-version.js";

const cacheName = "attnscope-checkpoints";
/** Bytes of a piece, but for the last; a load that is ended loses less than one. */
const pieceSize = 4 * 2 ** 20;
/** Room for a few models of the size that fits into the engine's memory. */
const mostKept = 16 * 2 ** 30; // bytes

/** A piece's place in its file; it stands in the search part of its key. */
interface Piece {
  readonly key: Request;
  readonly url: string;
  readonly version: FileVersion;
  readonly offset: number;
  readonly size: number;
  /** Whether the file ends with it. */
  readonly last: boolean;
}

const parameter = "attnscope-piece";
/** The one piece of a file that its server does not have. */
const absentMark = "absent";

/** What is kept of a file. */
export interface KeptFile {
  readonly version: FileVersion;
  /** Bytes from the start that are there. */
  readonly size: number;
  readonly complete: boolean;
  /** Throws if a piece is gone meanwhile. */
  chunks(): AsyncGenerator<Uint8Array>;
}

/** Forgets every kept file of every checkpoint; true if there were any. */
export async function clearCheckpointCache(): Promise<boolean> {
  return (await storage()?.delete(cacheName)) ?? false;
}

export class FileCache {
  private readonly cache: Cache;

  private constructor(cache: Cache) {
    this.cache = cache;
  }

  /** Undefined where nothing can be kept. */
  static async open(): Promise<FileCache | undefined> {
    try {
      const cache = await storage()?.open(cacheName);
      return cache && new FileCache(cache);
    } catch {
      return undefined; // private windows refuse
    }
  }

  async find(url: string): Promise<KeptFile | undefined> {
    const pieces = await this.pieces(url);
    // Of two loads at once the later one counts.
    const first = pieces.filter(({ offset }) => offset === 0).at(-1);
    if (first === undefined) return undefined;
    const chain: Piece[] = [];
    let size = 0;
    for (
      let next: Piece | undefined = first;
      next !== undefined;
      next = pieces.find(
        (piece) =>
          piece.offset === size && sameLetters(piece.version, first.version),
      )
    ) {
      chain.push(next);
      size += next.size;
      if (next.last) break;
    }
    const { cache } = this;
    return {
      version: first.version,
      size,
      complete: chain.at(-1)!.last,
      async *chunks() {
        for (const { key, size } of chain) {
          const kept = await cache.match(key);
          const bytes = new Uint8Array((await kept?.arrayBuffer()) ?? []);
          if (bytes.length !== size) throw new Error("a kept piece is gone");
          yield bytes;
        }
      },
    };
  }

  /** Starts to keep a file, in place of what was kept of it; or goes on with it. */
  async begin(
    url: string,
    version: FileVersion,
    kept: KeptFile | undefined,
  ): Promise<Keeper> {
    if (kept === undefined) await this.forget(url);
    while (
      (await this.sizeWithout(url)) + (version.length ?? 0) > mostKept &&
      (await this.dropOldest(url))
    );
    return new Keeper(this, url, version, kept?.size ?? 0);
  }

  /** False if there is no room even without all other files. */
  async put(url: string, place: string, body: Blob): Promise<boolean> {
    for (;;) {
      try {
        await this.cache.put(keyOf(url, place), new Response(body));
        return true;
      } catch (thrown) {
        const isFull = (thrown as DOMException).name === "QuotaExceededError";
        if (!isFull || !(await this.dropOldest(url))) return false;
      }
    }
  }

  async forget(url: string): Promise<void> {
    for (const key of await this.keysOf(url)) await this.cache.delete(key);
  }

  /** Remembers that the server has no such file. */
  async markAbsent(url: string): Promise<void> {
    await this.forget(url);
    await this.cache.put(keyOf(url, absentMark), new Response());
  }

  async isAbsent(url: string): Promise<boolean> {
    return (await this.cache.match(keyOf(url, absentMark))) !== undefined;
  }

  /** Forgets the file that is kept longest, but for this one; false if none is. */
  private async dropOldest(url: string): Promise<boolean> {
    const oldest = (await this.pieces()).find((piece) => piece.url !== url);
    if (oldest === undefined) return false;
    await this.forget(oldest.url);
    return true;
  }

  /** Bytes of all files but this one. */
  private async sizeWithout(url: string): Promise<number> {
    return (await this.pieces())
      .filter((piece) => piece.url !== url)
      .reduce((sum, { size }) => sum + size, 0);
  }

  private keysOf(url: string): Promise<readonly Request[]> {
    return this.cache.keys(url, { ignoreSearch: true });
  }

  /** In the order in which they came; of one file or of all. */
  private async pieces(url?: string): Promise<Piece[]> {
    const keys = url ? await this.keysOf(url) : await this.cache.keys();
    return keys.map(readKey).filter((piece) => piece !== undefined);
  }
}

/** Takes a file's bytes in order, and keeps them piece by piece. */
export class Keeper {
  private readonly cache: FileCache;
  private readonly url: string;
  private readonly version: FileVersion;
  private offset: number;
  private readonly waiting = new Uint8Array(pieceSize);
  private waitingSize = 0;
  /** A piece is written while the next one comes; false: there is no room. */
  private writing = Promise.resolve(true);

  constructor(
    cache: FileCache,
    url: string,
    version: FileVersion,
    offset: number,
  ) {
    this.cache = cache;
    this.url = url;
    this.version = version;
    this.offset = offset;
  }

  /** Copies the bytes. */
  async add(bytes: Uint8Array): Promise<void> {
    let rest = bytes;
    while (rest.length > 0) {
      const part = rest.subarray(0, pieceSize - this.waitingSize);
      this.waiting.set(part, this.waitingSize);
      this.waitingSize += part.length;
      rest = rest.subarray(part.length);
      if (this.waitingSize === pieceSize) await this.put(false);
    }
  }

  /** After the last byte. */
  async finish(): Promise<void> {
    await this.put(true);
    await this.writing;
  }

  /** Keeps what came of a file that did not come to its end; tells how much. */
  async stop(): Promise<number> {
    if (this.waitingSize > 0) await this.put(false);
    await this.writing;
    return this.offset;
  }

  private async put(last: boolean): Promise<void> {
    const { version, waitingSize: size } = this;
    this.waitingSize = 0;
    if (!(await this.writing)) return;
    const place = JSON.stringify({ version, offset: this.offset, size, last });
    const body = new Blob([this.waiting.subarray(0, size)]);
    this.writing = this.cache.put(this.url, place, body).then((kept) => {
      if (kept) this.offset += size;
      return kept;
    });
  }
}

/** Opaque origins refuse to tell. */
function storage(): CacheStorage | undefined {
  try {
    return (globalThis as { caches?: CacheStorage }).caches;
  } catch {
    return undefined;
  }
}

function sameLetters(a: FileVersion, b: FileVersion): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function keyOf(url: string, place: string): string {
  const key = new URL(url);
  key.searchParams.set(parameter, place);
  return key.href;
}

function readKey(key: Request): Piece | undefined {
  const url = new URL(key.url);
  const place = url.searchParams.get(parameter);
  if (place === null || place === absentMark) return undefined;
  url.searchParams.delete(parameter);
  const piece = JSON.parse(place) as Omit<Piece, "key" | "url">;
  return { ...piece, key, url: url.href };
}
