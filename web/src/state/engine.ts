// The engine service: does the work that intentions ask for, through the
// package's public interface, and reports what came of it. Owns the model and
// the run; only the latest wish counts. Read next: read-outs.ts,
// ../elements/as-explorer.ts.

import type { LoadOptions, Model, Run, StopReason } from "attnscope";
import type { Action } from "./actions.js";
import { toFault } from "./fault.js";
import {
  maskPosition,
  readPattern,
  readThumbnail,
  suggestFor,
} from "./head-tensors.js";
import { checkpointOf, sameSource } from "./model-source.js";
import { queryTokens } from "./parts.js";
import { masksOf, predictions, ReadOuts } from "./read-outs.js";
import {
  headKey,
  sameHead,
  type HeadId,
  type ModelSource,
  type State,
} from "./state.js";
import type { Store } from "./store.js";
import type { LoadModel } from "./storage.js";
import { readWay, recordedNames } from "./way-tensors.js";

/** Rest after a keystroke before the text is run. */
const typingPause = 120; // milliseconds
/** Time for thumbnails after each generated token. */
const thumbnailTime = 12; // milliseconds

export class Engine {
  readonly #store: Store;
  readonly #load: LoadModel;
  readonly #models: string;
  readonly #options: LoadOptions;
  readonly #readOuts: ReadOuts;
  readonly #stop: () => void;

  #model: Model | undefined;
  #loading: AbortController | undefined;
  #run: Run | undefined;
  #runId = 0;
  /** Grows with every wish for a run; a run of an older wish is dropped. */
  #wish = 0;
  #pending = false;
  #busy = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #generating: AbortController | undefined;
  readonly #wanted = new Map<string, HeadId>();
  #drawing = false;

