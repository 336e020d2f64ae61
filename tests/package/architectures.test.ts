// What encoders and encoder-decoders add to the package: sources and targets,
// three attentions, predictions at a position, the logit lens, and changes to
// any attention.

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { AttentionPart, Intervention, Model, Run } from "attnscope";

import { golden } from "./support/files.js";
import { drain, faultOf, load } from "./support/models.js";

const parts: readonly AttentionPart[] = ["self", "encoder", "cross"];
const source = [5, 9, 20, 33, 7];
const target = [2, 10, 11, 12];

describe("an encoder-decoder", () => {
  let model: Model;
  beforeAll(async () => {
    model = await load(`${golden}/bart`);
  });
  afterAll(() => {
    model.dispose();
  });

  const run = (interventions: readonly Intervention[] = []): Promise<Run> =>
    model.run(source, { target, record: "all", interventions });

  test("says what it is", () => {
    const { architecture, encoder, numLayers, startTokens } = model.config;
    expect(architecture).toBe("encoder-decoder");
    expect(encoder?.numLayers).not.toBe(numLayers);
    expect(startTokens).toHaveLength(1);
    expect(model.tensorNames).toContain("decoder.0.cross_attn.hook_pattern");
    expect(model.tensorNames).toContain("encoder.1.attn.hook_attn_scores");
    expect(model.tensorNames.some((name) => name.startsWith("blocks."))).toBe(
      false,
    );
  });

  test("runs a target on a source", async () => {
    const plain = await run();
    expect(plain.sourceTokens.map(({ id }) => id)).toEqual(source);
    expect(plain.tokens.map(({ id }) => id)).toEqual(target);
    expect((await plain.weights(0, 0)).shape).toEqual([4, 4]);
    expect((await plain.weights(0, 0, "encoder")).shape).toEqual([5, 5]);
    expect((await plain.weights(0, 0, "cross")).shape).toEqual([4, 5]);
    expect((await plain.mask(0, 0, "cross")).shape).toEqual([4, 5]);
    const { data } = await plain.weights(1, 0, "cross");
    for (let row = 0; row < 4; ++row) {
      const cells = data.subarray(row * 5, row * 5 + 5);
      const sum = cells.reduce((total, cell) => total + cell, 0);
      expect(Math.abs(sum - 1)).toBeLessThan(1e-6);
    }
  });

  test("starts with its start tokens and generates on", async () => {
    const started = await model.run(source);
    expect(started.tokens.map(({ id }) => id)).toEqual(
      model.config.startTokens,
    );
    const options = { maxTokens: 4, stopAtEnd: false };
    const { tokens } = await drain(started.generate(options));
    const whole = await drain(model.generate(source, options));
    expect(whole.tokens.map(({ id }) => id)).toEqual(
      tokens.map(({ id }) => id),
    );
    expect((await started.weights(0, 0, "cross")).shape).toEqual([5, 5]);
  });

  test("hides a source's padding from the text too", async () => {
    const padded = await model.run([...source, 1, 1], {
      target,
      sourceMask: {
        kind: "padding",
        hidden: [false, false, false, false, false, true, true],
      },
    });
    const alone = await (await run()).logits();
    const { data } = await padded.weights(0, 1, "cross");
    expect([data[5], data[6]]).toEqual([0, 0]);
    const beside = (await padded.logits()).data;
    alone.data.forEach((logit, index) => {
      expect(Math.abs(logit - (beside[index] ?? NaN))).toBeLessThan(1e-4);
    });
  });

  test.each(parts)(
    "changes the %s attention of one head",
    async (attention) => {
      const plain = await run();
      const scope = { attention, layer: 0, head: 1 };
      const before = await plain.weights(0, 1, attention);
      const keys = before.shape[1] ?? 0;
      const replaced = await run([
        { ...scope, kind: "replaceWeights", query: 2, weights: [0, 0.5, 0.5] },
      ]);
      const row = (await replaced.weights(0, 1, attention)).data.subarray(
        2 * keys,
        3 * keys,
      );
      expect([...row.subarray(0, 3)]).toEqual([0, 0.5, 0.5]);
      expect((await replaced.weights(0, 0, attention)).data).toEqual(
        (await plain.weights(0, 0, attention)).data,
      );
      const logits = (await plain.logits()).data;
      const changes: readonly Intervention[] = [
        { ...scope, kind: "replaceWeights", query: 2, weights: [0, 0.5, 0.5] },
        { ...scope, kind: "swapValue", key: 1, from: 2 },
        { ...scope, kind: "ablateHead", with: "zero" },
        { ...scope, kind: "ablateHead", with: "mean" },
        { ...scope, kind: "maskCell", query: 3, key: 1, allowed: false },
        { ...scope, kind: "scale", scale: 1 },
        { ...scope, kind: "temperature", temperature: 4 },
      ];
      for (const change of changes) {
        const changed = await run([change]);
        expect((await changed.logits()).data, change.kind).not.toEqual(logits);
      }
      const same = await run([
        { ...scope, kind: "swapValue", key: 1, from: 1 },
      ]);
      (await same.logits()).data.forEach((logit, index) => {
        expect(Math.abs(logit - (logits[index] ?? NaN))).toBeLessThan(1e-4);
      });
    },
  );

  test("reads logits off any residual", async () => {
    const plain = await run();
    const last = `decoder.${model.config.numLayers - 1}.hook_normalized_resid_post`;
    const lens = await plain.logitLens(last, 3);
    expect(lens.data).toEqual((await plain.logits()).data);
    const early = await plain.logitLens("decoder.0.hook_resid_pre");
    expect(early.shape).toEqual([4, model.config.vocabularySize]);
  });

  test("refuses what it does not have, by name", async () => {
    const plain = await run();
    const refused = async (
      work: () => Promise<unknown>,
      ...words: readonly string[]
    ) => {
      const { message } = await faultOf(work);
      for (const word of words) expect(message).toContain(word);
    };
    await refused(() => plain.weights(0, 9, "encoder"), "Head 9");
    await refused(() => plain.weights(9, 0, "cross"), "decoder.9.cross_attn");
    await refused(
      () => plain.weights(0, 0, "both" as AttentionPart),
      "attention",
      "both",
    );
    await refused(
      () => plain.logitLens("encoder.0.hook_resid_post"),
      "residual",
    );
    await refused(() => plain.nextTokens(3, 0), "position 0");
    await refused(() => model.run([], { target }), "source");
    await refused(() => model.run(source, { target: [] }), "text");
    await refused(
      () =>
        run([
          {
            attention: "cross",
            kind: "replaceWeights",
            query: 0,
            weights: Array.from({ length: 512 }, () => 0),
          },
        ]),
      "512",
      "5",
    );
    await refused(
      () => run([{ attention: "cross", kind: "swapValue", key: 0, from: 5 }]),
      "from",
      "5",
    );
    await refused(() => run([{ kind: "swapValue", key: 0 }]), "value");
    await refused(
      () => model.run(source, { target, tokenTypes: [0, 0, 0, 0] }),
      "token types",
    );
  });
});

