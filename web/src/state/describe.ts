// A cell in words: query i 'bank' -> key j 'river' and its numbers. Used by
// the read-out, the live region and titles, so all say the same.

import { brief } from "../pictures/numbers.js";
import { cellNumbers, rowOf, runLabels } from "./selectors.js";
import type { Cell, State } from "./state.js";
import { labelText } from "./tokens.js";

export function tokenName(state: State, position: number): string {
  const label = runLabels(state)[position];
  return `${position} '${label ? labelText(label) : ""}'`;
}

export function describeCell(state: State, cell: Cell): string {
  const { pattern, model } = state;
  if (!pattern || !model) return "";
  const query = `query ${tokenName(state, cell.query)}`;
  if (cell.key === undefined) {
    const row = rowOf(pattern, cell.query);
    return row ? query : "";
  }
  const key = `key ${tokenName(state, cell.key)}`;
  const numbers = cellNumbers(
    pattern,
    { query: cell.query, key: cell.key },
    model.config.attentionScale,
  );
  if (!numbers) return "";
  if (!numbers.allowed) {
    const score = Number.isNaN(numbers.score)
      ? "not computed"
      : brief(numbers.score);
    return `${query} → ${key}: score ${score}, masked, weight 0`;
  }
  return (
    `${query} → ${key}: score ${brief(numbers.score)}, ` +
    `scaled ${brief(numbers.scaled)}, weight ${brief(numbers.weight)}, ` +
    `rank ${numbers.rank} of ${numbers.of}`
  );
}
