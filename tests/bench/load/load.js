// Loads a model through the package, in a worker or on the page's own thread;
// there it also sees the engine's memory. scripts/lib/bench_load.mjs opens this
// page, calls measureLoad and looks at the process meanwhile.

import { loadModel } from "/package/index.js";

/** The linear memory of the module that was instantiated last. */
let memory;
for (const name of ["instantiate", "instantiateStreaming"]) {
  const original = WebAssembly[name];
  WebAssembly[name] = async (...words) => {
    const result = await original.apply(WebAssembly, words);
    const { exports } = result.instance ?? result;
    memory = Object.values(exports).find(
      (value) => value instanceof WebAssembly.Memory,
    );
    return result;
  };
}

/**
 * @param {string} storage
 * @param {boolean} worker
 * @returns {Promise<{storedBytes: number, memoryBytes: number | undefined}>}
 *   memoryBytes is the module's memory, which never shrinks: its peak. In a
 *   worker it is out of sight.
 */
window.measureLoad = async (storage, worker) => {
  const model = await loadModel("/model/", { storage, worker });
  return {
    storedBytes: model.storedBytes,
    memoryBytes: worker ? undefined : memory.buffer.byteLength,
  };
};
