// What a run promises: shapes and labels while it grows, cache on and off, the
// capacity's end, masks and interventions, sampling, results that stay.
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Model, Run } from "attnscope";

import { largestDifference, tales } from "./support/files.js";
import { drain, faultOf, load, tiny } from "./support/models.js";

let model: Model; // random weights, no tokenizer
let story: Model; // trained, with a tokenizer
const prompt = [5, 7, 11, 13, 2, 30];

beforeAll(async () => {
  model = await load(tiny);
  story = await load(tales);
});
afterAll(() => {
  model.dispose();
  story.dispose();
});

async function allWeights(run: Run): Promise<Float32Array[]> {
  const weights = [];
  for (let layer = 0; layer < model.config.numLayers; ++layer) {
    for (let head = 0; head < model.config.numQueryHeads; ++head) {
      weights.push((await run.weights(layer, head)).data);
    }
  }
  return weights;
}

function rowSums({
  shape,
  data,
}: {
  shape: readonly number[];
  data: Float32Array;
}) {
  const [rows, columns] = shape as [number, number];
  return Array.from({ length: rows }, (_, row) =>
    data
      .subarray(row * columns, (row + 1) * columns)
      .reduce((sum, weight) => sum + weight, 0),
  );
}

describe("a run that grows", () => {
  it("has a row of weights for each token of prompt and continuation", async () => {
    const run = await model.run([1, 2, 3]);
    const { tokens, reason } = await drain(
      run.generate({ maxTokens: 3, stopAtEnd: false }),
    );
    expect(reason).toBe("max-tokens");
    expect(tokens.map(({ position }) => position)).toEqual([3, 4, 5]);
    expect(run.tokens.map(({ id }) => id)).toEqual([
      1,
      2,
      3,
      ...tokens.map(({ id }) => id),
    ]);
    expect(run.promptLength).toBe(3);
    const weights = await run.weights(0, 0);
    expect(weights.shape).toEqual([6, 6]);
    expect((await run.mask(0, 0)).shape).toEqual([6, 6]);
    for (const sum of rowSums(weights)) expect(sum).toBeCloseTo(1, 6);
    // Keys after the query have no weight.
    expect(weights.data[3 * 6 + 4]).toBe(0);
  });

  it("gives the same tokens and weights as running the whole text anew", async () => {
    const cached = await model.run(prompt);
    await drain(cached.generate({ maxTokens: 10, stopAtEnd: false }));
    const ids = cached.tokens.map(({ id }) => id);
    expect(ids).toHaveLength(prompt.length + 10);

    // Without the cache: each next token by a run of everything so far.
    const slow = [...prompt];
    for (let step = 0; step < 10; ++step) {
      const run = await model.run(slow, { record: [] });
      slow.push((await run.nextTokens(1))[0]!.id);
      run.dispose();
    }
    expect(slow).toEqual(ids);

    const whole = await allWeights(await model.run(ids));
    const grown = await allWeights(cached);
    for (const [head, weights] of whole.entries()) {
      expect(largestDifference(weights, grown[head]!)).toBeLessThan(1e-6);
    }
  });

  it("keeps key 0 of a one-token prompt", async () => {
    const key = "blocks.0.attn.hook_k";
    const run = await model.run([9], { record: [key] });
    await drain(run.generate({ maxTokens: 1, stopAtEnd: false }));
    const ids = run.tokens.map(({ id }) => id);
    const whole = await model.run(ids, { record: [key] });
    const grown = await run.tensor(key);
    const right = await whole.tensor(key);
    expect(grown.shape).toEqual([2, 2, 8]);
    expect(grown.shape).toEqual(right.shape);
    expect(largestDifference(grown.data, right.data)).toBeLessThan(1e-6);
  });

  it("stops at its capacity and says so", async () => {
    const run = await model.run(prompt, { capacity: 8 });
    expect(run.capacity).toBe(8);
    const { tokens, reason } = await drain(
      run.generate({ maxTokens: 5, stopAtEnd: false }),
    );
    expect(tokens).toHaveLength(2);
    expect(reason).toBe("capacity");
    expect((await run.weights(1, 0)).shape).toEqual([8, 8]);
  });

  it("ends at an end token, which is not appended", async () => {
    const free = await model.run(prompt);
    const { tokens } = await drain(
      free.generate({ maxTokens: 8, stopAtEnd: false }),
    );
    // Some model that says its end token: this one, told that it is one.
    const end = tokens[2]!.id;
    const first = tokens.findIndex(({ id }) => id === end);
    const config = model.config as { endTokens: readonly number[] };
    const before = config.endTokens;
    config.endTokens = [end];
    const run = await model.run(prompt);
    const ended = await drain(run.generate({ maxTokens: 8 }));
    config.endTokens = before;
    expect(ended.reason).toBe("end-token");
    expect(ended.tokens).toHaveLength(first);
    expect(run.tokens).toHaveLength(prompt.length + first);
  });

  it("stops when told", async () => {
    const controller = new AbortController();
    const run = await model.run(prompt);
    const generation = run.generate({ signal: controller.signal });
    await generation.next();
    controller.abort();
    expect(await generation.next()).toEqual({ done: true, value: "cancelled" });
    expect(run.tokens).toHaveLength(prompt.length + 1);
  });

  it("yields text whole characters at a time", async () => {
    const run = await story.run("Once upon a time");
    const { tokens } = await drain(run.generate({ maxTokens: 30 }));
    const text = tokens.map(({ newText }) => newText).join("");
    const ids = run.tokens.map(({ id }) => id);
    expect(`Once upon a time${text}`).toBe(story.decode(ids));
  });
});

