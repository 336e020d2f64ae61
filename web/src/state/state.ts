// The one state of an explorer: plain, immutable, all of it needed to draw.
// Objects that do work (models, runs) live in engine.ts and never here.
// Read next: actions.ts, reducer.ts.

import type {
  AttentionPart,
  ModelConfig,
  NextToken,
  RunComparison,
  StopReason,
  StorageKind,
  Token,
  VariantReport,
} from "attnscope";
import type { RampName } from "../pictures/colours.js";
import type { Matrix } from "../pictures/matrix.js";
import type { ScaleName } from "../pictures/scale.js";
import { bundledModels } from "./bundled-models.js";

/** A head of one of the model's attentions. */
export interface HeadId {
  readonly attention: AttentionPart;
  readonly layer: number;
  readonly head: number;
}

/**
 * Positions among the tokens that give queries and keys (parts.ts); without a
 * key it is a whole row.
 */
export interface Cell {
  readonly query: number;
  readonly key?: number;
}

/** What the large picture shows, in the order of the computation. */
export type Stage = "scores" | "masked" | "weights";
export const stages: readonly Stage[] = ["scores", "masked", "weights"];

export type MaskChoice =
  | { readonly kind: "causal" }
  | { readonly kind: "none" }
  | { readonly kind: "window"; readonly size: number };

export type Masks = Partial<Readonly<Record<AttentionPart, MaskChoice>>>;

export type Theme = "auto" | "light" | "dark";

/** Where a model comes from. Files cannot be part of a link. */
export type ModelSource =
  | { readonly kind: "bundled"; readonly name: string }
  | {
      readonly kind: "hub";
      readonly hub: string;
      readonly revision?: string;
    }
  | { readonly kind: "url"; readonly url: string }
  | {
      readonly kind: "files";
      readonly name: string;
      readonly files: ReadonlyMap<string, Blob>;
    };

/** A fault as people see it. */
export interface Fault {
  readonly code: string;
  readonly message: string;
}

export interface Loading {
  readonly source: ModelSource;
  readonly stage: string;
  readonly loaded: number; // bytes
  readonly total: number | undefined; // bytes
}

export interface ModelFacts {
  readonly source: ModelSource;
  readonly config: ModelConfig;
  readonly variant: VariantReport;
  readonly storage: StorageKind;
  /** Bytes of the model's numbers in the engine's memory. */
  readonly storedBytes: number;
  readonly hasTokenizer: boolean;
  /** The token that stands for one to be filled in. */
  readonly maskTokenId: number | undefined;
}

/** A run as it stands: grows by a token with each step of generation. */
export interface RunFacts {
  /** Tells runs apart; never reused. */
  readonly id: number;
  readonly tokens: readonly Token[];
  /** Of an encoder-decoder, what its encoder read. */
  readonly sourceTokens: readonly Token[];
  readonly promptLength: number;
  readonly capacity: number;
  readonly milliseconds: number;
  /** What the model predicts; empty where it has no output for that. */
  readonly next: readonly NextToken[];
  /** The position that predicts it: the last, or the one that an encoder fills in. */
  readonly nextAt: number;
}

/** The chosen head's numbers, [query, key] each, for one state of one run. */
export interface Pattern {
  readonly runId: number;
  readonly id: HeadId;
  readonly rows: number;
  readonly cols: number;
  readonly scores: Float32Array;
  readonly maskedScores: Float32Array;
  readonly weights: Float32Array;
  readonly allowed: Uint8Array;
}

/** A head's weights, reduced to what a thumbnail can show. */
export interface Thumbnail {
  readonly runId: number;
  /** Queries when it was taken. */
  readonly length: number;
  readonly matrix: Matrix;
}

/** Vectors on the way of the chosen head, reduced to what a station can show. */
export interface WayPictures {
  readonly runId: number;
  /** Tokens of the run when they were taken. */
  readonly length: number;
  readonly id: HeadId;
  readonly matrices: ReadonlyMap<string, Matrix>;
}

