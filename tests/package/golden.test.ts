// Whole models through the package, on every variant that runs here, against
// what an independent implementation (PyTorch and transformers) computed:
// logits, every attention, and greedy continuations with the cache.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Model } from "attnscope";

import {
  golden,
  largestDifference,
  readJson,
  readSafetensors,
  sharedFolder,
  tales,
  type StoredTensor,
} from "./support/files.js";
import { drain, load, variants } from "./support/models.js";

const logitTolerance = 1e-3;
const weightTolerance = 1e-5;

/** One text and what is right for it. */
interface Case {
  readonly ids: readonly number[];
  readonly logits: readonly number[];
  /** [layer], each [head, query, key]. */
  readonly attentions: readonly (readonly number[])[];
}

async function checkCase(model: Model, expected: Case): Promise<void> {
  const { ids } = expected;
  const run = await model.run(ids, { allLogits: true });
  const logits = await run.logits();
  expect(logits.shape).toEqual([ids.length, model.config.vocabularySize]);
  expect(largestDifference(logits.data, expected.logits)).toBeLessThan(
    logitTolerance,
  );
  expect(expected.attentions).toHaveLength(model.config.numLayers);
  const cells = ids.length ** 2;
  for (const [layer, attention] of expected.attentions.entries()) {
    for (let head = 0; head < model.config.numQueryHeads; ++head) {
      const { shape, data } = await run.weights(layer, head);
      expect(shape).toEqual([ids.length, ids.length]);
      const right = attention.slice(head * cells, (head + 1) * cells);
      expect(largestDifference(data, right)).toBeLessThan(weightTolerance);
    }
  }
  run.dispose();
}

async function greedy(model: Model, prompt: readonly number[], count: number) {
  const generation = model.generate(prompt, {
    maxTokens: count,
    stopAtEnd: false,
  });
  const { tokens } = await drain(generation);
  return [...prompt, ...tokens.map(({ id }) => id)];
}

/** The tensors whose names start with a prefix, as a case. */
function caseOf(tensors: Map<string, StoredTensor>, prefix: string): Case {
  const get = (name: string) => tensors.get(prefix + name)?.data;
  const attentions = [];
  for (let layer = 0; get(`attentions.${layer}`); ++layer) {
    attentions.push(get(`attentions.${layer}`)!);
  }
  return { ids: get("input_ids")!, logits: get("logits")!, attentions };
}

const shared = sharedFolder("golden");
const families = [
  "gpt2",
  "gpt_neox_parallel",
  "gpt_neox_sequential",
  "llama_gqa",
  "llama_tied_bf16",
].map((name) => join(golden, name));
const sharedFamilies = shared
  ? ["gpt2", "gpt_neox", "llama_gqa"].map((name) => join(shared, name))
  : [];

describe.each(variants)("variant %s", (variant) => {
  describe.each([...families, ...sharedFamilies])("%s", (folder) => {
    let model: Model;
    beforeAll(async () => {
      model = await load(folder, { variant });
    });
    afterAll(() => {
      model.dispose();
    });

    it("runs as that variant", () => {
      expect(model.variant).toMatchObject({ variant, kernels: variant });
    });

    it("computes the reference's logits and attentions", async () => {
      const tensors = readSafetensors(join(folder, "golden.safetensors"));
      await checkCase(model, caseOf(tensors, ""));
    });

    it("continues as the reference does", async () => {
      const path = join(folder, "greedy.json");
      const expected = readJson<{ prompt: number[][]; greedy: number[][] }>(
        path,
      );
      const [prompt, whole] = [expected.prompt[0]!, expected.greedy[0]!];
      const count = whole.length - prompt.length;
      expect(count).toBeGreaterThan(0);
      expect(await greedy(model, prompt, count)).toEqual(whole);
    });
  });

  describe("the bundled model", () => {
    it("computes the reference's logits and attentions", async () => {
      using model = await load(tales, { variant });
      const tensors = readSafetensors(join(golden, "tales/golden.safetensors"));
      for (let text = 0; tensors.has(`${text}.input_ids`); ++text) {
        await checkCase(model, caseOf(tensors, `${text}.`));
      }
      expect(tensors.has("1.input_ids")).toBe(true);
    });
  });

  it("continues the bundled model's stories as the reference does", async () => {
    using model = await load(tales, { variant });
    interface Story {
      readonly prompt: number[];
      readonly greedy: number[];
      readonly text: string;
    }
    const stories = readJson<Story[]>(join(golden, "tales/greedy.json"));
    expect(stories).not.toHaveLength(0);
    for (const { prompt, greedy: whole, text } of stories) {
      expect(model.tokenize(text).map(({ id }) => id)).toEqual(prompt);
      const count = whole.length - prompt.length;
      expect(await greedy(model, prompt, count)).toEqual(whole);
    }
  });

  const stories = sharedFolder("real/stories260k");
  describe.skipIf(!stories)("stories260k, a real trained model", () => {
    interface StoryCase {
      readonly prompt: string;
      readonly input_ids: number[];
      readonly greedy_ids: number[];
      readonly greedy_text: string;
      readonly file: string;
    }
    const reference = join(stories ?? "", "reference");
    const cases = existsSync(reference)
      ? readJson<StoryCase[]>(join(reference, "cases.json"))
      : [];

    it.each(cases)("$prompt", async (expected) => {
      using model = await load(stories!, { variant });
      const ids = model.tokenize(expected.prompt).map(({ id }) => id);
      expect(ids).toEqual(expected.input_ids);

      const tensors = readSafetensors(join(reference, expected.file));
      const { shape, data } = tensors.get("attentions")!;
      const layer = data.length / shape[0]!;
      await checkCase(model, {
        ids,
        logits: tensors.get("logits")!.data,
        attentions: Array.from({ length: shape[0]! }, (_, index) =>
          data.slice(index * layer, (index + 1) * layer),
        ),
      });

      const whole = await greedy(model, ids, 100);
      expect(whole).toEqual(expected.greedy_ids);
      expect(model.decode(whole)).toBe(expected.greedy_text);
    });
  });
});
