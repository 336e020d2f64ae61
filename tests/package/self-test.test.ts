// The start-up self-test: its expected numbers are those of the plain
// implementation, and a module that computes wrongly is found out.
import { describe, expect, it } from "vitest";

import {
  expectedLogits,
  expectedWeights,
  selfTestConfig,
  selfTestIds,
  selfTestTensors,
  selfTestWeight,
} from "../../wasm/src/self-test.js";
import { plainLlama } from "./support/plain-llama.js";

describe("the start-up self-test", () => {
  it("expects what a plain implementation computes", () => {
    const tensors = new Map<string, readonly number[]>();
    let index = 0;
    for (const [name, shape] of selfTestTensors) {
      const size = shape.reduce((product, length) => product * length, 1);
      tensors.set(
        name,
        Array.from({ length: size }, () => selfTestWeight(index++)),
      );
    }
    const { logits, weights } = plainLlama(
      selfTestConfig,
      tensors,
      selfTestIds,
    );
    const row = weights.at(-1)!;
    expect(expectedLogits).toHaveLength(logits.length);
    expect(expectedWeights).toHaveLength(row.length);
    logits.forEach((logit, i) => {
      expect(expectedLogits[i]).toBeCloseTo(logit, 5);
    });
    row.forEach((weight, i) => {
      expect(expectedWeights[i]).toBeCloseTo(weight, 5);
    });
  });
});
