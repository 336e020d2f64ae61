// A cell in words: query i 'bank' -> key j 'river' and its numbers. Used by
// the read-out, the live region and titles, so all say the same.

import { brief } from "../pictures/numbers.js";
import {
  cellNumbers,
  keyLabels,
  queryLabels,
  rowOf,
  shownAttention,
} from "./selectors.js";
import type { Cell, State } from "./state.js";
import { labelText, type TokenLabel } from "./tokens.js";

function tokenName(label: TokenLabel | undefined): string {
  return `'${label ? labelText(label) : ""}'`;
}

export function describeCell(state: State, cell: Cell): string {
  const { pattern, model } = state;
  if (!pattern || !model) return "";
  const predicts = shownAttention(state) === "cross" ? "predicting " : "";
  const name = tokenName(queryLabels(state)[cell.query]);
  const query = `query ${cell.query} ${predicts}${name}`;
  if (cell.key === undefined) {
    const row = rowOf(pattern, cell.query);
    return row ? query : "";
  }
  const key = `key ${cell.key} ${tokenName(keyLabels(state)[cell.key])}`;
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
