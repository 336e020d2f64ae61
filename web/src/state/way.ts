// The way of the data as stations with shapes, for a model and a length. The
// overview of what the page can show; as-way.ts draws it.

import type { ModelConfig } from "attnscope";
import { headsOf, keyTokens, queriesAreSource, queryTokens } from "./parts.js";
import type { HeadId, RunFacts, Stage } from "./state.js";

export interface Symbol {
  readonly text: string;
  /** Colour by meaning. */
  readonly role?: "query" | "key" | "value" | "output" | "residual";
}

export interface Station {
  readonly id: string;
  readonly symbols: readonly Symbol[];
  readonly isWord?: true;
  readonly title: string;
  readonly shape: string;
  /** Tiny pictures of state.way. */
  readonly pictures?: readonly string[];
  /** The stage that the large picture shows for it. */
  readonly stage?: Stage;
}

export function stations(
  config: ModelConfig,
  run: Pick<RunFacts, "tokens" | "sourceTokens">,
  { attention, layer }: Pick<HeadId, "attention" | "layer">,
): readonly Station[] {
  const { modelDim } = config;
  const { numLayers, numHeads } = headsOf(config, attention);
  const inEncoder = attention === "encoder";
  const headDim = inEncoder ? config.encoder!.headDim : config.headDim;
  const numKvHeads = inEncoder ? numHeads : config.numKvHeads;
  const length = queryTokens(run, attention).length;
  const keys = keyTokens(run, attention).length;
  const shape = (...sizes: number[]) => sizes.join("×");
  const cells = shape(numHeads, length, keys);
  const stream = shape(length, modelDim);
  const heads =
    numKvHeads === numHeads && keys === length
      ? shape(numHeads, length, headDim)
      : `${shape(numHeads, length, headDim)}, ${shape(numKvHeads, keys, headDim)}`;
  const isCross = attention === "cross";
  const position: readonly Station[] = ["rotary", "alibi", "relative"].includes(
    config.position,
  )
    ? [] // they turn queries and keys, or change the scores, instead
    : [
        {
          id: "position",
          symbols: [{ text: "+ P = H", role: "residual" }],
          title: `embeddings plus ${config.position} positions`,
          shape: stream,
        },
      ];
  const before: readonly Station[] =
    layer > 0
      ? [
          {
            id: "before",
            symbols: [{ text: "⋯" }],
            title: "the layers before the chosen one",
            shape: layer === 1 ? "layer 0" : `layers 0–${layer - 1}`,
          },
        ]
      : [];
  const after: readonly Station[] =
    layer + 1 < numLayers
      ? [
          {
            id: "after",
            symbols: [{ text: "⋯" }],
            title: "the layers after the chosen one",
            shape:
              layer + 2 === numLayers
                ? `layer ${numLayers - 1}`
                : `layers ${layer + 1}–${numLayers - 1}`,
          },
        ]
      : [];
  return [
    {
      id: "tokens",
      symbols: [{ text: queriesAreSource(attention) ? "source" : "tokens" }],
      isWord: true,
      title: "token ids",
      shape: String(length),
    },
    {
      id: "embedding",
      symbols: [{ text: "X", role: "residual" }],
      title: "a learned vector for each token",
      shape: stream,
      pictures: ["embedding"],
    },
    ...position,
    ...before,
    {
      id: "projections",
      symbols: [
        { text: "Q", role: "query" },
        { text: " " },
        { text: "K", role: "key" },
        { text: " " },
        { text: "V", role: "value" },
      ],
      title: isCross
        ? "queries of the text, keys and values of the encoder's output"
        : config.position === "rotary"
          ? "queries, keys and values; queries and keys turned by position"
          : "queries, keys and values",
      shape: heads,
      pictures: ["query", "key", "value"],
    },
    {
      id: "scores",
      symbols: [{ text: "S" }],
      title: "every query times every key",
      shape: cells,
      stage: "scores",
    },
    {
      id: "masked",
      symbols: [{ text: "S·c + M" }],
      title: `scores times ${config.attentionScale.toPrecision(3)}, with the mask`,
      shape: cells,
      stage: "masked",
    },
    {
      id: "weights",
      symbols: [{ text: "A" }],
      title: "softmax of each row",
      shape: cells,
      stage: "weights",
    },
    {
      id: "output",
      symbols: [{ text: "O", role: "output" }],
      title: "weights times values, heads joined and projected",
      shape: stream,
      pictures: ["output"],
    },
    {
      id: "residual",
      symbols: [{ text: "residual", role: "residual" }],
      isWord: true,
      title: `the stream after layer ${layer}`,
      shape: stream,
      pictures: ["residual"],
    },
    ...after,
    ...(inEncoder ? [toDecoder(stream)] : predictionStations(config)),
  ];
}

/** Where the encoder's way ends. */
const toDecoder = (shape: string): Station => ({
  id: "encoded",
  symbols: [{ text: "to the decoder", role: "key" }],
  isWord: true,
  title: "what the keys and values of cross-attention are made of",
  shape,
});

function predictionStations(config: ModelConfig): readonly Station[] {
  if (!config.hasLogits) return [];
  const isEncoder = config.architecture === "encoder";
  return [
    {
      id: "logits",
      symbols: [{ text: "logits" }],
      isWord: true,
      title: "one number for each entry of the vocabulary",
      shape: String(config.vocabularySize),
    },
    {
      id: "next",
      symbols: [{ text: isEncoder ? "token" : "next token", role: "output" }],
      isWord: true,
      title: isEncoder
        ? "the most probable token at the chosen position"
        : "the most probable next token",
      shape: "1",
    },
  ];
}
