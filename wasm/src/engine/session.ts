// The engine as synchronous calls that throw AttnscopeError and return plain
// copies: a checkpoint becomes a model, a model makes sessions and samplers.
// Read next: host.ts.

import { AttnscopeError, type Fault } from "../errors.js";
import type {
  AttentionPart,
  MaskTensor,
  ModelConfig,
  StorageKind,
  Tensor,
} from "../types.js";
import type { Prompt } from "../worker-protocol.js";
import type {
  EngineLoadOptions,
  EngineModule,
  EngineRunOptions,
  EngineSampleOptions,
  LoaderHandle,
  ModelHandle,
  Outcome,
  SamplerHandle,
  SessionHandle,
} from "./module.js";

function check(fault: Fault | null): void {
  if (fault !== null)
    throw new AttnscopeError(fault.code, sentence(fault.message));
}

function unwrap<T>(outcome: Outcome<T>): T {
  if ("error" in outcome) {
    throw new AttnscopeError(
      outcome.error.code,
      sentence(outcome.error.message),
    );
  }
  return outcome.value;
}

// The core writes clauses; people read sentences. A name keeps its case.
function sentence(message: string): string {
  const startsWithWord = /^[a-z]+ /.test(message);
  const first = message.charAt(0);
  return `${startsWithWord ? first.toUpperCase() : first}${message.slice(1)}.`;
}

/** The size of the vocabulary that a config.json tells of. */
export function readVocabularySize(module: EngineModule, json: string): number {
  return unwrap(module.parseConfig(json)).vocabularySize;
}

/** Takes a checkpoint's files one after the other, in pieces of any size. */
export class CheckpointWriter {
  private readonly module: EngineModule;
  private readonly handle: LoaderHandle;

  constructor(
    module: EngineModule,
    configJson: string,
    options: EngineLoadOptions,
  ) {
    this.module = module;
    this.handle = unwrap(module.beginLoading(configJson, options));
  }

  append(bytes: Uint8Array): void {
    let rest = bytes;
    while (rest.length > 0) {
      const chunk = this.handle.chunk();
      const piece = rest.subarray(0, chunk.length);
      chunk.set(piece);
      check(this.handle.append(piece.length));
      rest = rest.subarray(piece.length);
    }
  }

  /** After a file's last byte: what follows is the next one's. */
  nextFile(): void {
    check(this.handle.nextFile());
  }

  finish(): EngineModel {
    return new EngineModel(this.module, unwrap(this.handle.finish()));
  }

  dispose(): void {
    this.handle.delete();
  }
}

export class EngineModel {
  readonly config: ModelConfig;
  readonly storage: StorageKind;
  readonly storedBytes: number;
  /** Every tensor that a run can record, in the order of the computation. */
  readonly tensorNames: readonly string[];
  private readonly module: EngineModule;
  private readonly handle: ModelHandle;

  constructor(module: EngineModule, handle: ModelHandle) {
    this.module = module;
    this.handle = handle;
    this.config = handle.config();
    this.storage = handle.storage();
    this.storedBytes = handle.storedBytes();
    this.tensorNames = handle.tensorNames();
  }

  makeSession(capacity: number, sourceCapacity: number): EngineSession {
    return new EngineSession(
      unwrap(this.module.makeSession(this.handle, capacity, sourceCapacity)),
      this.config,
    );
  }

  makeSampler(options: EngineSampleOptions): EngineSampler {
    return new EngineSampler(
      unwrap(this.module.makeSampler(this.handle, options)),
    );
  }

  dispose(): void {
    this.handle.delete();
  }
}

export class EngineSession {
  readonly handle: SessionHandle;
  private readonly config: ModelConfig;

  constructor(handle: SessionHandle, config: ModelConfig) {
    this.handle = handle;
    this.config = config;
  }

  prefill(prompt: Prompt, options: EngineRunOptions): void {
    const { ids, sourceIds, tokenTypes } = prompt;
    check(
      this.handle.prefill(
        {
          ids: Int32Array.from(ids),
          sourceIds: Int32Array.from(sourceIds),
          tokenTypes: Int32Array.from(tokenTypes),
        },
        options,
      ),
    );
  }

  decodeStep(id: number): void {
    check(this.handle.decodeStep(id));
  }

  /** [rows, vocabulary] of the last call. */
  logits(): Tensor {
    const data = this.handle.logits();
    const vocabulary = this.config.vocabularySize;
    return { shape: [data.length / vocabulary, vocabulary], data };
  }

  get logitRows(): number {
    return this.handle.logitRows();
  }

  tensor(name: string): Tensor {
    return unwrap(this.handle.tensor(name));
  }

  /** One head of a tensor of cells, [query, key]. */
  headCells(name: string, head: number): Tensor {
    return unwrap(this.handle.headCells(name, head));
  }

  /** [count, vocabulary]: what the positions' residual would predict. */
  logitLens(name: string, first: number, count: number): Tensor {
    return unwrap(this.handle.logitLens(name, first, count));
  }

  get length(): number {
    return this.handle.length();
  }

  meanHeadOutput(
    attention: AttentionPart,
    layer: number,
    head: number,
  ): Float32Array {
    return unwrap(this.handle.meanHeadOutput(attention, layer, head));
  }

  mask(attention: AttentionPart, layer: number, head: number): MaskTensor {
    const length = this.handle.length();
    const sourceLength = this.handle.sourceLength();
    return {
      shape: [
        attention === "encoder" ? sourceLength : length,
        attention === "self" ? length : sourceLength,
      ],
      data: unwrap(this.handle.mask(attention, layer, head)),
    };
  }

  dispose(): void {
    this.handle.delete();
  }
}

export class EngineSampler {
  private readonly handle: SamplerHandle;

  constructor(handle: SamplerHandle) {
    this.handle = handle;
  }

  /** A token from a row of the session's logits, and the probability it was drawn with. */
  sample(
    session: EngineSession,
    row: number,
  ): { id: number; probability: number } {
    const id = this.handle.sample(session.handle, row);
    return { id, probability: this.handle.probability(id) };
  }

  /** [vocabulary] of the last sample. */
  probabilities(): Float32Array {
    return this.handle.probabilities();
  }

  dispose(): void {
    this.handle.delete();
  }
}
