// All TypeScript tests; scripts/test runs them folder by folder. Page tests drive a headless Chromium
// themselves, so every suite runs under plain node.

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
