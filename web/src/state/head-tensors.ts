// What the page reads of a head from a run: all its numbers for the large
// picture, few for a thumbnail, and which head and row to show first.
// Read next: way-tensors.ts, engine.ts.

import type { Model, Run, Token } from "attnscope";
import { reduceMatrix, type Matrix } from "../pictures/matrix.js";
import { headsOf, keyTokens, partsOf, queryTokens } from "./parts.js";
import type { HeadId, Pattern } from "./state.js";
import {
  content,
  earlierContent,
  suggestHead,
  type HeadWeights,
  type Suggestion,
} from "./suggest.js";

/** Rows and columns of a thumbnail's numbers; enough for its size on the page. */
const thumbnailSize = 112;
/** Largest number of heads x cells that is looked through for a suggestion. */
const suggestionLimit = 1 << 20;

/** Scores, mask and weights, all of one moment. */
export async function readPattern(
  run: Run,
  runId: number,
  id: HeadId,
): Promise<Pattern> {
  const [scores, maskedScores, weights, mask] = await Promise.all([
    run.scores(id.layer, id.head, id.attention),
    run.maskedScores(id.layer, id.head, id.attention),
    run.weights(id.layer, id.head, id.attention),
    run.mask(id.layer, id.head, id.attention),
  ]);
  return {
    runId,
    id,
    rows: weights.shape[0]!,
    cols: weights.shape[1]!,
    scores: scores.data,
    maskedScores: maskedScores.data,
    weights: weights.data,
    allowed: mask.data,
  };
}

export async function readThumbnail(run: Run, id: HeadId): Promise<Matrix> {
  const [weights, mask] = await Promise.all([
    run.weights(id.layer, id.head, id.attention),
    run.mask(id.layer, id.head, id.attention),
  ]);
  return reduceMatrix(
    {
      rows: weights.shape[0]!,
      cols: weights.shape[1]!,
      values: weights.data,
      allowed: mask.data,
    },
    thumbnailSize,
  );
}

/** A head and a row to show where the reader has chosen none. */
export async function suggestFor(
  run: Run,
  model: Model,
  next: number | undefined,
): Promise<Suggestion> {
  const attention = partsOf(model.config).at(-1)!;
  const { numLayers, numHeads } = headsOf(model.config, attention);
  const queries = queryTokens(run, attention);
  const keys = keyTokens(run, attention);
  const query =
    model.config.architecture === "encoder"
      ? (maskPosition(run.tokens, model.maskTokenId) ?? queries.length >> 1)
      : queries.length - 1;
  const heads: HeadWeights[] = [];
  if (numLayers * numHeads * queries.length * keys.length <= suggestionLimit) {
    for (let layer = 0; layer < numLayers; layer++) {
      for (let head = 0; head < numHeads; head++) {
        const { data } = await run.weights(layer, head, attention);
        const row = data.subarray(
          query * keys.length,
          (query + 1) * keys.length,
        );
        heads.push({ id: { attention, layer, head }, row });
      }
    }
  }
  const id = suggestHead(
    heads,
    model.config.architecture === "decoder"
      ? earlierContent(
          run.tokens.map((token) => token.id),
          next,
        )
      : content(keys, attention === "cross" ? undefined : query),
  );
  return {
    id: id ?? { attention, layer: numLayers >> 1, head: 0 },
    query,
  };
}

/** Where a text has a token to fill in. */
export function maskPosition(
  tokens: readonly Token[],
  maskTokenId: number | undefined,
): number | undefined {
  const at = tokens.findIndex((token) => token.id === maskTokenId);
  return at < 0 ? undefined : at;
}
