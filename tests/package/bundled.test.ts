// The bundled models through the package, as a page meets them: what each is
// there to show can be seen.
import { join } from "node:path";
import { expect, it } from "vitest";

import {
  bridge,
  echo,
  golden,
  largestDifference,
  readJson,
  readSafetensors,
} from "./support/files.js";
import { drain, load } from "./support/models.js";

it("echo goes on as the text did before, and heads of layer 1 look there", async () => {
  using model = await load(echo);
  const stretch = "kQ7fZ2mXb9Rt";
  const run = await model.run(
    `;,${stretch}-+W${stretch}&${stretch.slice(0, 5)}`,
  );
  const length = run.tokens.length;
  const { tokens } = await drain(run.generate({ maxTokens: 7 }));
  expect(tokens.map(({ text }) => text).join("")).toBe(stretch.slice(5));

  // The last row of the prompt and the token after its earlier copies.
  const sources = [1 + 2 + 5, 1 + 2 + 12 + 3 + 5];
  const heads = [0, 1, 2, 3];
  const seen = await Promise.all(
    heads.map(async (head) => {
      const { shape, data } = await run.weights(1, head);
      const row = (length - 1) * shape[1]!;
      return sources.reduce((sum, key) => sum + data[row + key]!, 0);
    }),
  );
  expect(seen.filter((weight) => weight > 0.8).length).toBeGreaterThan(1);
});

interface Translation {
  readonly text: string;
  readonly source: number[];
  readonly prompt: number[];
  readonly greedy: number[];
  readonly translation: string;
}
const translations = readJson<Translation[]>(
  join(golden, "bridge/greedy.json"),
);

it.each(translations)(
  "bridge translates $text as transformers does",
  async ({ text, source, prompt, greedy, translation }) => {
    using model = await load(bridge);
    const run = await model.run(text);
    expect(run.sourceTokens.map(({ id }) => id)).toEqual(source);
    expect(run.tokens.map(({ id }) => id)).toEqual(prompt);
    const { tokens, reason } = await drain(run.generate());
    const ids = tokens.map(({ id }) => id);
    // The end token, the last of the reference, is said and not given.
    expect(reason).toBe("end-token");
    expect([...prompt, ...ids]).toEqual(greedy.slice(0, -1));
    expect(model.decode(ids)).toBe(translation);
  },
);

it("bridge has the logits and the weights of all three attentions", async () => {
  using model = await load(bridge);
  const tensors = readSafetensors(join(golden, "bridge/golden.safetensors"));
  for (const [index, { source }] of translations.entries()) {
    const target = tensors.get(`${index}.decoder_input_ids`)!.data;
    const run = await model.run(source, { target, allLogits: true });
    const { data: logits } = await run.logits();
    const expected = tensors.get(`${index}.logits`)!.data;
    expect(largestDifference(logits, expected)).toBeLessThan(1e-3);
    for (const [attention, name] of [
      ["self", "decoder_attentions"],
      ["encoder", "encoder_attentions"],
      ["cross", "cross_attentions"],
    ] as const) {
      for (const layer of [0, 1]) {
        const heads = [0, 1].map((head) => run.weights(layer, head, attention));
        const ours = (await Promise.all(heads)).flatMap(({ data }) => [
          ...data,
        ]);
        const theirs = tensors.get(`${index}.${name}.${layer}`)!.data;
        expect(
          largestDifference(ours, theirs),
          `${name}.${layer}`,
        ).toBeLessThan(1e-5);
      }
    }
  }
});
