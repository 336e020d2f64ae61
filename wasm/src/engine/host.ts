// The engine's side of the protocol: one module, one model, its runs and
// samplers by number. Runs in the worker, or on the calling thread; it does not
// know which. Read next: session.ts.

import { whole } from "../checks.js";
import { AttnscopeError } from "../errors.js";
import { startModule } from "../module-loader.js";
import type { LoadProgress, RunOptions, Tensor } from "../types.js";
import type {
  Prompt,
  RankedId,
  Replies,
  ReplyTo,
  Request,
  Step,
} from "../worker-protocol.js";
import { loadCheckpoint } from "./load-checkpoint.js";
import type { EngineModule } from "./module.js";
import {
  capacityFor,
  checkIds,
  engineRunOptions,
  engineSampleOptions,
  needsPlainRun,
  plainRunOptions,
  sourceCapacityFor,
} from "./run-options.js";
import { attentionPart, tensorName } from "./tensor-names.js";
import type { EngineModel, EngineSampler, EngineSession } from "./session.js";

export class EngineHost {
  private module: EngineModule | undefined;
  private model: EngineModel | undefined;
  private readonly runs = new Map<number, EngineSession>();
  private readonly samplers = new Map<number, EngineSampler>();
  private nextNumber = 1;
  private readonly onProgress: (progress: LoadProgress) => void;
  private readonly signal: AbortSignal | undefined;

  constructor(
    onProgress: (progress: LoadProgress) => void,
    signal?: AbortSignal,
  ) {
    this.onProgress = onProgress;
    this.signal = signal;
  }

  async handle<R extends Request>(request: R): Promise<ReplyTo<R>>;
  async handle(request: Request): Promise<Replies[keyof Replies]> {
    switch (request.kind) {
      case "start": {
        const { module, report } = await startModule(
          request,
          this.onProgress,
          this.signal,
        );
        this.module = module;
        return report;
      }
      case "load":
        return this.load(request);
      case "run":
        return this.run(request.prompt, request.options);
      case "cells":
        return this.session(request.run).headCells(
          tensorName(
            this.loaded().config,
            attentionPart(request.attention, this.loaded().config),
            whole(request.layer, "layer", 0),
            request.hook,
          ),
          whole(request.head, "head", 0),
        );
      case "mask":
        return this.session(request.run).mask(
          attentionPart(request.attention, this.loaded().config),
          whole(request.layer, "layer", 0),
          whole(request.head, "head", 0),
        );
      case "tensor":
        return this.session(request.run).tensor(String(request.name));
      case "logits":
        return this.session(request.run).logits();
      case "next-tokens":
        return this.nextTokens(
          this.session(request.run),
          whole(request.count, "count", 0),
          request.position,
        );
      case "logit-lens":
        return this.logitLens(
          this.session(request.run),
          String(request.name),
          request.position,
        );
      case "begin-sampling":
        return this.keep(
          this.samplers,
          this.loaded().makeSampler(engineSampleOptions(request.options)),
        );
      case "step":
        return this.step(request.run, request.sampler, request.endTokens);
      case "end-sampling":
        return discard(this.samplers, request.sampler);
      case "dispose-run":
        return discard(this.runs, request.run);
    }
  }

  /** Gives back everything that lives in the module. */
  dispose(): void {
    for (const number of [...this.samplers.keys()])
      discard(this.samplers, number);
    for (const number of [...this.runs.keys()]) discard(this.runs, number);
    this.model?.dispose();
    this.model = undefined;
    this.module = undefined;
  }

  private async load(
    request: Request & { kind: "load" },
  ): Promise<Replies["load"]> {
    const module = this.module;
    if (module === undefined)
      throw new AttnscopeError("internal", "The module is not started.");
    const model = await loadCheckpoint(
      module,
      request,
      this.onProgress,
      this.signal,
    );
    this.model = model;
    return {
      config: model.config,
      tensorNames: model.tensorNames,
      storage: model.storage,
      storedBytes: model.storedBytes,
    };
  }