describe("an encoder", () => {
  let model: Model;
  beforeAll(async () => {
    model = await load(`${golden}/bert`);
  });
  afterAll(() => {
    model.dispose();
  });

  test("predicts at every position", async () => {
    const run = await model.run([5, 6, 7, 8], { tokenTypes: [0, 0, 1, 1] });
    expect(run.capacity).toBe(4);
    const { shape, data } = await run.logits();
    expect(shape).toEqual([4, model.config.vocabularySize]);
    const best = await run.nextTokens(3, 1);
    const size = model.config.vocabularySize;
    const row = data.subarray(size, 2 * size);
    expect(best[0]?.logit).toBe(Math.max(...row));
    const weights = (await run.weights(0, 0)).data;
    expect(weights.every((weight) => weight > 0)).toBe(true);
  });

  test("has no source, no cross-attention and no continuation", async () => {
    const run = await model.run([5, 6]);
    for (const [work, word] of [
      [() => model.run([5], { target: [1] }), "target"],
      [() => model.run([5], { sourceMask: { kind: "none" } }), "sourceMask"],
      [() => run.weights(0, 0, "cross"), "encoder"],
      [() => run.generate().next(), "continue"],
      [() => model.run([5, 6], { tokenTypes: [0] }), "token types"],
      [() => model.run([5, 6], { tokenTypes: [0, 2] }), "type 2"],
      [() => model.run([5, 6], { tokenTypes: "01" as never }), "tokenTypes"],
      [
        () =>
          model.run([5, 6], {
            interventions: [
              { kind: "ablateHead", with: "mean", attention: "encoder" },
            ],
          }),
        "no encoder",
      ],
    ] as const) {
      const { message } = await faultOf(work);
      expect(message).toContain(word);
    }
  });
});
