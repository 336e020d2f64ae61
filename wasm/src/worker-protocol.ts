// What the calling side and the engine's side say to each other, in a worker or
// not: requests with ids, and for each a reply or a fault. The calling side
// keeps texts and tokens; only ids, options and arrays cross.
// Read next: engine/host.ts.

import type { Folder } from "./checkpoint-source.js";
import type { Fault } from "./errors.js";
import type {
  AttentionPart,
  LoadProgress,
  MaskTensor,
  ModelConfig,
  RunOptions,
  SampleOptions,
  StorageKind,
  Tensor,
  Variant,
  VariantReport,
} from "./types.js";

/** Tensors of cells that are asked for by head. */
export type CellHook = "hook_scores" | "hook_attn_scores" | "hook_pattern";

/** What a run starts with; empty where a model has no source or token types. */
export interface Prompt {
  readonly ids: readonly number[];
  readonly sourceIds: readonly number[];
  readonly tokenTypes: readonly number[];
}

/** A next token before it has a text. */
export interface RankedId {
  readonly id: number;
  readonly logit: number;
  readonly probability: number;
}

/** A step of generation. */
export interface Step {
  readonly id: number;
  readonly probability: number;
  /** Whether the token was appended; an end token is not. */
  readonly appended: boolean;
  readonly milliseconds: number;
}

export type Request =
  /** Loads the module; first of all. */
  | {
      readonly kind: "start";
      readonly variant: Variant | undefined;
      readonly moduleBase: string | undefined;
    }
  /** Loads the checkpoint; once. */
  | {
      readonly kind: "load";
      readonly configJson: string;
      readonly configName: string;
      /** Where the weights are, and how they are read. */
      readonly folder: Folder;
      readonly cache: boolean;
      readonly stallTimeout: number;
      readonly storage: StorageKind | undefined;
      /** Bytes; undefined means all that the engine can have. */
      readonly memoryLimit: number | undefined;
      /** One above the tokenizer's largest id. */
      readonly tokenizerSize: number | undefined;
    }
  | {
      readonly kind: "run";
      readonly prompt: Prompt;
      readonly options: RunOptions;
    }
  | {
      readonly kind: "cells";
      readonly run: number;
      readonly hook: CellHook;
      readonly attention: AttentionPart;
      readonly layer: number;
      readonly head: number;
    }
  | {
      readonly kind: "mask";
      readonly run: number;
      readonly attention: AttentionPart;
      readonly layer: number;
      readonly head: number;
    }
  | { readonly kind: "tensor"; readonly run: number; readonly name: string }
  | { readonly kind: "logits"; readonly run: number }
  | {
      readonly kind: "next-tokens";
      readonly run: number;
      readonly count: number;
      readonly position: number | undefined;
    }
  | {
      readonly kind: "logit-lens";
      readonly run: number;
      readonly name: string;
      readonly position: number | undefined;
    }
  | { readonly kind: "begin-sampling"; readonly options: SampleOptions }
  | {
      readonly kind: "step";
      readonly run: number;
      readonly sampler: number;
      /** Tokens that end the text instead of being appended. */
      readonly endTokens: readonly number[];
    }
  | { readonly kind: "end-sampling"; readonly sampler: number }
  | { readonly kind: "dispose-run"; readonly run: number };

/** What each kind of request is answered with. */
export interface Replies {
  start: VariantReport;
  load: {
    readonly config: ModelConfig;
    readonly storage: StorageKind;
    readonly storedBytes: number;
    readonly tensorNames: readonly string[];
  };
  run: {
    readonly run: number;
    readonly capacity: number;
    readonly milliseconds: number;
  };
  cells: Tensor;
  mask: MaskTensor;
  tensor: Tensor;
  logits: Tensor;
  "next-tokens": readonly RankedId[];
  "logit-lens": Tensor;
  "begin-sampling": number;
  step: Step;
  "end-sampling": null;
  "dispose-run": null;
}

export type ReplyTo<R extends Request> = Replies[R["kind"]];

export interface ToWorker {
  readonly id: number;
  readonly request: Request;
}

export type FromWorker =
  | {
      readonly kind: "reply";
      readonly id: number;
      readonly value: Replies[keyof Replies];
    }
  | { readonly kind: "fault"; readonly id: number; readonly fault: Fault }
  | { readonly kind: "progress"; readonly progress: LoadProgress };

/** Buffers of a reply that are given away instead of copied: all are fresh. */
export function transferables(value: Replies[keyof Replies]): ArrayBuffer[] {
  return typeof value === "object" && value !== null && "data" in value
    ? [value.data.buffer as ArrayBuffer]
    : [];
}
