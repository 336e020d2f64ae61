// Whatever was thrown, as people see it: a code and a sentence.

import type { Fault } from "./state.js";

export function toFault(error: unknown): Fault {
  if (error instanceof Error) {
    const code = (error as { code?: unknown }).code;
    return {
      code: typeof code === "string" ? code : error.name,
      message: error.message,
    };
  }
  return { code: "unknown", message: String(error) };
}
