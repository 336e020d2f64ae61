// A file of a server: looked for among the kept copies, downloaded, kept, and
// asked for again from where it stopped when the connection breaks.
//
// A complete copy is used if the server, asked with HEAD, tells the same ETag
// (or date) and size, or cannot be reached. A part is used if the answer to a
// Range request is of the same version. If-Range and If-None-Match would do that
// on the server, but make browsers ask other origins for permission first,
// which the storage behind a hub refuses; so versions are compared here.
// Read next: file-cache.ts, connection.ts.

import { BrokenOff, Connection, pause, type Reading } from "./connection.js";
import { AttnscopeError } from "./errors.js";
import { FileCache, type Keeper, type KeptFile } from "./file-cache.js";
import {
  compare,
  isNamed,
  versionOf,
  type FileVersion,
} from "./file-version.js";

/** A file's bytes as they arrive. */
export interface ByteStream {
  /** Its size, where known. */
  readonly total: number | undefined;
  /** Each is good only until the next one is asked for. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** For a stream that nobody reads; the end of `chunks` closes it too. */
  close(): void;
}

/** The file is not at its address. */
export class NotThere extends AttnscopeError {}

/** Pauses before asking again, in milliseconds; bytes that come start them anew. */
const pauses = [250, 500, 1000, 2000];

/** What HEAD told; undefined if the server does not answer such questions. */
type Told = FileVersion | "out of reach" | undefined;

export class RemoteFile {
  readonly name: string;
  private readonly reading: Reading;
  private readonly cache: Promise<FileCache | undefined>;
  private readonly kept: Promise<KeptFile | undefined>;
  private told: Promise<Told> | undefined;

  constructor(url: string, reading: Reading) {
    this.name = url;
    this.reading = reading;
    this.cache = reading.cache ? FileCache.open() : Promise.resolve(undefined);
    this.kept = this.inCache((cache) => cache.find(url));
  }

  /** In bytes, where it can be told without a download. */
  async size(): Promise<number | undefined> {
    const told = await this.ask();
    const kept = await this.kept;
    if (told instanceof Object) return told.length ?? undefined;
    return kept?.complete ? kept.size : undefined;
  }

  async open(): Promise<ByteStream> {
    const kept = await this.kept;
    if (!kept?.complete) return this.download(kept);
    const told = await this.ask();
    if (told === "out of reach") return this.copy(kept);
    if (told === undefined) return this.download(kept);
    return compare(kept.version, told) === "same"
      ? this.copy(kept)
      : this.download(undefined);
  }

  /** Forgets the copy, which proved to be bad. */
  async forget(): Promise<void> {
    await this.inCache((cache) => cache.forget(this.name));
  }

  /** Asks the server once. */
  private ask(): Promise<Told> {
    this.told ??= (async () => {
      let connection: Connection;
      try {
        connection = await this.request({ method: "HEAD" });
      } catch (thrown) {
        if (thrown instanceof BrokenOff) return "out of reach";
        throw thrown;
      }
      const { response } = connection;
      await this.checkIsThere(response);
      connection.close();
      return response.ok ? versionOf(response) : undefined;
    })();
    return this.told;
  }

  private copy(kept: KeptFile): ByteStream {
    return {
      total: kept.size,
      chunks: this.fromCache(kept),
      close: () => undefined,
    };
  }

  private async download(known: KeptFile | undefined): Promise<ByteStream> {
    let kept = known;
    const start = kept === undefined || kept.complete ? 0 : kept.size;
    let connection = await this.firstRequest(start);
    if (kept !== undefined) {
      const { response } = connection;
      const verdict = compare(kept.version, versionOf(response, start));
      if (verdict !== "same" || !isFrom(start, response)) {
        kept = undefined;
      } else if (kept.complete) {
        connection.close();
        return this.copy(kept);
      }
      // Its bytes are not those at the start.
      if (kept === undefined && [206, 416].includes(response.status)) {
        connection.close();
        connection = await this.firstRequest(0);
      }
    }
    const { response } = connection;
    await this.checkIsThere(response);
    if (!response.ok) {
      connection.close();
      throw new AttnscopeError(
        "fetch-failed",
        `${this.name}: the server answered ${answerOf(response)}.`,
      );
    }
    const version = kept?.version ?? versionOf(response);
    return {
      total: version.length ?? undefined,
      chunks: this.receive(connection, version, kept),
      close: () => connection.close(),
    };
  }

  /** What is kept, then what comes, over as many connections as it takes. */
  private async *receive(
    first: Connection,
    version: FileVersion,
    kept: KeptFile | undefined,
  ): AsyncGenerator<Uint8Array> {
    const keeper = await this.startKeeping(version, kept);
    let connection = first;
    let position = kept?.size ?? 0;
    let skipped = 0;
    let tries = 0;
    try {
      if (kept !== undefined) yield* this.fromCache(kept);
      for (;;) {
        try {
          for await (const bytes of connection.chunks(skipped)) {
            position += bytes.length;
            tries = 0;
            await keeper?.add(bytes);
            yield bytes;
          }
          await keeper?.finish();
          return;
        } catch (thrown) {
          if (!(thrown instanceof BrokenOff)) throw thrown;
          connection.close();
          let next: Connection | undefined;
          for (; next === undefined && tries < pauses.length; ++tries) {
            await pause(pauses[tries]!, this.reading.signal);
            next = await this.reconnect(position, version);
          }
          if (next === undefined) {
            const found = (await keeper?.stop()) ?? 0;
            throw this.brokeOff(thrown, position, version, found);
          }
          connection = next;
          skipped = next.response.status === 206 ? 0 : position;
        }
      }
    } finally {
      await keeper?.stop();
      connection.close();
    }
  }