  /** `models` is the address of the folder of the models that come along. */
  constructor(
    store: Store,
    load: LoadModel,
    models: string,
    options: LoadOptions = {},
  ) {
    this.#store = store;
    this.#load = load;
    this.#models = models;
    this.#options = options;
    this.#readOuts = new ReadOuts(store, load, models, options, () => ({
      run: this.#run,
      runId: this.#runId,
      model: this.#model,
    }));
    this.#stop = store.subscribe((state, before, action) =>
      this.#follow(state, before, action),
    );
  }

  dispose(): void {
    this.#stop();
    this.#dropRun();
    this.#loading?.abort();
    this.#run?.dispose();
    this.#model?.dispose();
    this.#run = this.#model = undefined;
  }

  #follow(state: State, before: State, action: Action): void {
    switch (action.type) {
      case "load-model":
        void this.#loadModel(action.source, true);
        break;
      case "cancel-load":
        this.#loading?.abort();
        break;
      case "edit-text":
      case "edit-target":
        this.#wishRun(typingPause);
        break;
      case "choose-mask":
      case "choose-example":
      case "run-again":
        this.#wishRun(0);
        break;
      case "cancel-run":
        this.#dropRun();
        this.#store.send({ type: "run-dropped" });
        break;
      case "follow-link": {
        const source = action.link.model;
        const isThere =
          (!source || sameSource(source, wantedSource(state))) &&
          state.storage === before.storage;
        if (source && !isThere) {
          void this.#loadModel(source, false);
        } else if (state.stale) {
          this.#wishRun(0);
        }
        break;
      }
      case "want-thumbnail":
        this.#wanted.set(headKey(action.id), action.id);
        if (!this.#generating) void this.#drawThumbnails(Infinity);
        break;
      case "choose-storage": {
        const source = wantedSource(state);
        if (source && state.storage !== before.storage) {
          void this.#loadModel(source, false);
        }
        break;
      }
      case "compare-storage":
        void this.#readOuts.compare();
        break;
      case "show-card":
        if (state.card) void this.#readOuts.showCard(state.card.source);
        break;
      case "show-lens":
        void this.#readOuts.showLens();
        break;
      case "generate":
        void this.#generate(action.tokens ?? state.settings.maxTokens);
        break;
      case "stop-generation":
        this.#generating?.abort();
        break;
      default:
        break;
    }
    if (!sameHead(state.head, before.head)) void this.#showPattern();
    if (state.pinned?.query !== before.pinned?.query) {
      void this.#readOuts.showPredictions();
      void this.#readOuts.showLens();
    }
  }

  async #loadModel(source: ModelSource, chosen: boolean): Promise<void> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#store.send({ type: "load-started", source });
    try {
      const checkpoint = checkpointOf(source, this.#models);
      const model = await this.#load(checkpoint, {
        ...this.#options,
        storage: this.#store.state.storage,
        signal: loading.signal,
        onProgress: (progress) => {
          if (this.#loading === loading) {
            this.#store.send({ type: "load-progressed", progress });
          }
        },
      });
      if (this.#loading !== loading) {
        model.dispose();
        return;
      }
      this.#generating?.abort();
      this.#run?.dispose();
      this.#model?.dispose();
      this.#run = undefined;
      this.#model = model;
      this.#store.send({
        type: "load-finished",
        chosen,
        model: {
          source,
          config: model.config,
          variant: model.variant,
          storage: model.storage,
          storedBytes: model.storedBytes,
          hasTokenizer: model.hasTokenizer,
          maskTokenId: model.maskTokenId,
        },
      });
      this.#wishRun(0);
    } catch (error) {
      if (this.#loading !== loading) return;
      this.#store.send(
        loading.signal.aborted
          ? { type: "load-cancelled" }
          : { type: "load-failed", fault: toFault(error) },
      );
    } finally {
      if (this.#loading === loading) this.#loading = undefined;
    }
  }

  #wishRun(pause: number): void {
    this.#dropRun();
    this.#timer = setTimeout(() => void this.#runLatest(), pause);
  }

  /** Whatever runs now is no longer wanted. */
  #dropRun(): void {
    this.#wish += 1;
    this.#pending = false;
    this.#generating?.abort();
    clearTimeout(this.#timer);
  }

  /** One run at a time; a wish that comes up meanwhile is the next. */
  async #runLatest(): Promise<void> {
    this.#pending = true;
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#pending && this.#model) {
        this.#pending = false;
        await this.#runOnce(this.#model, this.#wish);
      }
    } finally {
      this.#busy = false;
    }
  }

  async #runOnce(model: Model, wish: number): Promise<void> {
    const state = this.#store.state;
    const { text, target } = state;
    this.#run?.dispose();
    this.#run = undefined;
    if (text === "") {
      this.#store.send({ type: "run-dropped" });
      return;
    }
    this.#store.send({ type: "run-started" });
    let run: Run | undefined;
    try {
      run = await model.run(text, {
        ...masksOf(state, model),
        ...(model.config.encoder && target !== "" && { target }),
        record: recordedNames(model),
      });
      const id = this.#runId + 1;
      const last = run.tokens.length - 1;
      const next = await predictions(run, model, last);
      const suggestion = this.#store.state.head
        ? undefined
        : await suggestFor(run, model, next[0]?.id);
      const head = this.#store.state.head ?? suggestion!.id;
      const pattern = await readPattern(run, id, head);
      if (wish !== this.#wish) return;
      this.#run = run;
      this.#runId = id;
      this.#store.send({
        type: "run-finished",
        run: {
          id,
          tokens: run.tokens,
          sourceTokens: run.sourceTokens,
          promptLength: run.promptLength,
          capacity: run.capacity,
          milliseconds: run.milliseconds,
          next,
          nextAt: last,
        },
        pattern,
        suggestion,
        focus: newMaskPosition(state, model, run),
      });
      // Another head or row may have been chosen meanwhile.
      await Promise.all([
        this.#showPattern(),
        this.#readOuts.showPredictions(),
        this.#readOuts.showLens(),
      ]);
    } catch (error) {
      if (wish === this.#wish) {
        this.#store.send({ type: "run-failed", fault: toFault(error) });
      }
    } finally {
      if (run !== this.#run) run?.dispose();
    }
  }

  /** Fetches the chosen head's numbers that the state does not have yet. */
  async #showPattern(): Promise<void> {
    const run = this.#run;
    const { head, pattern } = this.#store.state;
    if (!run || !head) return;
    const runId = this.#runId;
    const fresh =
      pattern?.runId === runId &&
      pattern.rows === queryTokens(run, head.attention).length &&
      sameHead(pattern.id, head);
    const isWanted = () =>
      run === this.#run && sameHead(head, this.#store.state.head);
    try {
      if (!fresh) {
        const now = await readPattern(run, runId, head);
        if (!isWanted()) return;
        this.#store.send({ type: "pattern-arrived", pattern: now });
      }
      const length = run.tokens.length;
      const matrices = await readWay(run, this.#model!, head);
      if (!isWanted() || run.tokens.length !== length) return;
      this.#store.send({
        type: "way-arrived",
        way: { runId, length, id: head, matrices },
      });
    } catch (error) {
      // A run that was replaced meanwhile has nothing to say any more.
      if (run === this.#run) {
        this.#store.send({ type: "run-failed", fault: toFault(error) });
      }
    }
  }

  /** Works through the wanted thumbnails, for at most `time` milliseconds. */
  async #drawThumbnails(time: number): Promise<void> {
    if (this.#drawing) return;
    this.#drawing = true;
    const end = performance.now() + time;
    try {
      for (const [key, id] of this.#wanted) {
        const run = this.#run;
        if (!run || performance.now() > end) break;
        this.#wanted.delete(key);
        const runId = this.#runId;
        const length = queryTokens(run, id.attention).length;
        const matrix = await readThumbnail(run, id);
        this.#store.send({
          type: "thumbnail-arrived",
          id,
          thumbnail: { runId, length, matrix },
        });
      }
    } catch {
      // The run was replaced meanwhile; its successor's thumbnails are asked
      // for anew by whoever shows them.
    } finally {
      this.#drawing = false;
    }
  }

  async #generate(tokens: number): Promise<void> {
    const run = this.#run;
    if (!run || this.#generating || this.#store.state.stale) return;
    const runId = this.#runId;
    const generating = new AbortController();
    this.#generating = generating;
    const { temperature, topK, topP, seed } = this.#store.state.settings;
    this.#store.send({ type: "generation-started" });
    let reason: StopReason = "cancelled";
    try {
      // A seed draws the same tokens again; going on must not repeat its draws.
      const drawn = run.tokens.length - run.promptLength;
      const stream = run.generate({
        temperature,
        topK,
        topP,
        seed: (seed + drawn) % 2 ** 32,
        maxTokens: tokens,
        signal: generating.signal,
      });
      for (;;) {
        const step = await stream.next();
        if (step.done) {
          reason = step.value;
          break;
        }
        const head = this.#store.state.head;
        const next = await predictions(
          run,
          this.#model!,
          run.tokens.length - 1,
        );
        const pattern = head && (await readPattern(run, runId, head));
        if (run !== this.#run) break;
        this.#store.send({
          type: "token-generated",
          runId,
          tokens: [...run.tokens],
          next,
          newText: step.value.newText,
          probability: step.value.probability,
          milliseconds: step.value.milliseconds,
          pattern,
        });
        await this.#drawThumbnails(thumbnailTime);
      }
      if (run === this.#run) {
        this.#store.send({ type: "generation-ended", reason });
      }
    } catch (error) {
      if (run === this.#run) {
        this.#store.send(
          generating.signal.aborted
            ? { type: "generation-ended", reason: "cancelled" }
            : { type: "generation-failed", fault: toFault(error) },
        );
      }
    } finally {
      this.#generating = undefined;
      void this.#showPattern();
      void this.#readOuts.showLens();
      void this.#drawThumbnails(Infinity);
    }
  }
}

/** A token to fill in where the text on show before had none. */
function newMaskPosition(
  before: State,
  { maskTokenId }: Model,
  run: Run,
): number | undefined {
  const at = maskPosition(run.tokens, maskTokenId);
  const old = before.run && maskPosition(before.run.tokens, maskTokenId);
  const isFresh = before.run !== undefined || before.pinned === undefined;
  return isFresh && at !== old ? at : undefined;
}

/** The model that is on its way, or else the one that is there. */
function wantedSource(state: State): ModelSource | undefined {
  return state.loading?.source ?? state.model?.source;
}
