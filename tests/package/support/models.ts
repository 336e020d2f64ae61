// Models for the tests: loaded under node on the calling thread, and the
// variants that this machine's WebAssembly engine runs.

import { loadModel } from "attnscope";
import type { LoadOptions, Model, StopReason, Variant } from "attnscope";

import { probeFeatures } from "../../../wasm/src/features.js";
import { golden, urlOf } from "./files.js";

export const variants: readonly Variant[] = probeFeatures().relaxedSimd
  ? ["relaxed", "simd128", "scalar"]
  : ["simd128", "scalar"];

/** A small random model: 2 layers, 6 query heads on 2, a vocabulary of 64. */
export const tiny = `${golden}/llama_gqa`;

export function load(folder: string, options?: LoadOptions): Promise<Model> {
  return loadModel(urlOf(folder), { worker: false, ...options });
}

/** Everything that a generation yields, and why it ended. */
export async function drain<T>(
  generation: AsyncGenerator<T, StopReason>,
): Promise<{ tokens: T[]; reason: StopReason }> {
  const tokens: T[] = [];
  for (;;) {
    const { done, value } = await generation.next();
    if (done) return { tokens, reason: value };
    tokens.push(value);
  }
}

/** The code and message that work fails with. */
export async function faultOf(
  work: Promise<unknown> | (() => unknown),
): Promise<{ code: unknown; message: string }> {
  try {
    await (typeof work === "function" ? work() : work);
  } catch (thrown) {
    const { code, message } = thrown as { code: unknown; message: string };
    return { code, message };
  }
  throw new Error("nothing failed");
}
