// The calling side: models and runs as people use them. It keeps texts, tokens
// and the tokenizer, and asks the engine for numbers. Read next: channel.ts.

import type { Channel } from "./channel.js";
import { list, whole, wrong } from "./checks.js";
import { AttnscopeError } from "./errors.js";
import { TextJoiner } from "./text-joiner.js";
import { plainToken, type Tokenizer } from "./tokenizer.js";
import type {
  AttentionPart,
  GeneratedToken,
  GenerateOptions,
  MaskTensor,
  Model,
  ModelConfig,
  NextToken,
  Run,
  RunOptions,
  StopReason,
  StorageKind,
  Tensor,
  TextPair,
  Token,
  VariantReport,
} from "./types.js";
import type { CellHook, Prompt, Replies } from "./worker-protocol.js";

const defaultMaxTokens = 50;

// Older browsers lack the symbol; there the method is just never called.
const disposeSymbol: typeof Symbol.dispose =
  (Symbol as { dispose?: typeof Symbol.dispose }).dispose ??
  (Symbol.for("Symbol.dispose") as typeof Symbol.dispose);

export class LoadedModel implements Model {
  readonly config: ModelConfig;
  readonly storage: StorageKind;
  readonly storedBytes: number;
  readonly variant: VariantReport;
  readonly tensorNames: readonly string[];
  private readonly channel: Channel;
  private readonly tokenizer: Tokenizer | undefined;

  constructor(
    channel: Channel,
    loaded: Replies["load"],
    variant: VariantReport,
    tokenizer: Tokenizer | undefined,
  ) {
    this.channel = channel;
    this.config = loaded.config;
    this.storage = loaded.storage;
    this.storedBytes = loaded.storedBytes;
    this.tensorNames = loaded.tensorNames;
    this.variant = variant;
    this.tokenizer = tokenizer;
  }

  get hasTokenizer(): boolean {
    return this.tokenizer !== undefined;
  }

  tokenize(text: string): readonly Token[] {
    if (typeof text !== "string") throw wrong("the text", text, "a string");
    return this.tokensOf(this.neededTokenizer().encode(text));
  }

  get maskTokenId(): number | undefined {
    return this.tokenizer?.maskTokenId;
  }

  tokenizePair(first: string, second: string): TextPair {
    for (const text of [first, second])
      if (typeof text !== "string") throw wrong("a text", text, "a string");
    return this.neededTokenizer().encodePair(first, second);
  }

  tokenizeTarget(text: string): readonly Token[] {
    if (typeof text !== "string") throw wrong("the text", text, "a string");
    return this.tokensOf(this.neededTokenizer().encodeTarget(text));
  }

  tokensOf(ids: readonly number[]): readonly Token[] {
    return ids.map((id) => this.tokenOf(id));
  }

  decode(ids: readonly number[]): string {
    return this.neededTokenizer().decode(ids);
  }

  async run(
    input: string | readonly number[],
    options: RunOptions = {},
  ): Promise<Run> {
    const prompt = this.promptOf(input, options);
    const { run, capacity, milliseconds } = await this.channel.send({
      kind: "run",
      prompt,
      options,
    });
    return new ModelRun(
      this.channel,
      run,
      {
        config: this.config,
        capacity,
        milliseconds,
        sourceTokens: this.tokensOf(prompt.sourceIds),
      },
      this.tokensOf(prompt.ids),
      (id) => this.tokenOf(id),
    );
  }

  async *generate(
    input: string | readonly number[],
    options: GenerateOptions = {},
  ): AsyncGenerator<GeneratedToken, StopReason> {
    const { ids, sourceIds } = this.promptOf(input, {});
    const { maxTokens = defaultMaxTokens } = options;
    checkMaxTokens(maxTokens);
    const wanted = ids.length + maxTokens;
    const capacity = Math.max(
      ids.length,
      Math.min(wanted, this.config.context),
    );
    const run = await this.run(
      this.config.encoder === undefined ? ids : sourceIds,
      { record: [], capacity },
    );
    try {
      return yield* run.generate(options);
    } finally {
      run.dispose();
    }
  }

