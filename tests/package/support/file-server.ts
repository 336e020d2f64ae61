// A server as checkpoints are downloaded from: HEAD, ranges, ETags, redirects
// and permission for other sites, as a hub and the storage behind it answer;
// with faults on demand. It remembers what it was asked.

import { createHash } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly range: string | undefined;
}

/** What goes wrong with a path; a list's items serve one GET each. */
export interface Fault {
  /** Bytes after which each GET's connection is broken. */
  breaks?: number[];
  /** Bytes after which each GET falls silent. */
  stalls?: number[];
  /** Sends so many bytes each time, this many milliseconds apart. */
  drip?: { bytes: number; milliseconds: number };
  ignoresRanges?: boolean;
  refusesHead?: boolean;
  /** Statuses of the next answers, in place of the file. */
  statuses?: number[];
  /** Sent with every answer; undefined takes a header away. */
  headers?: Record<string, string | undefined>;
}

/** Headers that a hub lets other sites see. */
const exposed =
  "X-Error-Message,ETag,Accept-Ranges,Content-Range,X-Linked-Size,X-Linked-ETag";

export class FileServer {
  readonly files = new Map<string, Buffer>();
  /** Paths that lead elsewhere, with the headers that say so. */
  readonly redirects = new Map<string, string>();
  readonly faults = new Map<string, Fault>();
  asked: Asked[] = [];
  /** Whether other sites may read the answers. */
  open = true;

  private readonly server = createServer((request, response) =>
    this.answer(request, response),
  );
  private port = 0;

  static async start(): Promise<FileServer> {
    const made = new FileServer();
    await made.listen();
    return made;
  }

  /** Without a slash at the end. */
  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The same server, reached as another site. */
  get otherOrigin(): string {
    return `http://localhost:${this.port}`;
  }

  /** Serves again at the same address after stop. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) =>
      this.server.listen(this.port, resolve),
    );
    this.port = (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  add(folder: string, files: Iterable<readonly [string, Buffer]>): void {
    for (const [name, bytes] of files) this.files.set(folder + name, bytes);
  }

  fault(path: string, fault: Fault): void {
    this.faults.set(path, fault);
  }

  /** Requests for files whose path ends so. */
  askedFor(end: string): Asked[] {
    return this.asked.filter(({ path }) => path.endsWith(end));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = "", headers } = request;
    const path = decodeURI(new URL(request.url!, this.origin).pathname);
    this.asked.push({ method, path, range: headers.range });
    const fault = this.faults.get(path) ?? {};
    if (this.open) {
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-expose-headers", exposed);
    }
    // Like the storage behind a hub: other sites get what they may have
    // without asking first.
    const refused =
      method === "OPTIONS" || (method === "HEAD" && fault.refusesHead);
    if (refused) return void response.writeHead(403).end();
    const target = this.redirects.get(path);
    if (target !== undefined) {
      response.writeHead(302, {
        location: target,
        "x-linked-etag": '"of the linked file"',
      });
      return void response.end();
    }
    const file = this.files.get(path);
    const status = fault.statuses?.shift();
    if (file === undefined || status !== undefined) {
      response.writeHead(status ?? 404, {
        "content-type": "text/plain",
        "x-error-message": status ? "Out of order." : "Entry not found",
      });
      return void response.end("no such file");
    }
    this.send(file, fault, request, response);
  }

  private send(
    file: Buffer,
    fault: Fault,
    { method, headers }: IncomingMessage,
    response: ServerResponse,
  ): void {
    const asked = fault.ignoresRanges
      ? undefined
      : /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "");
    const begin = Number(asked?.[1] ?? 0);
    const end = Math.min(
      Number(asked?.[2] || file.length - 1) + 1,
      file.length,
    );
    const all: Record<string, string | number | undefined> = {
      "content-type": "application/octet-stream",
      "accept-ranges": "bytes",
      etag: `"${createHash("sha256").update(file).digest("hex").slice(0, 40)}"`,
      "content-length": end - begin,
      ...(asked && {
        "content-range": `bytes ${begin}-${end - 1}/${file.length}`,
      }),
      ...fault.headers,
    };
    if (asked && begin >= file.length) {
      response.writeHead(416, { "content-range": `bytes */${file.length}` });
      return void response.end();
    }
    for (const [name, value] of Object.entries(all)) {
      if (value !== undefined) response.setHeader(name, value);
    }
    response.writeHead(asked ? 206 : 200);
    if (method === "HEAD") return void response.end();
    const breaksAfter = fault.breaks?.shift();
    const stallsAfter = fault.stalls?.shift();
    const part = file.subarray(
      begin,
      Math.min(end, begin + (breaksAfter ?? stallsAfter ?? Infinity)),
    );
    if (breaksAfter !== undefined) {
      // An end before its time, not a reset: that would void what is underway.
      response.flushHeaders();
      response.write(part, () => response.socket?.end());
    } else if (stallsAfter !== undefined) {
      response.write(part);
    } else if (fault.drip) {
      void drip(part, fault.drip, response);
    } else {
      response.end(part);
    }
  }
}

async function drip(
  bytes: Buffer,
  { bytes: step, milliseconds }: NonNullable<Fault["drip"]>,
  response: ServerResponse,
): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += step) {
    response.write(bytes.subarray(at, at + step));
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }
  response.end();
}
