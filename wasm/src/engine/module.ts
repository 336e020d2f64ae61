// The WebAssembly module's own interface, as wasm/bindings/ registers it. Only
// this folder touches it: handles are deleted by hand, and chunk() is a view of
// the module's memory that dies with the next call. Read next: session.ts.

import type { Fault } from "../errors.js";
import type {
  AttentionPart,
  ModelConfig,
  StorageKind,
  Tensor,
} from "../types.js";

/** What a call that can fail gives. */
export type Outcome<T> = { readonly value: T } | { readonly error: Fault };

export interface Handle {
  delete(): void;
}

export interface LoaderHandle extends Handle {
  chunk(): Uint8Array;
  append(size: number): Fault | null;
  /** After a file's last byte: what follows is the next one's. */
  nextFile(): Fault | null;
  finish(): Outcome<ModelHandle>;
}

export interface ModelHandle extends Handle {
  config(): ModelConfig;
  storage(): StorageKind;
  storedBytes(): number;
  /** Every tensor that a run can record, in the order of the computation. */
  tensorNames(): string[];
}

export interface EngineLoadOptions {
  readonly numFiles: number;
  /** Left out means float32. */
  readonly storage?: StorageKind | undefined;
  /** Bytes; left out means all that the module can have. */
  readonly memoryLimit?: number | undefined;
}

/** As run-options.ts writes them and convert.cc reads them. */
export interface EngineRunOptions {
  readonly mask: readonly EngineMaskRule[];
  readonly sourceMask: readonly EngineMaskRule[];
  readonly crossMask: readonly EngineMaskRule[];
  readonly interventions: readonly EngineIntervention[];
  readonly record: readonly string[];
  readonly execution: "streaming" | "traced";
  readonly allLogits: boolean;
}

export type EngineMaskRule =
  | { readonly kind: "none" }
  | { readonly kind: "causal" }
  | { readonly kind: "window"; readonly size: number }
  | { readonly kind: "prefix"; readonly length: number }
  | { readonly kind: "padding"; readonly hidden: Uint8Array };

/** What a run starts with; empty where a model has no source or token types. */
export interface EnginePrompt {
  readonly ids: Int32Array;
  readonly sourceIds: Int32Array;
  readonly tokenTypes: Int32Array;
}

export type EngineIntervention = {
  readonly attention: AttentionPart;
  readonly layer?: number | undefined;
  readonly head?: number | undefined;
} & (
  | { readonly kind: "ablateHead"; readonly replacement: Float32Array }
  | {
      readonly kind: "maskCell";
      readonly query: number;
      readonly key: number;
      readonly allowed: boolean;
    }
  | { readonly kind: "scale"; readonly scale: number }
  | { readonly kind: "temperature"; readonly temperature: number }
  | {
      readonly kind: "replaceWeights";
      readonly query: number;
      readonly weights: Float32Array;
    }
  | {
      readonly kind: "swapValue";
      readonly key: number;
      readonly value: Float32Array;
    }
);

export interface EngineSampleOptions {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly seed: number;
}

export interface SessionHandle extends Handle {
  prefill(prompt: EnginePrompt, options: EngineRunOptions): Fault | null;
  decodeStep(id: number): Fault | null;
  length(): number;
  sourceLength(): number;
  logits(): Float32Array;
  logitRows(): number;
  tensor(name: string): Outcome<Tensor>;
  headCells(name: string, head: number): Outcome<Tensor>;
  logitLens(name: string, first: number, count: number): Outcome<Tensor>;
  meanHeadOutput(
    attention: AttentionPart,
    layer: number,
    head: number,
  ): Outcome<Float32Array>;
  mask(
    attention: AttentionPart,
    layer: number,
    head: number,
  ): Outcome<Uint8Array>;
}

export interface SamplerHandle extends Handle {
  /** From a row of the session's logits. */
  sample(session: SessionHandle, row: number): number;
  /** Of a token in the last sample. */
  probability(id: number): number;
  probabilities(): Float32Array;
}

export interface EngineModule {
  kernels(): {
    readonly name: string;
    readonly requiredFeatures: string;
    readonly lanes: number;
    readonly fusedMultiplyAdd: boolean;
  };
  /** The settings alone; only the weights tell the number of parameters. */
  parseConfig(json: string): Outcome<Omit<ModelConfig, "numParameters">>;
  beginLoading(
    configJson: string,
    options: EngineLoadOptions,
  ): Outcome<LoaderHandle>;
  /** `sourceCapacity` is 0 for models without an encoder. */
  makeSession(
    model: ModelHandle,
    capacity: number,
    sourceCapacity: number,
  ): Outcome<SessionHandle>;
  makeSampler(
    model: ModelHandle,
    options: EngineSampleOptions,
  ): Outcome<SamplerHandle>;
}
