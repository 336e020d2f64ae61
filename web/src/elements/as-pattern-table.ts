// The picture's twin as a table, for keyboard, screen reader and copying. Of a
// long text it holds the part around the chosen cell, and says so.

import { css, html, nothing } from "lit";
import { cellKind } from "../pictures/matrix.js";
import { brief } from "../pictures/numbers.js";
import {
  activeCell,
  firstQuery,
  keyLabels,
  queryLabels,
  stageMatrix,
} from "../state/selectors.js";
import type { State } from "../state/state.js";
import { base, controls } from "../styles/base.js";
import { StoreElement } from "./store-element.js";
import { tokenText } from "./token-text.js";

const most = 24; // rows, and columns

export class AsPatternTable extends StoreElement {
  static override styles = [
    base,
    controls,
    css`
      summary {
        cursor: pointer;
        color: var(--quiet);
        padding: 8px 0;
      }
      .scroll {
        max-width: 100%;
        max-height: 480px;
        overflow: auto;
      }
      table {
        border-collapse: collapse;
        font-size: 12px;
        line-height: 16px;
      }
      th,
      td {
        padding: 3px 8px;
        text-align: right;
        font-weight: 400;
        white-space: nowrap;
        border-bottom: 1px solid var(--line);
      }
      thead th {
        position: sticky;
        top: 0;
        background: var(--ground);
      }
      tr.chosen > * {
        background: var(--panel);
      }
    `,
  ];

  #open = false;

  protected reads(state: State) {
    if (!this.#open) return [];
    return [state.run, state.pattern, state.stage, state.pinned, state.stale];
  }

  override render() {
    return html`<details
      @toggle=${(event: Event) => {
        this.#open = (event.target as HTMLDetailsElement).open;
        this.requestUpdate();
      }}
    >
      <summary>The same as a table</summary>
      ${this.#open ? this.#table() : nothing}
    </details>`;
  }

  #table() {
    const { pattern, stage } = this.state;
    if (!pattern) return nothing;
    const matrix = stageMatrix(pattern, stage);
    const queries = queryLabels(this.state);
    const keys = keyLabels(this.state);
    const isCross = pattern.id.attention === "cross";
    const cell = activeCell(this.state);
    const offset = firstQuery(pattern);
    const rows = around(
      cell ? cell.query - offset : pattern.rows - 1,
      pattern.rows,
    );
    const cols = around(
      cell?.key ?? (isCross ? 0 : (cell?.query ?? 0)),
      pattern.cols,
    );
    const partial = rows.length < pattern.rows || cols.length < pattern.cols;
    const number = (row: number, col: number) => {
      const index = row * pattern.cols + col;
      return cellKind(matrix, index) === "masked"
        ? html`<span class="quiet"
            >${stage === "scores" ? "–" : "masked"}</span
          >`
        : brief(matrix.values[index]!);
    };
    return html`
      ${
        partial
          ? html`<p class="quiet">
              Rows ${rows[0]! + offset} to ${rows.at(-1)! + offset} and columns
              ${cols[0]} to ${cols.at(-1)} of ${pattern.cols}, around the chosen
              cell.
            </p>`
          : nothing
      }
      <div class="scroll" tabindex="0" role="region" aria-label="Table">
        <table>
          <caption class="visually-hidden">
            Rows are
            ${isCross ? "queries, named by what they predict" : "queries"},
            columns are keys
          </caption>
          <thead>
            <tr>
              <th scope="col">
                <span class="query">${isCross ? "predicts" : "query"}</span>
              </th>
              ${cols.map(
                (col) =>
                  html`<th scope="col" class="key">
                    ${col}
                    <span class="token">${tokenText(keys[col]!)}</span>
                  </th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row) =>
                html`<tr class=${row + offset === cell?.query ? "chosen" : ""}>
                  <th scope="row" class="query">
                    ${row + offset}
                    <span class="token"
                      >${tokenText(queries[row + offset]!)}</span
                    >
                  </th>
                  ${cols.map((col) => html`<td>${number(row, col)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    `;
  }
}

/** At most `most` indices below `count`, with `centre` among them. */
function around(centre: number, count: number): number[] {
  const start = Math.max(
    0,
    Math.min(count - most, centre - Math.floor(most / 2)),
  );
  return Array.from({ length: Math.min(most, count) }, (_, i) => start + i);
}
