// A caller's options, checked and in the engine's form. What only the engine
// can judge (a head that does not exist) is left to it; what a conversion would
// blur (fractions, NaN) is refused here. Read next: host.ts.

import { list, number, whole, wrong } from "../checks.js";
import { AttnscopeError } from "../errors.js";
import type {
  AttentionPart,
  Intervention,
  MaskRule,
  ModelConfig,
  RunOptions,
  SampleOptions,
  Tensor,
} from "../types.js";
import type { Prompt } from "../worker-protocol.js";
import type {
  EngineIntervention,
  EngineMaskRule,
  EngineRunOptions,
  EngineSampleOptions,
} from "./module.js";
import { attentionPart, shapeOf, tensorName } from "./tensor-names.js";

/** Recorded by default, and never held by the streaming execution. */
const cellHooks = /attn\.hook_(scores|attn_scores|pattern)$/;

/** Room for a continuation where the caller does not say. */
const defaultContinuation = 256;

/** What changes may need of the plain run. */
export interface PlainRun {
  meanHeadOutput(
    part: AttentionPart,
    layer: number,
    head: number,
  ): Float32Array;
  tensor(name: string): Tensor;
}

/** Whether a change needs the plain run first: mean ablation, a value moved. */
export function needsPlainRun(options: RunOptions): boolean {
  return interventionsOf(options).some(
    (change) =>
      (change.kind === "ablateHead" && change.with === "mean") ||
      (change.kind === "swapValue" && change.from !== undefined),
  );
}

function interventionsOf(options: RunOptions): readonly Intervention[] {
  const changes = list(options.interventions ?? [], "interventions");
  for (const change of changes) {
    if (typeof change !== "object" || change === null)
      throw wrong("an intervention", change, "an object with a kind");
  }
  return changes;
}

export function engineRunOptions(
  options: RunOptions,
  prompt: Prompt,
  config: ModelConfig,
  tensorNames: readonly string[],
  plain: PlainRun,
): EngineRunOptions {
  const record = namesToRecord(options.record ?? "attention", tensorNames);
  return {
    ...engineMasks(options, prompt, config),
    interventions: interventionsOf(options).flatMap((change) =>
      engineIntervention(change, config, plain),
    ),
    record,
    execution: record.some((name) => cellHooks.test(name))
      ? "traced"
      : "streaming",
    allLogits: options.allLogits ?? config.architecture === "encoder",
  };
}

/** For the plain run that changes look at: the heads' outputs and values. */
export function plainRunOptions(
  options: RunOptions,
  prompt: Prompt,
  config: ModelConfig,
  tensorNames: readonly string[],
): EngineRunOptions {
  return {
    ...engineMasks(options, prompt, config),
    interventions: [],
    record: tensorNames.filter((name) => /attn\.hook_[zv]$/.test(name)),
    execution: "streaming",
    allLogits: false,
  };
}

function engineMasks(
  options: RunOptions,
  { ids, sourceIds }: Prompt,
  config: ModelConfig,
): Pick<EngineRunOptions, "mask" | "sourceMask" | "crossMask"> {
  const usual = config.architecture === "encoder" ? "none" : "causal";
  if (config.encoder === undefined) {
    for (const name of ["sourceMask", "crossMask"] as const) {
      if (options[name] !== undefined)
        throw wrong(name, options[name], "left out: this model has no encoder");
    }
  }
  return {
    mask: engineMask(options.mask ?? { kind: usual }, ids.length),
    sourceMask: engineMask(options.sourceMask ?? [], sourceIds.length),
    crossMask: engineMask(options.crossMask ?? [], sourceIds.length),
  };
}

/** Tokens to make room for. */
export function capacityFor(
  options: RunOptions,
  promptLength: number,
  { architecture, context }: ModelConfig,
): number {
  checkFits("text", promptLength, context);
  if (options.capacity !== undefined)
    return whole(options.capacity, "capacity", 1);
  // An encoder's text does not grow.
  const room = architecture === "encoder" ? 0 : defaultContinuation;
  return Math.max(1, Math.min(promptLength + room, context));
}

/** Tokens of a source to make room for; 0 for models without an encoder. */
export function sourceCapacityFor(
  sourceLength: number,
  { context, encoder }: ModelConfig,
): number {
  checkFits("source", sourceLength, context);
  return encoder === undefined ? 0 : Math.max(1, sourceLength);
}

function checkFits(what: string, length: number, context: number): void {
  if (length > context) {
    throw new AttnscopeError(
      "capacity-reached",
      `The ${what} has ${length} tokens, the model's context holds ${context}.`,
    );
  }
}

export function engineSampleOptions(
  options: SampleOptions,
): EngineSampleOptions {
  return {
    temperature: number(options.temperature ?? 0, "temperature"),
    topK: whole(options.topK ?? 0, "topK", 0),
    topP: number(options.topP ?? 1, "topP"),
    seed: whole(options.seed ?? 0, "seed", 0, Number.MAX_SAFE_INTEGER),
  };
}

/** `what` begins a sentence: "Token id". */
export function checkIds(ids: readonly number[], what: string): void {
  ids.forEach((id, position) => {
    if (!Number.isInteger(id) || id < 0 || id >= 2 ** 31) {
      throw new AttnscopeError(
        "token-out-of-range",
        `${what} ${id} at position ${position} is not a whole number from 0.`,
      );
    }
  });
}

function namesToRecord(
  record: NonNullable<RunOptions["record"]>,
  tensorNames: readonly string[],
): readonly string[] {
  if (record === "all") return tensorNames;
  if (record === "attention")
    return tensorNames.filter((name) => cellHooks.test(name));
  if (!Array.isArray(record)) {
    throw wrong("record", record, "'attention', 'all' or an array of names");
  }
  return record.map(String);
}

