// Addresses of folders: how names become URLs inside them.
// Read next: checkpoint-source.ts.

import { wrong } from "./checks.js";
import { AttnscopeError } from "./errors.js";

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

export function insideFolder(name: string, folder: string): string {
  try {
    return new URL(name, folder).href;
  } catch {
    // data: and the like have no folders.
    throw wrong("the checkpoint", folder, "the URL of a folder");
  }
}
