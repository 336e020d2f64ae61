// The engine service: does the work that intentions ask for, through the
// package's public interface, and reports what came of it. Owns the model and
// the run; only the latest wish counts. Read next: ../elements/as-explorer.ts.

import type {
  CheckpointSource,
  LoadOptions,
  Model,
  NextToken,
  Run,
  RunOptions,
  StopReason,
} from "attnscope";
import type { Action } from "./actions.js";
import {
  maskPosition,
  readPattern,
  readThumbnail,
  suggestFor,
} from "./head-tensors.js";
import { readLens } from "./lens.js";
import { checkpointOf, readCard, sameSource } from "./model-source.js";
import { queryTokens } from "./parts.js";
import { lensPosition, maskOf } from "./selectors.js";
import {
  headKey,
  sameHead,
  type Comparison,
  type Fault,
  type HeadId,
  type ModelSource,
  type State,
} from "./state.js";
import type { Store } from "./store.js";
import { compareWithFloat32 } from "./storage.js";
import { readWay, recordedNames } from "./way-tensors.js";

export type LoadModel = (
  source: CheckpointSource,
  options: LoadOptions,
) => Promise<Model>;

/** Rest after a keystroke before the text is run. */
const typingPause = 120; // milliseconds
/** Time for thumbnails after each generated token. */
const thumbnailTime = 12; // milliseconds
const nextCount = 8;

export class Engine {
  readonly #store: Store;
  readonly #load: LoadModel;
  readonly #models: string;
  readonly #options: LoadOptions;
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
        void this.#compare();
        break;
      case "show-card":
        if (state.card) void this.#showCard(state.card.source);
        break;
      case "show-lens":
        void this.#showLens();
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
      void this.#showPredictions();
      void this.#showLens();
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
        this.#showPredictions(),
        this.#showLens(),
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

  /** An encoder's predictions at the chosen position. */
  async #showPredictions(): Promise<void> {
    const [run, model] = [this.#run, this.#model];
    const { pinned, run: shown } = this.#store.state;
    if (!run || model?.config.architecture !== "encoder") return;
    if (!pinned || !shown || pinned.query === shown.nextAt) return;
    const at = pinned.query;
    const runId = this.#runId;
    try {
      const next = await predictions(run, model, at);
      if (run !== this.#run || this.#store.state.pinned?.query !== at) return;
      this.#store.send({ type: "predictions-arrived", runId, at, next });
    } catch (error) {
      if (run === this.#run) {
        this.#store.send({ type: "run-failed", fault: toFault(error) });
      }
    }
  }

  /** What the present storage changes, against the same run in float32. */
  async #compare(): Promise<void> {
    const [run, model] = [this.#run, this.#model];
    const { state } = this.#store;
    if (!run || !model || !state.model || state.stale) return;
    const about = { runId: this.#runId, length: run.tokens.length };
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

  async #showCard(source: ModelSource): Promise<void> {
    const text = await readCard(source, this.#models, this.#options.hubBase);
    this.#store.send({ type: "card-arrived", source, text });
  }

  /** The logit lens at the chosen position, while it is open. */
  async #showLens(): Promise<void> {
    const [run, model] = [this.#run, this.#model];
    const { lensOpen, lens } = this.#store.state;
    if (!run || !model?.config.hasLogits || !lensOpen) return;
    const runId = this.#runId;
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
      if (run !== this.#run) return;
      if (position !== lensPosition(this.#store.state)) return;
      const lens = { runId, length, position, layers };
      this.#store.send({ type: "lens-arrived", lens });
    } catch (error) {
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
        const next = await run.nextTokens(nextCount);
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
      void this.#showLens();
      void this.#drawThumbnails(Infinity);
    }
  }
}

function masksOf(state: State, { config }: Model): RunOptions {
  return {
    mask: maskOf(state, "self"),
    ...(config.encoder && {
      sourceMask: maskOf(state, "encoder"),
      crossMask: maskOf(state, "cross"),
    }),
  };
}

/** What the model predicts at a position; nothing where it has no output for it. */
async function predictions(
  run: Run,
  { config }: Model,
  position: number,
): Promise<readonly NextToken[]> {
  if (!config.hasLogits) return [];
  return config.architecture === "encoder"
    ? run.nextTokens(nextCount, position)
    : run.nextTokens(nextCount);
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

export function toFault(error: unknown): Fault {
  if (error instanceof Error) {
    const code = (error as { code?: unknown }).code;
    return {
      code: typeof code === "string" ? code : error.name,
      message: error.message,
    };
  }
  return { code: "unknown", message: String(error) };
}
