// What transformers computed for a checkpoint folder: golden.safetensors, a
// batch of texts whose tensors are read a text at a time, and greedy.json.
import { existsSync } from "node:fs";
import { join } from "node:path";

import type { ModelConfig, RunOptions } from "attnscope";

import { readJson, readSafetensors, type StoredTensor } from "./files.js";

/** What a model runs on; of an encoder-decoder the input is the source. */
export interface GoldenText {
  readonly input: readonly number[];
  readonly target?: readonly number[];
  readonly tokenTypes?: readonly number[];
  /** [token] of the input: true for padding, which ends it. */
  readonly hidden?: readonly boolean[];
}

export interface Continuation {
  readonly start: GoldenText;
  /** The whole text, what it starts with included. */
  readonly whole: readonly number[];
}

export class Golden {
  private readonly tensors: Map<string, StoredTensor>;

  constructor(folder: string) {
    this.tensors = readSafetensors(join(folder, "golden.safetensors"));
  }

  get texts(): readonly GoldenText[] {
    const count = this.get("input_ids").shape[0]!;
    return Array.from({ length: count }, (_, row) => {
      const list = (name: string) =>
        this.tensors.has(name)
          ? this.rows(name, row, this.get(name).shape[1]!)
          : undefined;
      const target = list("decoder_input_ids");
      const tokenTypes = list("token_type_ids");
      const mask = list("attention_mask");
      return {
        input: list("input_ids")!,
        ...(target && { target }),
        ...(tokenTypes && { tokenTypes }),
        ...(mask && { hidden: mask.map((shown) => shown === 0) }),
      };
    });
  }

  /** How many layers there are of 'attentions' and the like. */
  layers(kind: string): number {
    let count = 0;
    while (this.tensors.has(`${kind}.${count}`)) ++count;
    return count;
  }

  /** [positions, width] of a text's tensor [position, width], or [positions]. */
  rows(name: string, row: number, positions: number): number[] {
    const { shape, data } = this.get(name);
    const [, length = 0, width = 1] = shape;
    const begin = row * length * width;
    return data.slice(begin, begin + positions * width);
  }

  /** [queries, keys] of a head of a text's tensor [head, query, key]. */
  cells(
    name: string,
    row: number,
    head: number,
    [queries, keys]: readonly [number, number],
  ): number[] {
    const { shape, data } = this.get(name);
    const [, heads = 0, allQueries = 0, allKeys = 0] = shape;
    return Array.from({ length: queries }, (_, query) => {
      const begin = ((row * heads + head) * allQueries + query) * allKeys;
      return data.slice(begin, begin + keys);
    }).flat();
  }

  /** A text's tensor as a whole. */
  row(name: string, row: number): StoredTensor {
    const { shape, data } = this.get(name);
    const size = data.length / shape[0]!;
    return {
      shape: shape.slice(1),
      data: data.slice(row * size, (row + 1) * size),
    };
  }

  private get(name: string): StoredTensor {
    const tensor = this.tensors.get(name);
    if (tensor === undefined) throw new Error(`no tensor ${name}`);
    return tensor;
  }
}

/** The continuations of greedy.json; none for encoders. */
export function continuationsOf(folder: string): Continuation[] {
  const path = join(folder, "greedy.json");
  if (!existsSync(path)) return [];
  const { prompt, greedy, source, attention_mask } = readJson<{
    prompt: number[][];
    greedy: number[][];
    source?: number[][];
    attention_mask?: number[][];
  }>(path);
  return greedy.map((whole, row) => {
    if (source === undefined) return { start: { input: prompt[row]! }, whole };
    const hidden = attention_mask![row]!.map((shown) => shown === 0);
    const start = { input: source[row]!, target: prompt[row]!, hidden };
    return { start, whole };
  });
}

/** The text as it is without its padding. */
export function withoutPadding(text: GoldenText): GoldenText {
  const { hidden, tokenTypes, ...rest } = text;
  const length = hidden!.filter((padding) => !padding).length;
  return {
    ...rest,
    input: text.input.slice(0, length),
    ...(tokenTypes && { tokenTypes: tokenTypes.slice(0, length) }),
  };
}

/** What a run of the text is told. */
export function optionsFor(text: GoldenText, config: ModelConfig): RunOptions {
  const { target, tokenTypes, hidden } = text;
  const padding = hidden ? [{ kind: "padding", hidden } as const] : [];
  const masks = {
    decoder: { mask: [{ kind: "causal" } as const, ...padding] },
    encoder: { mask: padding },
    "encoder-decoder": { sourceMask: padding },
  };
  return {
    ...masks[config.architecture],
    ...(target && { target }),
    ...(tokenTypes && { tokenTypes }),
  };
}
