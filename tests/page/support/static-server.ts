// A static file server for a folder, as plain as the page's real ones: types
// by extension, 404 for what is not there. `slow` drips one file, so that a
// load can be watched and cancelled.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const types: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

export interface StaticServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface Mount {
  /** Path that starts with '/'; the longest that fits is served. */
  readonly at: string;
  readonly folder: string;
  /** Milliseconds between the parts of a file. */
  readonly drip?: number;
}

export async function serve(mounts: readonly Mount[]): Promise<StaticServer> {
  const byLength = [...mounts].sort((a, b) => b.at.length - a.at.length);
  const server = createServer((request, response) => {
    const path = normalize(
      decodeURIComponent(new URL(request.url!, "http://page").pathname),
    );
    const mount = byLength.find(({ at }) => path.startsWith(at));
    const inside = mount ? path.slice(mount.at.length) : "";
    const file = mount && join(mount.folder, inside || "index.html");
    const found = file && statSync(file, { throwIfNoEntry: false });
    if (!mount || !file || !found || !found.isFile()) {
      response.writeHead(404, { "content-type": "text/html" });
      response.end("<!doctype html><title>Not found</title>");
      return;
    }
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "content-length": found.size,
    });
    const stream = createReadStream(file, { highWaterMark: 16384 });
    if (mount.drip === undefined || found.size < 100_000) {
      stream.pipe(response);
      return;
    }
    stream.on("data", (part) => {
      stream.pause();
      response.write(part);
      setTimeout(() => stream.resume(), mount.drip);
    });
    stream.on("end", () => response.end());
    response.on("close", () => stream.destroy());
  });
  await new Promise<void>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve()),
  );
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
