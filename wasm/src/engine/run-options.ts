// A caller's options, checked and in the engine's form. What only the engine
// can judge (a head that does not exist) is left to it; what a conversion would
// blur (fractions, NaN) is refused here. Read next: host.ts.

import { list, number, whole, wrong } from "../checks.js";
import { AttnscopeError } from "../errors.js";
import type {
  Intervention,
  MaskRule,
  ModelConfig,
  RunOptions,
  SampleOptions,
} from "../types.js";
import type {
  EngineIntervention,
  EngineMaskRule,
  EngineRunOptions,
  EngineSampleOptions,
} from "./module.js";

/** Recorded by default, and never held by the streaming execution. */
const cellHooks = [
  "attn.hook_scores",
  "attn.hook_attn_scores",
  "attn.hook_pattern",
];

/** Room for a continuation where the caller does not say. */
const defaultContinuation = 256;

/** The mean outputs of a head in the plain run, for mean ablation. */
export type MeanHeadOutput = (layer: number, head: number) => Float32Array;

export function needsMeans(options: RunOptions): boolean {
  return interventionsOf(options).some(
    (change) => change.kind === "ablateHead" && change.with === "mean",
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
  promptLength: number,
  config: ModelConfig,
  tensorNames: readonly string[],
  mean: MeanHeadOutput,
): EngineRunOptions {
  const record = namesToRecord(options.record ?? "attention", tensorNames);
  return {
    mask: engineMask(options.mask, promptLength),
    interventions: interventionsOf(options).flatMap((change) =>
      engineIntervention(change, config, mean),
    ),
    record,
    execution: record.some(isCells) ? "traced" : "streaming",
    allLogits: options.allLogits ?? false,
  };
}

/** For the plain run that mean ablation looks at. */
export function meanRunOptions(
  options: RunOptions,
  promptLength: number,
  config: ModelConfig,
): EngineRunOptions {
  return {
    mask: engineMask(options.mask, promptLength),
    interventions: [],
    record: Array.from(
      { length: config.numLayers },
      (_, layer) => `blocks.${layer}.attn.hook_z`,
    ),
    execution: "streaming",
    allLogits: false,
  };
}

/** Tokens to make room for. */
export function capacityFor(
  options: RunOptions,
  promptLength: number,
  context: number,
): number {
  if (promptLength > context) {
    throw new AttnscopeError(
      "capacity-reached",
      `The text has ${promptLength} tokens, the model's context holds ${context}.`,
    );
  }
  return options.capacity === undefined
    ? Math.max(1, Math.min(promptLength + defaultContinuation, context))
    : whole(options.capacity, "capacity", 1);
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

export function checkIds(ids: readonly number[]): void {
  ids.forEach((id, position) => {
    if (!Number.isInteger(id) || id < 0 || id >= 2 ** 31) {
      throw new AttnscopeError(
        "token-out-of-range",
        `Token id ${id} at position ${position} is not a whole number from 0.`,
      );
    }
  });
}

function isCells(name: string): boolean {
  return cellHooks.some((hook) => name.endsWith(`.${hook}`));
}

function namesToRecord(
  record: NonNullable<RunOptions["record"]>,
  tensorNames: readonly string[],
): readonly string[] {
  if (record === "all") return tensorNames;
  if (record === "attention") return tensorNames.filter(isCells);
  if (!Array.isArray(record)) {
    throw wrong("record", record, "'attention', 'all' or an array of names");
  }
  return record.map(String);
}

function engineMask(
  mask: RunOptions["mask"],
  promptLength: number,
): EngineMaskRule[] {
  const rules =
    mask === undefined ? [{ kind: "causal" } as const] : [mask].flat();
  return rules.map((rule: MaskRule): EngineMaskRule => {
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
        if (
          list(rule.hidden, "hidden of a padding mask").length > promptLength
        ) {
          throw new AttnscopeError(
            "invalid-argument",
            `The padding mask is for ${rule.hidden.length} tokens, the text has ${promptLength}.`,
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

function engineIntervention(
  change: Intervention,
  config: ModelConfig,
  mean: MeanHeadOutput,
): EngineIntervention[] {
  const scope = {
    layer: optionalIndex(change.layer, "layer"),
    head: optionalIndex(change.head, "head"),
  };
  switch (change.kind) {
    case "ablateHead":
      if (change.with === "mean") return ablateByMeans(scope, config, mean);
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
    default:
      throw wrong(
        "kind of an intervention",
        (change as { kind: unknown }).kind,
        "ablateHead, maskCell, scale or temperature",
      );
  }
}

// Every head has a mean of its own.
function ablateByMeans(
  scope: { layer: number | undefined; head: number | undefined },
  config: ModelConfig,
  mean: MeanHeadOutput,
): EngineIntervention[] {
  const layers =
    scope.layer === undefined ? range(config.numLayers) : [scope.layer];
  const heads =
    scope.head === undefined ? range(config.numQueryHeads) : [scope.head];
  return layers.flatMap((layer) =>
    heads.map((head) => ({
      kind: "ablateHead" as const,
      layer,
      head,
      replacement: mean(layer, head),
    })),
  );
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
