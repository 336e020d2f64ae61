// What the page reads of a head from a run: all its numbers for the large
// picture, few for a thumbnail, and which head to show first.
// Read next: way-tensors.ts, engine.ts.

import type { Model, Run } from "attnscope";
import { reduceMatrix, type Matrix } from "../pictures/matrix.js";
import type { HeadId, Pattern } from "./state.js";
import { suggest, type HeadWeights, type Suggestion } from "./suggest.js";

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
    run.scores(id.layer, id.head),
    run.maskedScores(id.layer, id.head),
    run.weights(id.layer, id.head),
    run.mask(id.layer, id.head),
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
    run.weights(id.layer, id.head),
    run.mask(id.layer, id.head),
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
  const { numLayers, numQueryHeads } = model.config;
  const length = run.tokens.length;
  const heads: HeadWeights[] = [];
  if (numLayers * numQueryHeads * length * length <= suggestionLimit) {
    for (let layer = 0; layer < numLayers; layer++) {
      for (let head = 0; head < numQueryHeads; head++) {
        const { data } = await run.weights(layer, head);
        heads.push({ id: { layer, head }, weights: data });
      }
    }
  }
  return (
    suggest(
      heads,
      run.tokens.map((token) => token.id),
      next,
    ) ?? {
      id: { layer: numLayers >> 1, head: 0 },
      query: length - 1,
    }
  );
}