describe("weights", () => {
  it("are softmax of the masked scores, 0 where masked", async () => {
    const run = await model.run(prompt);
    const [weights, scores, masked] = await Promise.all([
      run.weights(1, 3),
      run.scores(1, 3),
      run.maskedScores(1, 3),
    ]);
    const length = prompt.length;
    for (let query = 0; query < length; ++query) {
      const row = (tensor: { data: Float32Array }) =>
        tensor.data.subarray(query * length, (query + 1) * length);
      const powers = Array.from(row(masked), Math.exp);
      const sum = powers.reduce((a, b) => a + b, 0);
      for (let key = 0; key < length; ++key) {
        expect(row(weights)[key]).toBeCloseTo(powers[key]! / sum, 6);
        expect(row(masked)[key]).toBe(
          key > query
            ? -Infinity
            : Math.fround(
                row(scores)[key]! * Math.fround(model.config.attentionScale),
              ),
        );
      }
    }
  });

  it("of grouped queries read their group's keys: 3 heads to a group", async () => {
    const [q, k] = ["blocks.0.attn.hook_rot_q", "blocks.0.attn.hook_rot_k"];
    const run = await model.run(prompt, { record: "all" });
    const [query, key] = [await run.tensor(q), await run.tensor(k)];
    expect(query.shape).toEqual([6, 6, 8]);
    expect(key.shape).toEqual([6, 2, 8]);
    for (let head = 0; head < 6; ++head) {
      const group = head < 3 ? 0 : 1;
      const { data } = await run.scores(0, head);
      let product = 0;
      for (let d = 0; d < 8; ++d) {
        product +=
          query.data[(5 * 6 + head) * 8 + d]! *
          key.data[(2 * 2 + group) * 8 + d]!;
      }
      expect(data[5 * 6 + 2]).toBeCloseTo(product, 4);
    }
  });

  it("of a row with nothing allowed are zero", async () => {
    const run = await model.run(prompt, {
      interventions: [{ kind: "maskCell", query: 0, key: 0, allowed: false }],
    });
    const weights = await run.weights(0, 0);
    expect([...weights.data.subarray(0, 6)]).toEqual([0, 0, 0, 0, 0, 0]);
    expect((await run.mask(0, 0)).data[0]).toBe(0);
    expect((await run.logits()).data.every(Number.isFinite)).toBe(true);
  });

  it("of padded columns are zero in every row", async () => {
    const run = await model.run([5, 7, 0, 0], {
      mask: [
        { kind: "causal" },
        { kind: "padding", hidden: [false, false, true, true] },
      ],
    });
    const { data } = await run.weights(1, 2);
    for (let query = 0; query < 4; ++query) {
      expect([...data.subarray(query * 4 + 2, query * 4 + 4)]).toEqual([0, 0]);
    }
  });

  it("of a text padded on the left are those of the text alone", async () => {
    const alone = await model.run([5, 7]);
    const padded = await model.run([0, 0, 5, 7], {
      mask: [
        { kind: "causal" },
        { kind: "padding", hidden: [true, true, false, false] },
      ],
    });
    const right = await alone.logits();
    expect(
      largestDifference((await padded.logits()).data, right.data),
    ).toBeLessThan(1e-6);
    const { data } = await alone.weights(1, 5);
    const inside = (await padded.weights(1, 5)).data;
    expect(inside[2 * 4 + 2]).toBeCloseTo(data[0]!, 6);
    expect(inside[3 * 4 + 2]).toBeCloseTo(data[2]!, 6);
    expect(inside[3 * 4 + 3]).toBeCloseTo(data[3]!, 6);
  });

  it.each([
    [{ kind: "none" } as const, "111111/111111/111111/111111/111111/111111"],
    [{ kind: "causal" } as const, "100000/110000/111000/111100/111110/111111"],
    [
      { kind: "window", size: 2 } as const,
      "100000/110000/011000/001100/000110/000011",
    ],
    [
      { kind: "prefix", length: 3 } as const,
      "111000/111000/111000/111100/111110/111111",
    ],
  ])("follow the mask %j", async (mask, picture) => {
    const run = await model.run(prompt, { mask });
    const seen = await run.mask(0, 0);
    expect([...seen.data].join("")).toBe(picture.replaceAll("/", ""));
    const { data } = await run.weights(0, 0);
    expect(Array.from(data, (weight) => (weight > 0 ? 1 : 0))).toEqual([
      ...seen.data,
    ]);
  });
});