function engineMask(
  mask: MaskRule | readonly MaskRule[],
  length: number,
): EngineMaskRule[] {
  return [mask].flat().map((rule: MaskRule): EngineMaskRule => {
    if (typeof rule !== "object" || rule === null)
      throw wrong("mask", rule, "an object with a kind");
    switch (rule.kind) {
      case "none":
      case "causal":
        return rule;
      case "window":
        return {
          kind: "window",
          size: whole(rule.size, "mask window size", 1),
        };
      case "prefix":
        return {
          kind: "prefix",
          length: whole(rule.length, "mask prefix length", 0),
        };
      case "padding":
        if (list(rule.hidden, "hidden of a padding mask").length > length) {
          throw new AttnscopeError(
            "invalid-argument",
            `The padding mask is for ${rule.hidden.length} tokens, the text has ${length}.`,
          );
        }
        return {
          kind: "padding",
          hidden: Uint8Array.from(rule.hidden, Number),
        };
      default:
        throw wrong(
          "kind of a mask",
          (rule as { kind: unknown }).kind,
          "none, causal, window, prefix or padding",
        );
    }
  });
}

/** Where a change holds, checked. */
interface EngineScope {
  readonly attention: AttentionPart;
  readonly layer: number | undefined;
  readonly head: number | undefined;
}

function engineIntervention(
  change: Intervention,
  config: ModelConfig,
  plain: PlainRun,
): EngineIntervention[] {
  const scope: EngineScope = {
    attention: attentionPart(change.attention, config),
    layer: optionalIndex(change.layer, "layer"),
    head: optionalIndex(change.head, "head"),
  };
  switch (change.kind) {
    case "ablateHead":
      if (change.with === "mean") return ablateByMeans(scope, config, plain);
      if (change.with !== "zero")
        throw wrong("with of an ablated head", change.with, "zero or mean");
      return [
        { ...scope, kind: "ablateHead", replacement: new Float32Array(0) },
      ];
    case "maskCell":
      return [
        {
          ...scope,
          kind: "maskCell",
          query: whole(change.query, "query of a mask cell", 0),
          key: whole(change.key, "key of a mask cell", 0),
          allowed: change.allowed,
        },
      ];
    case "scale":
      return [
        { ...scope, kind: "scale", scale: number(change.scale, "scale") },
      ];
    case "temperature":
      return [
        {
          ...scope,
          kind: "temperature",
          temperature: number(change.temperature, "temperature"),
        },
      ];
    case "replaceWeights":
      return [
        {
          ...scope,
          kind: "replaceWeights",
          query: whole(change.query, "query of replaced weights", 0),
          weights: numbers(change.weights, "the replaced weights"),
        },
      ];
    case "swapValue":
      return swapValue(change, scope, config, plain);
    default:
      throw wrong(
        "kind of an intervention",
        (change as { kind: unknown }).kind,
        "ablateHead, maskCell, scale, temperature, replaceWeights or swapValue",
      );
  }
}

// Every head has a mean of its own.
function ablateByMeans(
  scope: EngineScope,
  config: ModelConfig,
  plain: PlainRun,
): EngineIntervention[] {
  return headsOf(scope, config).map(({ attention, layer, head }) => ({
    kind: "ablateHead",
    attention,
    layer,
    head,
    replacement: plain.meanHeadOutput(attention, layer, head),
  }));
}

// A vector that is given is the same for all heads; one that stands at a
// position is each head's own.
function swapValue(
  change: Intervention & { kind: "swapValue" },
  scope: EngineScope,
  config: ModelConfig,
  plain: PlainRun,
): EngineIntervention[] {
  const key = whole(change.key, "key of a swapped value", 0);
  if (change.from === undefined) {
    if (change.value === undefined)
      throw wrong(
        "value of a swapped value",
        undefined,
        "numbers, or a position in from",
      );
    const value = numbers(change.value, "the swapped value");
    return [{ ...scope, kind: "swapValue", key, value }];
  }
  const from = whole(change.from, "from of a swapped value", 0);
  return headsOf(scope, config).map(({ attention, layer, head }) => {
    const { shape, data } = plain.tensor(
      tensorName(config, attention, layer, "hook_v"),
    );
    const [positions = 0, kvHeads = 1, headDim = 0] = shape;
    if (from >= positions)
      throw wrong(
        "from of a swapped value",
        from,
        `a position below ${positions}`,
      );
    const group = shapeOf(config, attention).numHeads / kvHeads;
    const first = (from * kvHeads + Math.floor(head / group)) * headDim;
    return {
      kind: "swapValue",
      attention,
      layer,
      head,
      key,
      value: data.slice(first, first + headDim),
    };
  });
}

/** The heads that a scope covers, one by one. */
function headsOf(
  { attention, layer, head }: EngineScope,
  config: ModelConfig,
): { attention: AttentionPart; layer: number; head: number }[] {
  const { numLayers, numHeads } = shapeOf(config, attention);
  const layers = layer === undefined ? range(numLayers) : [layer];
  const heads = head === undefined ? range(numHeads) : [head];
  return layers.flatMap((layer) =>
    heads.map((head) => ({ attention, layer, head })),
  );
}

function numbers(values: ArrayLike<number>, name: string): Float32Array {
  if (!Array.isArray(values) && !ArrayBuffer.isView(values))
    throw wrong(name, values, "an array of numbers");
  return Float32Array.from(values, (value) => number(value, name));
}

function optionalIndex(
  value: number | undefined,
  name: string,
): number | undefined {
  return value === undefined ? undefined : whole(value, name, 0);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
