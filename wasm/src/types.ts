// The public vocabulary of the package: what goes in and what comes out.
// No code here. Read next: index.ts.

/** One build of the engine; `relaxed` needs relaxed SIMD, `simd128` fixed SIMD. */
export type Variant = "relaxed" | "simd128" | "scalar";

/** Which build runs and why, for people to see. */
export interface VariantReport {
  readonly variant: Variant;
  /** Name of the kernel table inside the module. */
  readonly kernels: string;
  /** Why a faster variant does not run, in words; empty when the fastest runs. */
  readonly reasons: readonly string[];
}

/**
 * How the engine keeps a model's matrices: 4, 2, 2 or 1 bytes a number. All
 * arithmetic is float32. `bfloat16` and `float16` are exact for checkpoints of
 * that type; `int8` rounds to 255 steps, with a scale for each output, and
 * changes the result of every checkpoint: `compareRuns` tells how much.
 */
export type StorageKind = "float32" | "bfloat16" | "float16" | "int8";

/** Progress of a load. `total` is undefined when the server does not say. */
export interface LoadProgress {
  readonly stage: "module" | "config" | "tokenizer" | "weights" | "ready";
  readonly loaded: number; // bytes
  readonly total: number | undefined; // bytes
}

export interface LoadOptions {
  /** Default: the fastest that works here. */
  readonly variant?: Variant;
  /** Run in a worker (default where there are workers) or on the calling thread. */
  readonly worker?: boolean;
  readonly onProgress?: (progress: LoadProgress) => void;
  readonly signal?: AbortSignal;
  /**
   * How matrices are kept; default float32. Norms, biases and positions are
   * float32 always.
   */
  readonly storage?: StorageKind;
  /** Most bytes that the model and one run of it may take together; default: the engine's 4 GB. */
  readonly memoryLimit?: number;
  /** Folder of the .mjs and .wasm files; default: beside this package's code. */
  readonly moduleBase?: string | URL;
  /** Where the hub's repositories are; default: https://huggingface.co. */
  readonly hubBase?: string | URL;
  /**
   * Keep downloaded files in the browser's cache, whole or in part (default),
   * and take them from there while the server has the same: it is asked each
   * time, and need not answer. Files without ETag and date are not kept, files
   * of a disk neither; see also clearCheckpointCache.
   */
  readonly cache?: boolean;
  /**
   * Longest silence of a server, in milliseconds (default 30 000); then it is
   * asked again for what is missing. How long a load takes does not matter.
   */
  readonly stallTimeout?: number;
}

/** A repository of the hub: files at BASE/OWNER/NAME/resolve/REVISION/FILE. */
export interface HubSource {
  /** As 'openai-community/gpt2'. */
  readonly hub: string;
  /** Branch, tag or commit; default: main. */
  readonly revision?: string;
}

/**
 * A checkpoint folder: its URL, a repository of the hub, or its files by name
 * (dropped on the page or read from a disk; with their folders, if they come
 * with them). Needed: config.json and model.safetensors, or in its place
 * model.safetensors.index.json and the files that it names; tokenizer.json (and
 * tokenizer_config.json where there is one) for text.
 */
export type CheckpointSource =
  string | URL | HubSource | ReadonlyMap<string, Blob>;

/**
 * Which of a model's attentions: of the text on itself, of an encoder-decoder's
 * encoder on the source, or of the text on the source.
 */
export type AttentionPart = "self" | "encoder" | "cross";

/** A model's settings, as the engine read them from config.json. */
export interface ModelConfig {
  readonly modelType: string;
  /** An encoder reads a whole text and does not continue it. */
  readonly architecture: "decoder" | "encoder" | "encoder-decoder";
  /** Of an encoder-decoder; what stands below is then of its decoder. */
  readonly encoder?: {
    readonly numLayers: number;
    readonly numHeads: number;
    readonly headDim: number;
    readonly mlpDim: number;
  };
  readonly vocabularySize: number;
  readonly modelDim: number;
  readonly numLayers: number;
  readonly numQueryHeads: number;
  readonly numKvHeads: number;
  readonly headDim: number;
  readonly mlpDim: number;
  readonly context: number;
  readonly norm: "layer-norm" | "rms-norm";
  /** Whether norms stand before attention and MLP or after each is added. */
  readonly normPlace: "before" | "after";
  readonly position: "learned" | "sinusoidal" | "rotary" | "alibi" | "relative";
  /** Kinds of segments that tokens may belong to; 0 for most models. */
  readonly numTokenTypes: number;
  readonly activation: "gelu-erf" | "gelu-tanh" | "silu" | "relu";
  readonly parallelResidual: boolean;
  readonly tiedOutput: boolean;
  readonly attentionScale: number;
  readonly numParameters: number;
  /** False for encoders saved without the layers that predict tokens. */
  readonly hasLogits: boolean;
  /** Tokens that an encoder-decoder's text begins with. */
  readonly startTokens: readonly number[];
  /** Tokens that end a text. */
  readonly endTokens: readonly number[];
}

