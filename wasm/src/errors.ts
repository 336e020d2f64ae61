// The one kind of error that the package throws: a code for programs and a
// message for people that names the offending thing. Read next: index.ts.

/** Codes of the engine, as core/base/status.cc names them. */
export type EngineErrorCode =
  | "invalid-argument"
  | "empty-input"
  | "token-out-of-range"
  | "capacity-reached"
  | "out-of-memory"
  | "invalid-config"
  | "unsupported-architecture"
  | "unsupported-setting"
  | "not-safetensors"
  | "corrupt-header"
  | "truncated"
  | "oversized"
  | "unsupported-dtype"
  | "missing-tensor"
  | "wrong-shape"
  | "unknown-tensor";

/** Codes of the layers around the engine. */
export type PackageErrorCode =
  /** A file of the engine itself is not where it should be. */
  | "module-missing"
  /** This machine cannot run the variant that was asked for. */
  | "unsupported-variant"
  /** Every variant that can run here computes wrong numbers. */
  | "self-test-failed"
  /** A worker was asked for where there is none, or it did not start. */
  | "worker-failed"
  /** A file of the checkpoint cannot be had. */
  | "fetch-failed"
  /** tokenizer.json is not one that the package can read. */
  | "invalid-tokenizer"
  /** The tokenizer has ids that the model does not know. */
  | "tokenizer-mismatch"
  /** A text was given to a model without a tokenizer. */
  | "tokenizer-missing"
  /** The caller's signal ended the work. */
  | "aborted"
  /** The model or run was disposed of. */
  | "disposed"
  /** The engine stopped unexpectedly: a fault of the package. */
  | "internal";

export type ErrorCode = EngineErrorCode | PackageErrorCode;

/** An error as plain data, as it crosses from the worker. */
export interface Fault {
  readonly code: ErrorCode;
  readonly message: string;
}

export class AttnscopeError extends Error {
  override readonly name = "AttnscopeError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What was thrown, as data; anything but an AttnscopeError is a fault of ours. */
export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof AttnscopeError) {
    return { code: thrown.code, message: thrown.message };
  }
  return { code: "internal", message: describe(thrown) };
}

/** The message of anything thrown. */
export function describe(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Refuses to go on once the caller's signal has ended the work. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new AttnscopeError("aborted", "The work was cancelled.");
  }
}
