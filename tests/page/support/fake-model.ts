// A stand-in for the package in tests of the engine service: its numbers mean
// nothing, but every step waits until the test lets it go, so that orders of
// events can be played through. Never part of the page.

import type {
  GeneratedToken,
  GenerateOptions,
  LoadOptions,
  MaskTensor,
  Model,
  ModelConfig,
  Run,
  RunOptions,
  StopReason,
  Tensor,
  Token,
} from "attnscope";

export const config = {
  modelType: "llama",
  vocabularySize: 256,
  modelDim: 8,
  numLayers: 2,
  numQueryHeads: 2,
  numKvHeads: 2,
  headDim: 4,
  mlpDim: 16,
  context: 64,
  attentionScale: 0.5,
  position: "rotary",
} as ModelConfig;

export const token = (text: string): Token => ({
  id: text.charCodeAt(0),
  bytes: new TextEncoder().encode(text),
  text,
  special: false,
});

/** A promise that a test settles. */
export class Gate {
  readonly #waiting: (() => void)[] = [];
  open = true;

  async pass(): Promise<void> {
    if (!this.open) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  get waiting(): number {
    return this.#waiting.length;
  }
}

export class FakeRun implements Run {
  readonly config = config;
  readonly tokens: Token[];
  readonly sourceTokens: readonly Token[] = [];
  readonly promptLength: number;
  readonly capacity = 64;
  readonly milliseconds = 1;
  disposed = false;
  patternsRead = 0;

  constructor(
    readonly text: string,
    readonly options: RunOptions,
    readonly stepGate: Gate,
  ) {
    this.tokens = [...text].map(token);
    this.promptLength = this.tokens.length;
  }

  #tensor(value: number): Tensor {
    if (this.disposed) throw new Error("disposed");
    const size = this.tokens.length;
    return {
      shape: [size, size],
      data: new Float32Array(size * size).fill(value),
    };
  }

  async weights(layer: number, head: number): Promise<Tensor> {
    this.patternsRead += 1;
    return this.#tensor((1 + layer * 2 + head) / 8);
  }
  async scores(): Promise<Tensor> {
    return this.#tensor(1);
  }
  async maskedScores(): Promise<Tensor> {
    return this.#tensor(0.5);
  }
  async mask(): Promise<MaskTensor> {
    const size = this.tokens.length;
    return {
      shape: [size, size],
      data: new Uint8Array(size * size).fill(1),
    };
  }
  async tensor(): Promise<Tensor> {
    return this.#tensor(0);
  }
  async logitLens(): Promise<Tensor> {
    return this.#tensor(0);
  }
  async logits(): Promise<Tensor> {
    return this.#tensor(0);
  }
  async nextTokens() {
    return [{ ...token("z"), logit: 0, probability: 1 }];
  }

  async *generate(
    options: GenerateOptions = {},
  ): AsyncGenerator<GeneratedToken, StopReason> {
    for (let i = 0; i < (options.maxTokens ?? 50); i++) {
      await this.stepGate.pass();
      if (options.signal?.aborted) return "cancelled";
      this.tokens.push(token("z"));
      yield {
        ...token("z"),
        position: this.tokens.length - 1,
        probability: 1,
        newText: "z",
        milliseconds: 1,
      };
    }
    return "max-tokens";
  }

  dispose(): void {
    this.disposed = true;
  }
  [Symbol.dispose](): void {
    this.dispose();
  }
}

export class FakeModel implements Model {
  readonly config = config;
  readonly storage = "float32";
  readonly storedBytes = 0;
  readonly variant = {
    variant: "scalar",
    kernels: "fake",
    reasons: [],
  } as const;
  readonly hasTokenizer = true;
  readonly runs: FakeRun[] = [];
  readonly runGate = new Gate();
  readonly stepGate = new Gate();
  disposed = false;
  fail: Error | undefined;

  readonly tensorNames = [];
  tokenize(text: string) {
    return [...text].map(token);
  }
  tokenizeTarget(text: string) {
    return this.tokenize(text);
  }
  tokenizePair(first: string, second: string) {
    const ids = this.tokenize(first + second).map(({ id }) => id);
    return { ids, tokenTypes: ids.map((_, index) => +(index >= first.length)) };
  }
  tokensOf(ids: readonly number[]) {
    return ids.map((id) => token(String.fromCharCode(id)));
  }
  decode(ids: readonly number[]) {
    return String.fromCharCode(...ids);
  }
  async run(input: string | readonly number[], options: RunOptions = {}) {
    const run = new FakeRun(String(input), options, this.stepGate);
    this.runs.push(run);
    await this.runGate.pass();
    if (this.fail) throw this.fail;
    return run;
  }
  // eslint-disable-next-line require-yield
  async *generate(): AsyncGenerator<GeneratedToken, StopReason> {
    throw new Error("the page generates from a run");
  }
  dispose(): void {
    this.disposed = true;
  }
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** A loader whose loads a test ends one by one. */
export class FakeLoader {
  readonly loads: {
    readonly options: LoadOptions;
    resolve(model: Model): void;
    reject(error: Error): void;
  }[] = [];

  readonly load = (_source: unknown, options: LoadOptions) =>
    new Promise<Model>((resolve, reject) => {
      this.loads.push({ options, resolve, reject });
      options.signal?.addEventListener("abort", () =>
        reject(Object.assign(new Error("cancelled"), { code: "aborted" })),
      );
    });
}
