// A static page at any path: relative addresses, no inlined assets (the engine
// is fetched and imported by address, and the page's CSP allows nothing inline).

import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
});