  dispose(): void {
    this.channel.close(
      new AttnscopeError("disposed", "This model was disposed of."),
    );
  }

  [disposeSymbol](): void {
    this.dispose();
  }

  /** Of an encoder-decoder the input is the source, and the text its target. */
  private promptOf(
    input: string | readonly number[],
    { target, tokenTypes = [] }: RunOptions,
  ): Prompt {
    const inputIds = this.idsOf(input);
    list(tokenTypes, "tokenTypes");
    if (this.config.encoder === undefined) {
      if (target !== undefined)
        throw wrong("target", target, "left out: this model has no encoder");
      return { ids: inputIds, sourceIds: [], tokenTypes };
    }
    return { ids: this.targetIds(target), sourceIds: inputIds, tokenTypes };
  }

  private targetIds(target: RunOptions["target"]): number[] {
    if (target !== undefined && typeof target !== "string")
      return this.idsOf(target);
    const labels =
      target === undefined ? [] : this.neededTokenizer().encodeTarget(target);
    return this.shiftRight(labels);
  }

  /**
   * What a decoder reads so that it predicts these ids: they stand one place
   * later, behind the start tokens. Where the settings name none (mBART), the
   * text starts with the language's token that its ids end with.
   */
  private shiftRight(labels: readonly number[]): number[] {
    const { endTokens, startTokens } = this.config;
    const last = labels.at(-1);
    const language =
      startTokens.length === 0 &&
      last !== undefined &&
      this.tokenOf(last).special
        ? [last]
        : [];
    const start = [...startTokens, ...language];
    if (start.length === 0) {
      throw new AttnscopeError(
        "invalid-argument",
        "config.json names no token that a target begins with; give the target as token ids.",
      );
    }
    let end = labels.length - language.length;
    while (end > 0 && endTokens.includes(labels[end - 1] ?? NaN)) --end;
    const text = labels.slice(0, end);
    // A start token that the settings force may be the text's own first.
    const doubled = start.length > 1 && text[0] === start.at(-1);
    return [...start, ...(doubled ? text.slice(1) : text)];
  }

  private idsOf(input: string | Iterable<number>): number[] {
    if (typeof input !== "string") {
      // JavaScript may give anything.
      if (
        typeof (input as Partial<Iterable<number>> | undefined)?.[
          Symbol.iterator
        ] !== "function"
      )
        throw wrong("the input of a run", input, "a text or token ids");
      return [...input];
    }
    const tokenizer = this.neededTokenizer();
    const { context } = this.config;
    if (tokenizer.surelyExceeds(input, context)) {
      throw new AttnscopeError(
        "capacity-reached",
        `The text is ${input.length} characters long, the model's context holds ${context} tokens.`,
      );
    }
    return tokenizer.encode(input);
  }

  private tokenOf(id: number): Token {
    return this.tokenizer?.token(id) ?? plainToken(id);
  }

  private neededTokenizer(): Tokenizer {
    if (this.tokenizer === undefined) {
      throw new AttnscopeError(
        "tokenizer-missing",
        "This checkpoint has no tokenizer.json; give token ids instead of a text.",
      );
    }
    return this.tokenizer;
  }
}

interface RunFacts {
  readonly config: ModelConfig;
  readonly capacity: number;
  readonly milliseconds: number;
  readonly sourceTokens: readonly Token[];
}

class ModelRun implements Run {
  readonly config: ModelConfig;
  readonly promptLength: number;
  readonly capacity: number;
  readonly milliseconds: number;
  readonly sourceTokens: readonly Token[];
  private readonly channel: Channel;
  private readonly run: number;
  private readonly tokenOf: (id: number) => Token;
  private known: readonly Token[];
  private disposed = false;

  constructor(
    channel: Channel,
    run: number,
    facts: RunFacts,
    tokens: readonly Token[],
    tokenOf: (id: number) => Token,
  ) {
    this.channel = channel;
    this.run = run;
    this.config = facts.config;
    this.capacity = facts.capacity;
    this.milliseconds = facts.milliseconds;
    this.sourceTokens = facts.sourceTokens;
    this.known = tokens;
    this.promptLength = tokens.length;
    this.tokenOf = tokenOf;
  }