export interface GenerationSettings {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly seed: number;
  readonly maxTokens: number;
}

/** The last generation, running or ended. */
export interface Generation {
  readonly running: boolean;
  readonly text: string;
  /** Probability with which each token was drawn. */
  readonly probabilities: readonly number[];
  readonly milliseconds: number;
  readonly reason?: StopReason;
}

/** The present run against one of the same tokens in float32. */
export interface Comparison {
  readonly runId: number;
  /** Tokens of the run when it was asked for. */
  readonly length: number;
  /** Undefined while it is computed. */
  readonly result: RunComparison | undefined;
  readonly fault: Fault | undefined;
}

/** A checkpoint's README.md: on its way, there, or missing. */
export interface Card {
  readonly source: ModelSource;
  readonly loading: boolean;
  readonly text: string | undefined;
}

/** What the stream would predict after each layer, at one position. */
export interface Lens {
  readonly runId: number;
  /** Tokens of the run when it was taken. */
  readonly length: number;
  readonly position: number;
  readonly layers: readonly (readonly NextToken[])[]; // [layer][rank]
}

export interface State {
  readonly model: ModelFacts | undefined;
  readonly loading: Loading | undefined;
  readonly loadFault: Fault | undefined;
  /** How models that are loaded from now on are kept. */
  readonly storage: StorageKind;
  readonly comparison: Comparison | undefined;
  /** Of the present model, while it is looked at. */
  readonly card: Card | undefined;

  /** Of an encoder-decoder the source. */
  readonly text: string;
  /** What an encoder-decoder is made to say; empty: what it says by itself. */
  readonly target: string;
  /** Masks that were chosen; the others are the model's own. */
  readonly masks: Masks;
  readonly run: RunFacts | undefined;
  /** `run` is not of the present texts, masks and model. */
  readonly stale: boolean;
  readonly running: boolean;
  readonly runFault: Fault | undefined;

  /** Undefined until chosen, by a person or by what the run shows. */
  readonly head: HeadId | undefined;
  readonly pattern: Pattern | undefined;
  readonly thumbnails: ReadonlyMap<string, Thumbnail>;
  readonly way: WayPictures | undefined;
  readonly lensOpen: boolean;
  readonly lens: Lens | undefined;

  readonly stage: Stage;
  readonly scale: ScaleName;
  readonly ramp: RampName;
  /** Hover or focus; comes before `pinned` while it lasts. */
  readonly preview: Cell | undefined;
  readonly pinned: Cell | undefined;

  readonly settings: GenerationSettings;
  readonly generation: Generation | undefined;

  readonly theme: Theme;
  readonly systemDark: boolean;
}

export const initialState: State = {
  model: undefined,
  loading: undefined,
  loadFault: undefined,
  storage: "float32",
  comparison: undefined,
  card: undefined,
  text: bundledModels[0]!.examples[0]!.text,
  target: "",
  masks: {},
  run: undefined,
  stale: true,
  running: false,
  runFault: undefined,
  head: undefined,
  pattern: undefined,
  thumbnails: new Map(),
  way: undefined,
  lensOpen: false,
  lens: undefined,
  stage: "weights",
  scale: "linear",
  ramp: "ink",
  preview: undefined,
  pinned: undefined,
  settings: { temperature: 0.8, topK: 40, topP: 1, seed: 1, maxTokens: 20 },
  generation: undefined,
  theme: "auto",
  systemDark: false,
};

export const headKey = (id: HeadId): string =>
  `${id.attention}.${id.layer}.${id.head}`;

export const sameHead = (a: HeadId | undefined, b: HeadId | undefined) =>
  a?.attention === b?.attention && a?.layer === b?.layer && a?.head === b?.head;

export const sameCell = (a: Cell | undefined, b: Cell | undefined) =>
  a?.query === b?.query && a?.key === b?.key;
