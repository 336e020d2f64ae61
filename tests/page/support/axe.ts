// Accessibility faults of an open page, as the axe rules find them.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Explorer } from "./explorer.js";

export async function axeFaults(explorer: Explorer): Promise<string[]> {
  const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  await explorer.page.evaluate(readFileSync(axe, "utf8"));
  return explorer.page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run(): Promise<{
          violations: {
            id: string;
            nodes: { html: string; failureSummary: string }[];
          }[];
        }>;
      };
    };
    const { violations } = await axe.run();
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0]!.html} ${nodes[0]!.failureSummary}`,
    );
  });
}
