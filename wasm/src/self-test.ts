import type { EngineModule } from "./engine/module.js";
export function selfTest(_module: EngineModule): string | undefined {
  return undefined;
}
