// Ten thousand runs leave the module's memory as it was: no growth, and no
// value kept alive between the two sides.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { EngineHost } from "../../wasm/src/engine/host.js";
import type { EngineModule } from "../../wasm/src/engine/module.js";
import { startModule } from "../../wasm/src/module-loader.js";
import { root, urlOf } from "./support/files.js";
import { tiny } from "./support/models.js";

/** What Emscripten's script adds for such tests. */
interface Observed {
  readonly HEAPU8: Uint8Array;
  count_emval_handles(): number;
}

const moduleBase = urlOf(join(root, "wasm/dist")).href;
const quiet = () => undefined;

describe("ten thousand runs", () => {
  it("leave the heap flat", async () => {
    const { module } = await startModule(
      { variant: "simd128", moduleBase },
      quiet,
    );
    const observed = module as EngineModule & Observed;
    const host = new EngineHost(quiet);
    Object.assign(host, { module });
    await host.handle({
      kind: "load",
      configJson: readFileSync(join(tiny, "config.json"), "utf8"),
      configName: "config.json",
      folder: { kind: "url", url: urlOf(`${tiny}/`).href },
      cache: false,
      stallTimeout: 1000,
      storage: undefined,
      memoryLimit: undefined,
      tokenizerSize: undefined,
    });
    const ids = [5, 7, 11, 13, 2, 30, 1, 9];
    const once = async () => {
      const { run } = await host.handle({
        kind: "run",
        prompt: { ids, sourceIds: [], tokenTypes: [] },
        options: { capacity: 12 },
      });
      const sampler = await host.handle({
        kind: "begin-sampling",
        options: { temperature: 1, seed: 3 },
      });
      await host.handle({ kind: "step", run, sampler, endTokens: [] });
      const cells = {
        kind: "cells",
        hook: "hook_pattern",
        attention: "self",
      } as const;
      await host.handle({ ...cells, run, layer: 1, head: 0 });
      // A refused call must not leak either.
      await host.handle({ ...cells, run, layer: 9, head: 0 }).catch(quiet);
      await host.handle({ kind: "end-sampling", sampler });
      await host.handle({ kind: "dispose-run", run });
    };
    const state = () => ({
      bytes: observed.HEAPU8.length,
      handles: observed.count_emval_handles(),
    });

    // What is set up once, and the room that one run needs, come first.
    for (let i = 0; i < 100; ++i) await once();
    const before = state();
    for (let i = 0; i < 10_000; ++i) await once();
    expect(state()).toEqual(before);
  });
});
