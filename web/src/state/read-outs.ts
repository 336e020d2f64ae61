// What is asked of a run that is there, besides its pattern: predictions at a
// position, the logit lens, what the storage changes; and the model's card. An
// answer counts only while its question does. Read next: engine.ts.

import type { LoadOptions, Model, NextToken, Run, RunOptions } from "attnscope";
import { toFault } from "./fault.js";
import { readLens } from "./lens.js";
import { checkpointOf, readCard } from "./model-source.js";
import { lensPosition, maskOf } from "./selectors.js";
import type { Comparison, ModelSource, State } from "./state.js";
import { compareWithFloat32, type LoadModel } from "./storage.js";
import type { Store } from "./store.js";

const nextCount = 8;

/** The engine's own, as they are now. */
export interface Present {
  readonly run: Run | undefined;
  readonly runId: number;
  readonly model: Model | undefined;
}

export class ReadOuts {
  readonly #store: Store;
  readonly #load: LoadModel;
  readonly #models: string;
  readonly #options: LoadOptions;
  readonly #present: () => Present;

  constructor(
    store: Store,
    load: LoadModel,
    models: string,
    options: LoadOptions,
    present: () => Present,
  ) {
    this.#store = store;
    this.#load = load;
    this.#models = models;
    this.#options = options;
    this.#present = present;
  }

  /** An encoder's predictions at the chosen position. */
  async showPredictions(): Promise<void> {
    const { run, runId, model } = this.#present();
    const { pinned, run: shown } = this.#store.state;
    if (!run || model?.config.architecture !== "encoder") return;
    if (!pinned || !shown || pinned.query === shown.nextAt) return;
    const at = pinned.query;
    try {
      const next = await predictions(run, model, at);
      if (run !== this.#present().run || this.#store.state.pinned?.query !== at)
        return;
      this.#store.send({ type: "predictions-arrived", runId, at, next });
    } catch (error) {
      if (run === this.#present().run) {
        this.#store.send({ type: "run-failed", fault: toFault(error) });
      }
    }
  }

  /** What the present storage changes, against the same run in float32. */
  async compare(): Promise<void> {
    const { run, runId, model } = this.#present();
    const { state } = this.#store;
    if (!run || !model || !state.model || state.stale) return;
    const about = { runId, length: run.tokens.length };
    const report = (found: Partial<Comparison>) =>
      this.#store.send({
        type: "comparison-changed",
        comparison: { ...about, result: undefined, fault: undefined, ...found },
      });
    report({});
    try {
      const result = await compareWithFloat32(
        this.#load,
        checkpointOf(state.model.source, this.#models),
        this.#options,
        run,
        masksOf(state, model),
      );
      report({ result });
    } catch (error) {
      report({ fault: toFault(error) });
    }
  }

  async showCard(source: ModelSource): Promise<void> {
    const text = await readCard(source, this.#models, this.#options.hubBase);
    this.#store.send({ type: "card-arrived", source, text });
  }

  /** The logit lens at the chosen position, while it is open. */
  async showLens(): Promise<void> {
    const { run, runId, model } = this.#present();
    const { lensOpen, lens } = this.#store.state;
    if (!run || !model?.config.hasLogits || !lensOpen) return;
    const length = run.tokens.length;
    const position = lensPosition(this.#store.state);
    if (
      lens?.runId === runId &&
      lens.length === length &&
      lens.position === position
    ) {
      return;
    }
    try {
      const layers = await readLens(run, model, position);
      if (run !== this.#present().run) return;
      if (position !== lensPosition(this.#store.state)) return;
      const lens = { runId, length, position, layers };
      this.#store.send({ type: "lens-arrived", lens });
    } catch (error) {
      if (run === this.#present().run) {
        this.#store.send({ type: "run-failed", fault: toFault(error) });
      }
    }
  }
}

export function masksOf(state: State, { config }: Model): RunOptions {
  return {
    mask: maskOf(state, "self"),
    ...(config.encoder && {
      sourceMask: maskOf(state, "encoder"),
      crossMask: maskOf(state, "cross"),
    }),
  };
}

/** What the model predicts at a position; nothing where it has no output for it. */
export async function predictions(
  run: Run,
  { config }: Model,
  position: number,
): Promise<readonly NextToken[]> {
  if (!config.hasLogits) return [];
  return config.architecture === "encoder"
    ? run.nextTokens(nextCount, position)
    : run.nextTokens(nextCount);
}
