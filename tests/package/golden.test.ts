// Whole models through the package, on every variant that runs here, against
// what an independent implementation (PyTorch and transformers) computed:
// logits, every attention, and greedy continuations with the cache.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { AttentionPart, Model, Run } from "attnscope";

import {
  golden,
  largestDifference,
  readJson,
  readSafetensors,
  sharedFolder,
  tales,
} from "./support/files.js";
import {
  continuationsOf,
  Golden,
  optionsFor,
  withoutPadding,
  type Continuation,
  type GoldenText,
} from "./support/golden.js";
import { drain, load, variants } from "./support/models.js";

const logitTolerance = 1e-3;
const stateTolerance = 1e-3;
const weightTolerance = 1e-5;

async function checkWeights(
  run: Run,
  part: AttentionPart,
  kind: string,
  expected: Golden,
  row: number,
  numHeads: number,
): Promise<void> {
  const [text, source] = [run.tokens.length, run.sourceTokens.length];
  const sizes = {
    self: [text, text],
    encoder: [source, source],
    cross: [text, source],
  } as const;
  const layers = expected.layers(kind);
  expect(layers).toBeGreaterThan(0);
  for (let layer = 0; layer < layers; ++layer) {
    for (let head = 0; head < numHeads; ++head) {
      const { shape, data } = await run.weights(layer, head, part);
      expect(shape).toEqual(sizes[part]);
      const right = expected.cells(`${kind}.${layer}`, row, head, sizes[part]);
      expect(
        largestDifference(data, right),
        `${kind}.${layer}, head ${head}`,
      ).toBeLessThan(weightTolerance);
    }
  }
}

/** The residual that enters each block, which the reference calls hidden states. */
async function checkStates(
  run: Run,
  stack: string,
  kind: string,
  expected: Golden,
  row: number,
): Promise<void> {
  // The last is what leaves the stack.
  for (let layer = 0; layer + 1 < expected.layers(kind); ++layer) {
    const name = `${stack}.${layer}.hook_resid_pre`;
    const { shape, data } = await run.tensor(name);
    const right = expected.rows(`${kind}.${layer}`, row, shape[0]!);
    expect(largestDifference(data, right), name).toBeLessThan(stateTolerance);
  }
}

/** Every number of a text's run; as far as the run goes, without its padding. */
async function checkText(
  model: Model,
  text: GoldenText,
  expected: Golden,
  row: number,
): Promise<void> {
  const { config } = model;
  const options = optionsFor(text, config);
  using run = await model.run(text.input, {
    ...options,
    allLogits: true,
    record: "all",
  });
  const length = run.tokens.length;
  const logits = await run.logits();
  expect(logits.shape).toEqual([length, config.vocabularySize]);
  expect(
    largestDifference(logits.data, expected.rows("logits", row, length)),
  ).toBeLessThan(logitTolerance);
  const weights = (part: AttentionPart, kind: string, heads: number) =>
    checkWeights(run, part, kind, expected, row, heads);
  const states = (stack: string, kind: string) =>
    checkStates(run, stack, kind, expected, row);
  if (config.encoder === undefined) {
    await weights("self", "attentions", config.numQueryHeads);
    await states("blocks", "hidden_states");
    return;
  }
  await weights("encoder", "encoder_attentions", config.encoder.numHeads);
  await weights("self", "decoder_attentions", config.numQueryHeads);
  await weights("cross", "cross_attentions", config.numQueryHeads);
  await states("encoder", "encoder_hidden_states");
  await states("decoder", "decoder_hidden_states");
}

/** Generates with the cache. */
async function checkContinuation(
  model: Model,
  { start, whole }: Continuation,
): Promise<void> {
  const from = start.target ?? start.input;
  const count = whole.length - from.length;
  expect(count).toBeGreaterThan(0);
  using run = await model.run(start.input, {
    ...optionsFor(start, model.config),
    record: [],
    capacity: whole.length,
  });
  const { tokens } = await drain(
    run.generate({ maxTokens: count, stopAtEnd: false }),
  );
  expect([...from, ...tokens.map(({ id }) => id)]).toEqual(whole);
}

async function greedy(model: Model, prompt: readonly number[], count: number) {
  const generation = model.generate(prompt, {
    maxTokens: count,
    stopAtEnd: false,
  });
  const { tokens } = await drain(generation);
  return [...prompt, ...tokens.map(({ id }) => id)];
}

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

const shared = sharedFolder("golden");
const families = [
  ...["gpt2", "gpt_neo", "gpt_neox_parallel", "gpt_neox_sequential", "opt"],
  ...["bloom", "llama_gqa", "llama_tied_bf16", "llama_linear", "llama_llama3"],
  ...["llama_yarn", "mistral", "qwen2", "qwen3", "gemma3_text"],
  ...["bert", "distilbert", "roberta"],
  ...["t5", "t5_gated", "marian", "bart", "mbart", "m2m100"],
].map((name) => join(golden, name));
const sharedFamilies = shared
  ? [
      ...["gpt2", "gpt_neo", "gpt_neox", "opt", "bloom_alibi", "llama_gqa"],
      ...["llama31_rope", "mistral_swa", "qwen2_gqa", "qwen2_swa"],
      ...["qwen3_gqa", "gemma3_text"],
      ...["bert_mlm", "distilbert_mlm", "roberta_mlm"],
      ...["t5", "t5_gated", "t5_v11_untied", "marian", "bart", "mbart"],
      "m2m100",
    ].map((name) => join(shared, name))
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

    it("computes the reference's numbers, of padded texts also without their padding", async () => {
      const expected = new Golden(folder);
      for (const [row, text] of expected.texts.entries()) {
        await checkText(model, text, expected, row);
        if (text.hidden?.includes(true)) {
          const alone = withoutPadding(text);
          await checkText(model, alone, expected, row);
        }
      }
    });

    const continuations = continuationsOf(folder);
    it.skipIf(continuations.length === 0)(
      "continues as the reference does",
      async () => {
        for (const continuation of continuations) {
          await checkContinuation(model, continuation);
        }
      },
    );
  });

  describe("the bundled model", () => {
    it("computes the reference's logits and attentions", async () => {
      using model = await load(tales, { variant });
      const tensors = readSafetensors(join(golden, "tales/golden.safetensors"));
      for (let text = 0; tensors.has(`${text}.input_ids`); ++text) {
        const get = (name: string) => tensors.get(`${text}.${name}`)?.data;
        const attentions = [];
        for (let layer = 0; get(`attentions.${layer}`); ++layer) {
          attentions.push(get(`attentions.${layer}`)!);
        }
        await checkCase(model, {
          ids: get("input_ids")!,
          logits: get("logits")!,
          attentions,
        });
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
