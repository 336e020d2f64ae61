// The bundled models through the package, as a page meets them: what each is
// there to show can be seen.
import { expect, it } from "vitest";

import { echo } from "./support/files.js";
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