  get tokens(): readonly Token[] {
    return this.known;
  }

  weights(
    layer: number,
    head: number,
    attention?: AttentionPart,
  ): Promise<Tensor> {
    return this.cells("hook_pattern", layer, head, attention);
  }

  scores(
    layer: number,
    head: number,
    attention?: AttentionPart,
  ): Promise<Tensor> {
    return this.cells("hook_scores", layer, head, attention);
  }

  maskedScores(
    layer: number,
    head: number,
    attention?: AttentionPart,
  ): Promise<Tensor> {
    return this.cells("hook_attn_scores", layer, head, attention);
  }

  mask(
    layer: number,
    head: number,
    attention: AttentionPart = "self",
  ): Promise<MaskTensor> {
    return this.channel.send({
      kind: "mask",
      run: this.run,
      attention,
      layer,
      head,
    });
  }

  tensor(name: string): Promise<Tensor> {
    return this.channel.send({ kind: "tensor", run: this.run, name });
  }

  logits(): Promise<Tensor> {
    return this.channel.send({ kind: "logits", run: this.run });
  }

  logitLens(name: string, position?: number): Promise<Tensor> {
    return this.channel.send({
      kind: "logit-lens",
      run: this.run,
      name,
      position,
    });
  }

  async nextTokens(
    count: number,
    position?: number,
  ): Promise<readonly NextToken[]> {
    const ranked = await this.channel.send({
      kind: "next-tokens",
      run: this.run,
      count,
      position,
    });
    return ranked.map(({ id, logit, probability }) => ({
      ...this.tokenOf(id),
      logit,
      probability,
    }));
  }

  async *generate(
    options: GenerateOptions = {},
  ): AsyncGenerator<GeneratedToken, StopReason> {
    const {
      maxTokens = defaultMaxTokens,
      stopAtEnd = true,
      signal,
      ...sampling
    } = options;
    checkMaxTokens(maxTokens);
    const { architecture, modelType } = this.config;
    if (architecture === "encoder") {
      throw new AttnscopeError(
        "invalid-argument",
        `A ${modelType} model reads a whole text and does not continue it.`,
      );
    }
    const { temperature, topK, topP, seed } = sampling;
    const sampler = await this.channel.send({
      kind: "begin-sampling",
      options: definedOnly({ temperature, topK, topP, seed }),
    });
    try {
      const joiner = new TextJoiner();
      for (const token of this.known) joiner.push(token.bytes);
      for (let count = 0; count < maxTokens; ++count) {
        if (signal?.aborted) return "cancelled";
        if (this.known.length >= this.capacity) return "capacity";
        const step = await this.channel.send({
          kind: "step",
          run: this.run,
          sampler,
          endTokens: stopAtEnd ? this.config.endTokens : [],
        });
        if (!step.appended) return "end-token";
        const token = this.tokenOf(step.id);
        this.known = [...this.known, token];
        yield {
          ...token,
          position: this.known.length - 1,
          probability: step.probability,
          newText: joiner.push(token.bytes),
          milliseconds: step.milliseconds,
        };
      }
      return "max-tokens";
    } finally {
      // The engine may be gone by now, and the sampler with it.
      this.channel
        .send({ kind: "end-sampling", sampler })
        .catch(() => undefined);
    }
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.channel
      .send({ kind: "dispose-run", run: this.run })
      .catch(() => undefined);
  }

  [disposeSymbol](): void {
    this.dispose();
  }

  private cells(
    hook: CellHook,
    layer: number,
    head: number,
    attention: AttentionPart = "self",
  ): Promise<Tensor> {
    return this.channel.send({
      kind: "cells",
      run: this.run,
      hook,
      attention,
      layer,
      head,
    });
  }
}

/** Infinity means: until the capacity or an end token. */
function checkMaxTokens(value: number): void {
  if (value !== Infinity) whole(value, "maxTokens", 0, Number.MAX_SAFE_INTEGER);
}

/** Without the keys whose value is undefined. */
function definedOnly<T extends object>(
  object: T,
): { [K in keyof T]: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as { [K in keyof T]: NonNullable<T[K]> };
}