describe("interventions", () => {
  const z = "blocks.1.attn.hook_z"; // [token, head, head_dim]
  const headRows = async (run: Run, head: number) => {
    const { shape, data } = await run.tensor(z);
    const [tokens, heads, dim] = shape as [number, number, number];
    return Array.from({ length: tokens }, (_, token) => {
      const start = (token * heads + head) * dim;
      return [...data.subarray(start, start + dim)];
    });
  };

  it("ablate a head by zeros", async () => {
    const run = await model.run(prompt, {
      record: [z],
      interventions: [{ kind: "ablateHead", with: "zero", layer: 1, head: 2 }],
    });
    expect((await headRows(run, 2)).flat().every((x) => x === 0)).toBe(true);
    expect((await headRows(run, 3)).flat().some((x) => x !== 0)).toBe(true);
  });

  it("ablate a head by the mean of its plain run", async () => {
    const plain = await model.run(prompt, { record: [z] });
    const rows = await headRows(plain, 2);
    const mean = rows[0]!.map(
      (_, d) => rows.reduce((sum, row) => sum + row[d]!, 0) / rows.length,
    );
    const run = await model.run(prompt, {
      record: [z],
      interventions: [{ kind: "ablateHead", with: "mean", layer: 1, head: 2 }],
    });
    for (const row of await headRows(run, 2)) {
      expect(largestDifference(row, mean)).toBeLessThan(1e-6);
    }
    const difference = largestDifference(
      (await run.logits()).data,
      (await plain.logits()).data,
    );
    expect(difference).toBeGreaterThan(1e-3);
  });

  it("replace the scale and the temperature of the scores", async () => {
    const scale = model.config.attentionScale;
    const scaled = await model.run(prompt, {
      interventions: [{ kind: "scale", scale: scale / 2, layer: 0 }],
    });
    const heated = await model.run(prompt, {
      interventions: [{ kind: "temperature", temperature: 2, layer: 0 }],
    });
    const [a, b] = [await scaled.weights(0, 1), await heated.weights(0, 1)];
    expect(largestDifference(a.data, b.data)).toBeLessThan(1e-6);
    const plain = await (await model.run(prompt)).weights(0, 1);
    expect(largestDifference(a.data, plain.data)).toBeGreaterThan(1e-3);
  });

  it("toggle fifty thousand cells without copying them for each", async () => {
    const toggle = { kind: "maskCell", query: 1, key: 0 } as const;
    const interventions = Array.from({ length: 50_000 }, (_, i) => ({
      ...toggle,
      allowed: i % 2 === 0,
    }));
    const started = performance.now();
    const run = await model.run(prompt, { interventions });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect((await run.mask(1, 2)).data[prompt.length]).toBe(0);
  });
});

