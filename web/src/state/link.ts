// State as a link: a versioned fragment that another reader, or the same one
// tomorrow, opens to see the same thing. Anything unreadable in it is ignored.
// Read next: ../elements/as-explorer.ts.

import type { AttentionPart } from "attnscope";
import { rampNames } from "../pictures/colours.js";
import { scaleNames } from "../pictures/scale.js";
import type { LinkFacts } from "./actions.js";
import { bundledModel, bundledModels } from "./bundled-models.js";
import { hubFrom, hubText } from "./model-source.js";
import { storageKinds } from "./storage.js";
import {
  initialState,
  stages,
  type GenerationSettings,
  type MaskChoice,
  type Masks,
  type State,
} from "./state.js";

const version = "v1";

const settingNames: Record<keyof GenerationSettings, string> = {
  temperature: "temperature",
  topK: "topk",
  topP: "topp",
  seed: "seed",
  maxTokens: "tokens",
};

/** The package's options, in lower case. */
const maskNames: Record<AttentionPart, string> = {
  self: "mask",
  encoder: "sourcemask",
  cross: "crossmask",
};

/** '#v1?text=...': always the text, and else what differs from a fresh page. */
export function toLink(state: State): string {
  const parts = new URLSearchParams();
  const source = state.model?.source;
  if (source?.kind === "url") parts.set("model", source.url);
  if (source?.kind === "hub") parts.set("hub", hubText(source));
  if (source?.kind === "bundled" && source.name !== bundledModels[0]!.name) {
    parts.set("bundled", source.name);
  }
  if (state.storage !== initialState.storage) {
    parts.set("storage", state.storage);
  }
  parts.set("text", state.text);
  if (state.target !== "") parts.set("target", state.target);
  if (state.head) {
    parts.set("layer", String(state.head.layer));
    parts.set("head", String(state.head.head));
    if (state.head.attention !== "self") {
      parts.set("attention", state.head.attention);
    }
  }
  for (const [attention, name] of Object.entries(maskNames)) {
    const mask = state.masks[attention as AttentionPart];
    if (mask) {
      parts.set(
        name,
        mask.kind === "window" ? `window:${mask.size}` : mask.kind,
      );
    }
  }
  for (const name of ["stage", "scale", "ramp"] as const) {
    if (state[name] !== initialState[name]) parts.set(name, state[name]);
  }
  if (state.lensOpen) parts.set("lens", "open");
  const cell = state.pinned;
  if (cell) {
    parts.set(
      "cell",
      cell.key === undefined ? String(cell.query) : `${cell.query},${cell.key}`,
    );
  }
  for (const [name, short] of Object.entries(settingNames)) {
    const value = state.settings[name as keyof GenerationSettings];
    if (value !== initialState.settings[name as keyof GenerationSettings]) {
      parts.set(short, String(value));
    }
  }
  return `#${version}?${parts.toString()}`;
}

/** What a fragment says; undefined if it is not one of ours. */
export function fromLink(fragment: string): LinkFacts | undefined {
  const start = `#${version}?`;
  if (!fragment.startsWith(start)) return undefined;
  const parts = new URLSearchParams(fragment.slice(start.length));
  const text = parts.get("text");
  const layer = whole(parts.get("layer"));
  const head = whole(parts.get("head"));
  const target = parts.get("target");
  const storage = oneOf(parts.get("storage"), storageKinds);
  const attention =
    oneOf(parts.get("attention"), Object.keys(maskNames) as AttentionPart[]) ??
    "self";
  const masks: { -readonly [part in keyof Masks]: Masks[part] } = {};
  for (const [part, name] of Object.entries(maskNames)) {
    const mask = readMask(parts.get(name));
    if (mask) masks[part as AttentionPart] = mask;
  }
  const stage = oneOf(parts.get("stage"), stages);
  const scale = oneOf(parts.get("scale"), scaleNames);
  const ramp = oneOf(parts.get("ramp"), rampNames);
  const [query, key] = (parts.get("cell") ?? "").split(",").map(whole);
  const url = parts.get("model");
  const hub = hubFrom(parts.get("hub") ?? "");
  const known = bundledModel(parts.get("bundled") ?? "");

  const settings: Partial<Record<keyof GenerationSettings, number>> = {};
  for (const [name, short] of Object.entries(settingNames)) {
    const value = parts.get(short);
    if (value !== null && value !== "" && Number.isFinite(Number(value))) {
      settings[name as keyof GenerationSettings] = Number(value);
    }
  }
  return {
    model:
      url === null
        ? (hub ?? { kind: "bundled", name: (known ?? bundledModels[0]!).name })
        : { kind: "url", url },
    ...(storage && { storage }),
    ...(text !== null && { text }),
    ...(target !== null && { target }),
    ...(layer !== undefined &&
      head !== undefined && { head: { attention, layer, head } }),
    masks,
    ...(stage && { stage }),
    ...(scale && { scale }),
    ...(ramp && { ramp }),
    ...(parts.get("lens") === "open" && { lensOpen: true }),
    ...(query !== undefined && {
      cell: key === undefined ? { query } : { query, key },
    }),
    settings,
  };
}

function whole(text: string | null | undefined): number | undefined {
  return text && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

function oneOf<T extends string>(
  text: string | null,
  names: readonly T[],
): T | undefined {
  return names.find((name) => name === text);
}

function readMask(text: string | null): MaskChoice | undefined {
  if (text === "none" || text === "causal") return { kind: text };
  const size = whole(/^window:(\d+)$/.exec(text ?? "")?.[1]);
  return size ? { kind: "window", size } : undefined;
}
