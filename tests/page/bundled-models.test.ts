// The list of models that come with the page against what is there.

import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { bundledModels } from "../../web/src/state/bundled-models.js";

test("every model of the menu has its folder and its card", () => {
  expect(bundledModels.map(({ name }) => name)).toEqual([
    "tales",
    "bridge",
    "echo",
  ]);
  for (const { name } of bundledModels) {
    for (const file of ["config.json", "model.safetensors", "README.md"]) {
      const path = new URL(
        `../../web/public/models/${name}/${file}`,
        import.meta.url,
      );
      expect(existsSync(path), path.pathname).toBe(true);
    }
  }
});