describe("sampling", () => {
  const options = { temperature: 0.9, topK: 20, maxTokens: 12 };
  const idsOf = async (sampling: object) => {
    const generation = model.generate(prompt, {
      ...options,
      stopAtEnd: false,
      ...sampling,
    });
    return (await drain(generation)).tokens.map(({ id }) => id);
  };

  it("is repeated by its seed", async () => {
    expect(await idsOf({ seed: 7 })).toEqual(await idsOf({ seed: 7 }));
    expect(await idsOf({ seed: 7 })).not.toEqual(await idsOf({ seed: 8 }));
  });

  it("at a tiny temperature, or among one token, is greedy", async () => {
    const greedy = await idsOf({ temperature: 0 });
    expect(await idsOf({ temperature: 1e-30 })).toEqual(greedy);
    expect(await idsOf({ topK: 1 })).toEqual(greedy);
  });

  it("takes a top-k above the vocabulary for all", async () => {
    const all = await idsOf({ topK: 0 });
    expect(await idsOf({ topK: 100_000 })).toEqual(all);
  });

  it.each([
    ["temperature", -1],
    ["temperature", NaN],
    ["temperature", Infinity],
    ["topP", 0],
    ["topP", 1.5],
    ["topP", NaN],
    ["topK", -1],
    ["topK", 2.5],
    ["seed", -1],
    ["seed", 0.5],
  ])("refuses %s %d", async (name, value) => {
    const fault = await faultOf(idsOf({ [name]: value }));
    expect(fault.code).toBe("invalid-argument");
    expect(fault.message.toLowerCase().replace(/[-_ ]/g, "")).toContain(
      name.toLowerCase(),
    );
  });

  it("promises no next token where the logits are not numbers", async () => {
    const interventions = [{ kind: "scale", scale: 1e38 }] as const;
    const run = await model.run(prompt, { interventions });
    const { data } = await run.logits();
    expect(data.every(Number.isNaN)).toBe(true);
    for (const { probability } of await run.nextTokens(3))
      expect(probability).toBeNaN();
  });

  it("tells the next tokens, the likeliest first", async () => {
    const run = await model.run(prompt);
    const all = await run.nextTokens(1000);
    expect(all).toHaveLength(model.config.vocabularySize);
    const sum = all.reduce((total, { probability }) => total + probability, 0);
    expect(sum).toBeCloseTo(1, 5);
    const logits = all.map(({ logit }) => logit);
    expect(logits).toEqual([...logits].sort((a, b) => b - a));
    const ratio = all[0]!.probability / all[1]!.probability;
    expect(Math.log(ratio)).toBeCloseTo(logits[0]! - logits[1]!, 4);
  });
});

describe("memory", () => {
  it("a held result stays as it was when the memory grows", async () => {
    using fresh = await load(tales);
    const run = await fresh.run("Once upon a time");
    const held = await run.weights(0, 0);
    const before = [...held.data];
    const long = Array.from(
      { length: fresh.config.context },
      (_, i) => 1 + (i % 200),
    );
    const large = await fresh.run(long, { record: "all", allLogits: true });
    expect((await large.logits()).shape[0]).toBe(fresh.config.context);
    expect(held.data).toHaveLength(before.length);
    expect([...held.data]).toEqual(before);
  });
});
