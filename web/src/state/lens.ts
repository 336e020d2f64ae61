// What the logit lens reads of a run: the most probable tokens after each layer
// at one position. Read next: read-outs.ts.

import type { Model, NextToken, Run } from "attnscope";

const count = 3;

/** [layer][rank] */
export async function readLens(
  run: Run,
  model: Model,
  position: number,
): Promise<readonly (readonly NextToken[])[]> {
  const stack = model.config.encoder ? "decoder" : "blocks";
  const layers: (readonly NextToken[])[] = [];
  for (let layer = 0; layer < model.config.numLayers; layer++) {
    const name = `${stack}.${layer}.hook_resid_post`;
    const { data } = await run.logitLens(name, position);
    layers.push(mostProbable(data, model));
  }
  return layers;
}

function mostProbable(logits: Float32Array, model: Model): NextToken[] {
  let most = -Infinity;
  for (const logit of logits) most = Math.max(most, logit);
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - most);
  const best: number[] = [];
  logits.forEach((logit, id) => {
    const place = best.findIndex((other) => logit > logits[other]!);
    if (place >= 0) best.splice(place, 0, id);
    else if (best.length < count) best.push(id);
    best.length = Math.min(best.length, count);
  });
  return model.tokensOf(best).map((token) => ({
    ...token,
    logit: logits[token.id]!,
    probability: Math.exp(logits[token.id]! - most) / sum,
  }));
}
