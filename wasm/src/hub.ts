// A hub's repositories as folders: the one place where their URLs are built.
// Pages of a hub, tokens and private repositories are left out.
// Read next: checkpoint-source.ts.

import { wrong } from "./checks.js";
import { folderUrl } from "./folder-url.js";
import type { HubSource } from "./types.js";

const defaultBase = "https://huggingface.co";

/** The folder of a repository's files, BASE/OWNER/NAME/resolve/REVISION/. */
export function hubFolder(
  { hub, revision = "main" }: HubSource,
  base: string | URL = defaultBase,
): URL {
  // A few old repositories have no owner ('gpt2').
  if (!/^\w[\w.-]*(\/\w[\w.-]*)?$/.test(hub) || hub.includes("..")) {
    throw wrong("hub", hub, "a repository as 'owner/name'");
  }
  // A URL would take dots for a folder above.
  if (typeof revision !== "string" || /^\.*$/.test(revision)) {
    throw wrong("revision", revision, "a branch, tag or commit");
  }
  const path = `${hub}/resolve/${encodeURIComponent(revision)}/`;
  return new URL(path, folderUrl(base));
}
