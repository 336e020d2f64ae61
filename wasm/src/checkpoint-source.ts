// Where a checkpoint's files are: a folder by URL (a hub's repository is one),
// or blobs by name. Which files there are, not what is in them.
// Read next: weight-files.ts, file-reader.ts.

import { wrong } from "./checks.js";
import { AttnscopeError } from "./errors.js";
import { folderUrl, insideFolder } from "./folder-url.js";
import { hubFolder } from "./hub.js";
import type { CheckpointSource, HubSource } from "./types.js";

/** A checkpoint's folder, in a form that can be sent to a worker. */
export type Folder =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "blobs"; readonly files: ReadonlyMap<string, Blob> };

/** One file, in a form that can be sent to a worker. */
export type FileSource =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "blob"; readonly name: string; readonly blob: Blob };

/** What people know a file by. */
export function nameOf(file: FileSource): string {
  return file.kind === "url" ? file.url : file.name;
}

export function folderOf(
  source: CheckpointSource,
  hubBase: string | URL | undefined,
): Folder {
  if (typeof source === "string" || source instanceof URL)
    return { kind: "url", url: folderUrl(source).href };
  if (isHub(source))
    return { kind: "url", url: hubFolder(source, hubBase).href };
  if (isBlobs(source)) return { kind: "blobs", files: checkpointIn(source) };
  throw wrong(
    "the checkpoint",
    source,
    "a folder's URL, a repository of the hub or a Map of Blobs",
  );
}

/** A file of the folder, or undefined if it surely lacks it. */
export function locate(folder: Folder, name: string): FileSource | undefined {
  if (folder.kind === "url")
    return { kind: "url", url: insideFolder(name, folder.url) };
  const blob = folder.files.get(name);
  return blob && { kind: "blob", name, blob };
}

/** Like locate, for files that must be there. */
export function locateNeeded(folder: Folder, name: string): FileSource {
  const file = locate(folder, name);
  if (file === undefined) throw missing(folder, name);
  return file;
}

/** The error about a file that was not given. */
export function missing(folder: Folder, name: string): AttnscopeError {
  const names = folder.kind === "blobs" ? [...folder.files.keys()] : [];
  const few = names.slice(0, 20).join(", ") + (names.length > 20 ? ", …" : "");
  return new AttnscopeError(
    "fetch-failed",
    `${name} is missing; given: ${few || "no files"}.`,
  );
}

function isHub(source: CheckpointSource): source is HubSource {
  return typeof (source as Partial<HubSource> | null)?.hub === "string";
}

function isBlobs(source: unknown): source is ReadonlyMap<string, Blob> {
  const map = source as Partial<ReadonlyMap<string, Blob>> | null;
  return (
    typeof map?.get === "function" && typeof map[Symbol.iterator] === "function"
  );
}

/**
 * The files beside config.json by their bare names: a drop may bring them with
 * the folders that they lie in.
 */
function checkpointIn(
  files: ReadonlyMap<string, Blob>,
): ReadonlyMap<string, Blob> {
  const root = rootOf(files);
  const found = new Map<string, Blob>();
  for (const [path, blob] of files) {
    const name = path.slice(root.length);
    if (!path.startsWith(root) || name.includes("/")) continue;
    if (typeof (blob as Partial<Blob> | null)?.stream !== "function")
      throw wrong(path, blob, "a Blob");
    found.set(name, blob);
  }
  return found;
}

/** The folder of the config.json that lies least deep, with its slash. */
function rootOf(files: ReadonlyMap<string, Blob>): string {
  const depth = (path: string) => path.split("/").length;
  const configs = [...files.keys()]
    .filter((path) => /(^|\/)config\.json$/.test(path))
    .sort((a, b) => depth(a) - depth(b));
  const [first, second] = configs;
  if (first === undefined) return "";
  if (second !== undefined && depth(second) === depth(first)) {
    throw new AttnscopeError(
      "invalid-argument",
      `There are several checkpoints: ${first}, ${second}; give one.`,
    );
  }
  return first.slice(0, -"config.json".length);
}
