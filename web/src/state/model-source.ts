// Where a model comes from, as people write it: the name of a repository of the
// hub ('owner/name', 'owner/name@revision'), or a folder's address.
// Read next: engine.ts.

import { hubFolder, type CheckpointSource } from "attnscope";
import type { ModelSource } from "./state.js";

type HubSource = Extract<ModelSource, { kind: "hub" }>;

/** Any text: what is no name is an address, that fails if it is none either. */
export function sourceFrom(text: string): ModelSource {
  const wanted = text.trim();
  return hubFrom(wanted) ?? { kind: "url", url: wanted };
}

export function hubFrom(text: string): HubSource | undefined {
  // Addresses on the page's own server begin with '/' or '.'.
  const parts = /^(\w[\w.-]*(?:\/\w[\w.-]*)?)(?:@(.+))?$/.exec(text);
  const [, hub, revision] = parts ?? [];
  if (hub === undefined) return undefined;
  return { kind: "hub", hub, ...(revision !== undefined && { revision }) };
}

export function hubText({ hub, revision }: HubSource): string {
  return revision === undefined ? hub : `${hub}@${revision}`;
}

/** The source as the package takes it; `models` is where the page's own are. */
export function checkpointOf(
  source: ModelSource,
  models: string,
): CheckpointSource {
  switch (source.kind) {
    case "bundled":
      return `${models}${source.name}/`;
    case "hub":
      return source;
    case "url":
      return source.url;
    case "files":
      return source.files;
  }
}

/** The source's README.md; undefined where it has none. */
export async function readCard(
  source: ModelSource,
  models: string,
  hubBase: string | URL | undefined,
): Promise<string | undefined> {
  if (source.kind === "files") {
    const paths = [...source.files.keys()]
      .filter((path) => lastPart(path) === "README.md")
      .sort((a, b) => a.split("/").length - b.split("/").length);
    return paths[0] && source.files.get(paths[0])!.text();
  }
  const folder =
    source.kind === "hub"
      ? hubFolder(source, hubBase).href
      : String(checkpointOf(source, models));
  try {
    const response = await fetch(`${folder.replace(/[/]+$/, "")}/README.md`);
    // Servers of single pages answer every address with their page.
    const isPage = response.headers.get("content-type")?.includes("text/html");
    return response.ok && !isPage ? await response.text() : undefined;
  } catch {
    return undefined; // no such address: there is nothing to read
  }
}

/** The model's name for people: its folder, or what was dropped. */
export function modelName(source: ModelSource): string {
  switch (source.kind) {
    case "bundled":
      return source.name;
    case "hub":
      return lastPart(source.hub);
    case "url":
      return lastPart(source.url) || source.url;
    case "files":
      return source.name;
  }
}

export function sameSource(
  a: ModelSource,
  b: ModelSource | undefined,
): boolean {
  if (a.kind === "url") return b?.kind === "url" && a.url === b.url;
  if (a.kind === "hub") return b?.kind === "hub" && hubText(a) === hubText(b);
  if (a.kind === "bundled") return b?.kind === "bundled" && a.name === b.name;
  return a.kind === b?.kind;
}

function lastPart(path: string): string {
  return path.replace(/[/]+$/, "").split("/").pop()!;
}
