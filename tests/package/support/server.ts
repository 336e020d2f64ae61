// A web server on this machine with answers as the test says, one for a path.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Answer = (response: ServerResponse) => void;

export interface TestServer {
  /** Without a slash at the end. */
  readonly origin: string;
  close(): void;
}

/** `answers` by path; anything else is a 404 with a page. */
export async function serve(
  answers: Readonly<Record<string, Answer>>,
): Promise<TestServer> {
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0]!;
    (answers[path] ?? page(404))(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** An HTML page, as servers send one for addresses that they do not know. */
export function page(status: number): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "text/html" });
    response.end("<!doctype html><title>hello</title>");
  };
}

export function bytes(
  content: Uint8Array | string,
  headers: Record<string, string | number> = {},
): Answer {
  return (response) => {
    response.writeHead(200, {
      "content-type": "application/octet-stream",
      "content-length": content.length,
      ...headers,
    });
    response.end(content);
  };
}