export interface Token {
  readonly id: number;
  /**
   * The exact bytes it stands for; empty for special tokens. Bytes of a text's
   * tokens, joined, are the text, save where its tokenizer changes it: then they
   * are the changed text (WordPiece in lower case; SentencePiece in one form of
   * each character and with a space before each word, the first too).
   */
  readonly bytes: Uint8Array;
  /** Its text where its bytes are whole characters, else its vocabulary entry. */
  readonly text: string;
  /**
   * Not part of the text: begin, end, mask, language. The unknown token is one
   * as well ([UNK], <unk>): it says that the vocabulary lacks what stood there.
   */
  readonly special: boolean;
}

/** Two texts in one row of tokens, as BERT's family reads them. */
export interface TextPair {
  readonly ids: readonly number[];
  /** Of each id: 0 for the first text, 1 for the second (RoBERTa: always 0). */
  readonly tokenTypes: readonly number[];
}

/** A dense copy, row-major; never a view of the engine's memory. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** Rows are queries, columns keys; 1 where a query may see a key. */
export interface MaskTensor {
  readonly shape: readonly [number, number];
  readonly data: Uint8Array;
}

export type MaskRule =
  | { readonly kind: "none" }
  | { readonly kind: "causal" }
  | { readonly kind: "window"; readonly size: number }
  | { readonly kind: "prefix"; readonly length: number }
  | { readonly kind: "padding"; readonly hidden: readonly boolean[] };

/** The heads that a change touches; a layer or head left out means all. */
export interface Scope {
  /** Default: self. */
  readonly attention?: AttentionPart;
  readonly layer?: number;
  readonly head?: number;
}

export type Intervention = Scope &
  (
    | { readonly kind: "ablateHead"; readonly with: "zero" | "mean" }
    | {
        readonly kind: "maskCell";
        readonly query: number;
        readonly key: number;
        readonly allowed: boolean;
      }
    | { readonly kind: "scale"; readonly scale: number }
    | { readonly kind: "temperature"; readonly temperature: number }
    /** The query's softmax row is this one; keys past its end get 0. */
    | {
        readonly kind: "replaceWeights";
        readonly query: number;
        readonly weights: ArrayLike<number>;
      }
    /** The key's value vector is this one, or the plain run's at position `from`. */
    | {
        readonly kind: "swapValue";
        readonly key: number;
        readonly value?: ArrayLike<number>;
        readonly from?: number;
      }
  );

export interface RunOptions {
  /** A cell is allowed if every rule allows it. Default: causal, for encoders none. */
  readonly mask?: MaskRule | readonly MaskRule[];
  /**
   * Encoder-decoders: the target that the decoder is made to read: ids as they
   * are, or a text, before which the model's start tokens are set. Default: only
   * the start tokens.
   */
  readonly target?: string | readonly number[];
  /** Encoder-decoders: of the source on itself. Its padding is hidden from the text too. */
  readonly sourceMask?: MaskRule | readonly MaskRule[];
  /** Encoder-decoders: of the text on the source. */
  readonly crossMask?: MaskRule | readonly MaskRule[];
  /** The kind of segment of each token (BERT); default: all 0. */
  readonly tokenTypes?: readonly number[];
  readonly interventions?: readonly Intervention[];
  /**
   * Tensors to keep, by name ('blocks.0.attn.hook_q'); default: scores, masked
   * scores and weights of every head. 'all' keeps everything; [] keeps nothing
   * and runs the streaming execution.
   */
  readonly record?: "attention" | "all" | readonly string[];
  /** Room in tokens for prompt and continuation; default: prompt + 256, at most the context. */
  readonly capacity?: number;
  /** Logits of every position instead of the last only; default for encoders. */
  readonly allLogits?: boolean;
}

export interface SampleOptions {
  /** 0 (default) takes the largest logit. */
  readonly temperature?: number;
  /** 0 (default) means all. */
  readonly topK?: number;
  /** Above 0, at most 1 (default). */
  readonly topP?: number;
  readonly seed?: number;
}

export interface GenerateOptions extends SampleOptions {
  /** Most tokens to add; default 50. */
  readonly maxTokens?: number;
  /** Stop at the model's end token (default true). */
  readonly stopAtEnd?: boolean;
  readonly signal?: AbortSignal;
}

export interface GeneratedToken extends Token {
  /** Its position in the text. */
  readonly position: number;
  /** The probability it was drawn with. */
  readonly probability: number;
  /** Text that became whole with this token; '' while a character is incomplete. */
  readonly newText: string;
  /** Milliseconds that the engine took. */
  readonly milliseconds: number;
}