  /** An answer that goes on at a byte, or begins anew; undefined if none came. */
  private async reconnect(
    position: number,
    version: FileVersion,
  ): Promise<Connection | undefined> {
    try {
      let connection = await this.request(rangeFrom(position));
      if (!goesOn(version, connection.response, position)) {
        connection.close();
        connection = await this.request({});
      }
      const { response } = connection;
      if (!response.ok) {
        connection.close();
        return undefined;
      }
      const start = response.status === 206 ? position : 0;
      if (compare(version, versionOf(response, start)) === "different") {
        connection.close();
        await this.forget();
        throw new AttnscopeError(
          "fetch-failed",
          `${this.name} changed on the server while it was loaded; load it again.`,
        );
      }
      return connection;
    } catch (thrown) {
      if (thrown instanceof BrokenOff) return undefined;
      throw thrown;
    }
  }

  private async firstRequest(start: number): Promise<Connection> {
    try {
      return await this.request(rangeFrom(start));
    } catch (thrown) {
      if (!(thrown instanceof BrokenOff)) throw thrown;
      if (await this.inCache((cache) => cache.isAbsent(this.name))) {
        throw new NotThere(
          "fetch-failed",
          `${this.name} was not there, and its server is out of reach.`,
        );
      }
      throw new AttnscopeError(
        "fetch-failed",
        `${this.name} cannot be fetched: ${thrown.message}.${permissionHint(this.name)}`,
      );
    }
  }

  private async request(init: RequestInit): Promise<Connection> {
    const asksAgain = init.method !== undefined || init.headers !== undefined;
    // The browser's own cache would hold a kept file twice, and answer in place
    // of the server.
    const mode: RequestInit =
      asksAgain || (await this.cache) !== undefined
        ? { cache: "no-store" }
        : {};
    return Connection.open(this.name, { ...init, ...mode }, this.reading);
  }

  /** Many servers answer every unknown address with a page. */
  private async checkIsThere(response: Response): Promise<void> {
    const isPage = response.headers
      .get("content-type")
      ?.startsWith("text/html");
    const isGone = response.status === 404 || response.status === 410;
    if (!isGone && !(response.ok && isPage)) return;
    await this.inCache((cache) => cache.markAbsent(this.name));
    throw isGone
      ? new NotThere(
          "fetch-failed",
          `${this.name} is not there (${answerOf(response)}).`,
        )
      : pageCame(this.name);
  }

  private async startKeeping(
    version: FileVersion,
    kept: KeptFile | undefined,
  ): Promise<Keeper | undefined> {
    // What cannot be known again would be used for ever.
    if (!isNamed(version)) return undefined;
    return this.inCache((cache) => cache.begin(this.name, version, kept));
  }

  /** A cache that fails is as good as none. */
  private async inCache<T>(
    work: (cache: FileCache) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      const cache = await this.cache;
      return cache && (await work(cache));
    } catch {
      return undefined;
    }
  }

  private async *fromCache(kept: KeptFile): AsyncGenerator<Uint8Array> {
    try {
      yield* kept.chunks();
    } catch {
      await this.forget();
      throw new AttnscopeError(
        "fetch-failed",
        `${this.name}: the copy in the browser's cache is damaged; load it again.`,
      );
    }
  }

  private brokeOff(
    { message }: Error,
    position: number,
    { length }: FileVersion,
    found: number,
  ): AttnscopeError {
    const whole = length === null ? "" : ` of ${length}`;
    const next =
      found > 0
        ? ` The next load goes on after ${found} bytes, which are kept.`
        : "";
    return new AttnscopeError(
      "fetch-failed",
      `${this.name} broke off after ${position}${whole} bytes, and asking again ` +
        `${pauses.length} times brought nothing more: ${message}.${next}`,
    );
  }
}

/** The error about a page in a file's place. */
export function pageCame(name: string): NotThere {
  return new NotThere(
    "fetch-failed",
    `${name}: a page (HTML) came in its place.`,
  );
}

function rangeFrom(start: number): RequestInit {
  return start === 0 ? {} : { headers: { range: `bytes=${start}-` } };
}

/** Whether an answer's bytes begin at this one. */
function isFrom(start: number, { status, headers }: Response): boolean {
  if (start === 0) return status === 200;
  if (status !== 206 || headers.has("content-encoding")) return false;
  // Servers of other origins may hide it.
  const range = headers.get("content-range");
  return range === null || range.startsWith(`bytes ${start}-`);
}

/** False if an answer is a part, or none, that does not fit what came before. */
function goesOn(
  version: FileVersion,
  response: Response,
  start: number,
): boolean {
  if (response.status === 416) return false;
  if (response.status !== 206) return true;
  const verdict = compare(version, versionOf(response, start));
  return isFrom(start, response) && verdict !== "different";
}

/** The status, and the reason that a hub gives with it. */
function answerOf({ status, headers }: Response): string {
  const reason = headers.get("x-error-message")?.slice(0, 300);
  return `HTTP ${status}${reason ? `: ${reason.replace(/\.$/, "")}` : ""}`;
}

/** Browsers do not say whether a server is away or refuses other sites. */
function permissionHint(url: string): string {
  const page = (globalThis as { location?: { origin: string } }).location;
  const { origin, host } = new URL(url);
  return page === undefined || page.origin === origin
    ? ""
    : ` ${host} is out of reach, or does not let pages of other sites read it (CORS).`;
}