  private run(prompt: Prompt, options: RunOptions): Replies["run"] {
    checkIds(prompt.ids, "Token id");
    checkIds(prompt.sourceIds, "Source token id");
    checkIds(prompt.tokenTypes, "Token type");
    const model = this.loaded();
    const { config, tensorNames } = model;
    const capacity = capacityFor(options, prompt.ids.length, config);
    const session = model.makeSession(
      capacity,
      sourceCapacityFor(prompt.sourceIds.length, config),
    );
    try {
      const started = performance.now();
      if (needsPlainRun(options)) {
        session.prefill(
          prompt,
          plainRunOptions(options, prompt, config, tensorNames),
        );
      }
      session.prefill(
        prompt,
        engineRunOptions(options, prompt, config, tensorNames, session),
      );
      const milliseconds = performance.now() - started;
      return { run: this.keep(this.runs, session), capacity, milliseconds };
    } catch (thrown) {
      session.dispose();
      throw thrown;
    }
  }

  private step(
    run: number,
    sampler: number,
    endTokens: readonly number[],
  ): Step {
    const session = this.session(run);
    const chooser = this.samplers.get(sampler);
    if (chooser === undefined)
      throw new AttnscopeError("disposed", "This generation has ended.");
    const started = performance.now();
    const { id, probability } = chooser.sample(session, lastRow(session));
    const appended = !endTokens.includes(id);
    if (appended) session.decodeStep(id);
    return {
      id,
      probability,
      appended,
      milliseconds: performance.now() - started,
    };
  }

  private nextTokens(
    session: EngineSession,
    count: number,
    position: number | undefined,
  ): RankedId[] {
    const row = rowAt(session, position);
    const softmax = this.loaded().makeSampler(
      engineSampleOptions({ temperature: 1 }),
    );
    try {
      softmax.sample(session, row);
      const probabilities = softmax.probabilities();
      const size = probabilities.length;
      const logits = session
        .logits()
        .data.subarray(row * size, (row + 1) * size);
      return Array.from(probabilities, (probability, id) => ({
        id,
        logit: logits[id] ?? NaN,
        probability,
      }))
        .sort((a, b) => rank(b.logit) - rank(a.logit) || a.id - b.id)
        .slice(0, count);
    } finally {
      softmax.dispose();
    }
  }

  private logitLens(
    session: EngineSession,
    name: string,
    position: number | undefined,
  ): Tensor {
    return position === undefined
      ? session.logitLens(name, 0, session.length)
      : session.logitLens(name, whole(position, "position", 0), 1);
  }

  private loaded(): EngineModel {
    if (this.model === undefined)
      throw new AttnscopeError("internal", "No model is loaded.");
    return this.model;
  }

  private session(run: number): EngineSession {
    const session = this.runs.get(run);
    if (session === undefined)
      throw new AttnscopeError("disposed", "This run was disposed of.");
    return session;
  }

  private keep<T>(things: Map<number, T>, thing: T): number {
    things.set(this.nextNumber, thing);
    return this.nextNumber++;
  }
}

/** The last row of a session's logits. */
function lastRow(session: EngineSession): number {
  const rows = session.logitRows;
  if (rows === 0) {
    throw new AttnscopeError(
      "invalid-argument",
      "This checkpoint has no layers that predict tokens.",
    );
  }
  return rows - 1;
}

/** The row of a position's logits, of the last position by default. */
function rowAt(session: EngineSession, position: number | undefined): number {
  const last = lastRow(session);
  if (position === undefined) return last;
  const row = whole(position, "position", 0) - (session.length - 1 - last);
  if (row < 0 || row > last) {
    throw new AttnscopeError(
      "invalid-argument",
      `There are no logits of position ${position}; a run with allLogits keeps those of its prompt.`,
    );
  }
  return row;
}

/** NaN comes last, and leaves the others in order. */
function rank(logit: number): number {
  return Number.isNaN(logit) ? -Infinity : logit;
}

function discard(
  things: Map<number, { dispose(): void }>,
  number: number,
): null {
  things.get(number)?.dispose();
  things.delete(number);
  return null;
}