/** Why a generation ended. */
export type StopReason = "max-tokens" | "end-token" | "capacity" | "cancelled";

export interface NextToken extends Token {
  readonly logit: number;
  readonly probability: number;
}

/** One text under way, with its KV cache and recorded tensors. */
export interface Run {
  /** Of the model that ran. */
  readonly config: ModelConfig;
  /** Prompt and what was generated so far; of an encoder-decoder its target. */
  readonly tokens: readonly Token[];
  /** What an encoder-decoder's encoder read; empty for other models. */
  readonly sourceTokens: readonly Token[];
  readonly promptLength: number;
  readonly capacity: number;
  /** Milliseconds of the prefill. */
  readonly milliseconds: number;
  /** Softmax rows of a head, [query, key]; a row sums to 1, or to 0 if nothing is allowed. */
  weights(
    layer: number,
    head: number,
    attention?: AttentionPart,
  ): Promise<Tensor>;
  /** Products of query and key before scale and mask, [query, key]. */
  scores(
    layer: number,
    head: number,
    attention?: AttentionPart,
  ): Promise<Tensor>;
  /** After scale and mask (masked: -Infinity), [query, key]. */
  maskedScores(
    layer: number,
    head: number,
    attention?: AttentionPart,
  ): Promise<Tensor>;
  /** The mask in force for a head. */
  mask(
    layer: number,
    head: number,
    attention?: AttentionPart,
  ): Promise<MaskTensor>;
  /** Any recorded tensor by name. */
  tensor(name: string): Promise<Tensor>;
  /** [rows, vocabulary] of the last call: 1 row, or all with `allLogits` right after the prefill. */
  logits(): Promise<Tensor>;
  /**
   * The most probable next tokens. At a position that has logits (allLogits),
   * what the model predicts there: of an encoder the token that stands at it.
   */
  nextTokens(count: number, position?: number): Promise<readonly NextToken[]>;
  /**
   * The logit lens: what a recorded residual ('blocks.0.hook_resid_post') would
   * predict if it left the last block, [rows, vocabulary]; rows are all
   * positions, or the one that is asked for.
   */
  logitLens(name: string, position?: number): Promise<Tensor>;
  /** Generates on, one token a pull; the run grows with it. */
  generate(
    options?: GenerateOptions,
  ): AsyncGenerator<GeneratedToken, StopReason>;
  /** Frees the cache and the recorded tensors; calls after it are refused. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** A number in two runs, and how far it moved. */
export interface Change {
  readonly from: number;
  readonly to: number;
  /** |to - from|; Infinity where one is NaN and the other is not. */
  readonly change: number;
}

export interface WeightChange extends Change {
  readonly attention: AttentionPart;
  readonly layer: number;
  readonly head: number;
  readonly query: number;
  readonly key: number;
}

export interface LogitChange extends Change {
  /** Of the token whose successor the logit is about. */
  readonly position: number;
  /** The id that the logit is of. */
  readonly token: number;
}

/** The largest changes between two runs, as `compareRuns` finds them. */
export interface RunComparison {
  readonly weight: WeightChange;
  /** Undefined for models without logits. */
  readonly logit: LogitChange | undefined;
}

/** A loaded checkpoint. */
export interface Model {
  readonly config: ModelConfig;
  readonly storage: StorageKind;
  /** Bytes that the model's numbers take in the engine's memory. */
  readonly storedBytes: number;
  readonly variant: VariantReport;
  /** Every tensor that a run can record, in the order of the computation. */
  readonly tensorNames: readonly string[];
  /** False when the folder has no tokenizer.json: then runs take ids. */
  readonly hasTokenizer: boolean;
  /** The id of [MASK] or <mask>, where the tokenizer has one. */
  readonly maskTokenId?: number | undefined;
  /** Ids of a text, with the special tokens that the tokenizer adds. */
  tokenize(text: string): readonly Token[];
  /** Two texts in one row, where the tokenizer provides for it. */
  tokenizePair(first: string, second: string): TextPair;
  /**
   * Ids of a text for an encoder-decoder's decoder, with the end token, and the
   * target language's where tokenizer_config.json names `src_lang` and `tgt_lang`.
   */
  tokenizeTarget(text: string): readonly Token[];
  /** The tokens of ids, for display. */
  tokensOf(ids: readonly number[]): readonly Token[];
  /** Text of ids, special tokens left out. */
  decode(ids: readonly number[]): string;
  /** Runs a text (or ids) and records what the options ask for. */
  run(input: string | readonly number[], options?: RunOptions): Promise<Run>;
  /** Shorthand: run without recording, then generate. */
  generate(
    input: string | readonly number[],
    options?: GenerateOptions,
  ): AsyncGenerator<GeneratedToken, StopReason>;
  /** Frees everything, runs included. */
  dispose(): void;
  [Symbol.dispose](): void;
}
