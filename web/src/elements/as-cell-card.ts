// The read-out: the chosen row or cell in words and exact numbers.

import { css, html, nothing } from "lit";
import { brief, full } from "../pictures/numbers.js";
import {
  activeCell,
  cellNumbers,
  keyLabels,
  queryLabels,
  rowOf,
} from "../state/selectors.js";
import type { State } from "../state/state.js";
import { base, controls, touch } from "../styles/base.js";
import { StoreElement } from "./store-element.js";
import { tokenText } from "./token-text.js";

export class AsCellCard extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    /** In few lines, without the choice of digits. */
    compact: { type: Boolean, reflect: true },
    exact: { state: true },
  };
  declare compact: boolean;
  declare private exact: boolean;

  static override styles = [
    base,
    controls,
    css`
      .who {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 2px 6px;
        min-height: 22px;
        overflow-wrap: anywhere;
      }
      .who .token {
        font-weight: 600;
        white-space: pre-wrap;
      }
      dl {
        display: grid;
        grid-template-columns: repeat(4, minmax(0, 1fr));
        gap: 0 12px;
        margin: 8px 0 0;
      }
      dl.exact {
        grid-template-columns: 1fr 1fr;
        gap: 4px 12px;
      }
      dt {
        font-size: 12px;
        line-height: 16px;
        color: var(--quiet);
      }
      dd {
        margin: 0;
        font-size: 16px;
        line-height: 24px;
        white-space: nowrap;
      }
      dd.weight {
        font-weight: 600;
      }
      header {
        display: flex;
        justify-content: space-between;
        align-items: start;
        gap: 8px;
      }
      button {
        height: 24px;
        padding: 0 6px;
        margin: -2px -6px 0 0;
        font-size: 12px;
        color: var(--quiet);
      }
      button[aria-pressed="true"] {
        color: var(--text);
        border-color: var(--line);
      }
      dt {
        white-space: nowrap;
      }
      :host([compact]) dl {
        grid-template-columns: repeat(4, auto);
        justify-content: start;
        gap: 0 16px;
        margin-top: 0;
      }
      :host([compact]) dd {
        font-size: 14px;
        line-height: 20px;
      }
      :host([compact]) button {
        display: none;
      }
      @media ${touch} {
        button {
          height: 44px;
          margin-top: -10px;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.compact = false;
    this.exact = false;
  }

  protected reads(state: State) {
    return [state.run, state.pattern, state.preview, state.pinned, state.stale];
  }

  override render() {
    const { pattern, model, stale } = this.state;
    const cell = activeCell(this.state);
    if (!pattern || !model) return nothing;
    const row = cell && rowOf(pattern, cell.query);
    if (!cell || !row) {
      return html`<p class="quiet">
        Choose a row or a cell: hover to look, click to keep, Escape to release.
      </p>`;
    }
    const queries = queryLabels(this.state);
    const keys = keyLabels(this.state);
    const isCross = pattern.id.attention === "cross";
    const number = this.exact ? full : brief;
    const key = cell.key;
    const numbers =
      key === undefined
        ? undefined
        : cellNumbers(
            pattern,
            { query: cell.query, key },
            model.config.attentionScale,
          );
    // With a cache, scores that the mask hides may never have been computed.
    const shown = (value: number) =>
      Number.isNaN(value) && numbers?.allowed === false ? "–" : number(value);
    return html`
      <header class=${stale ? "stale" : ""}>
        <div class="who">
          <span class="query"
            >query ${cell.query} ${isCross ? "predicts " : nothing}<span
              class="token"
              >${tokenText(queries[cell.query]!)}</span
            ></span
          >
          ${
            key === undefined || !keys[key]
              ? nothing
              : html`<span aria-hidden="true">→</span>
                  <span class="key"
                    >key ${key}
                    <span class="token">${tokenText(keys[key]!)}</span></span
                  >`
          }
        </div>
        <button
          class="plain"
          aria-pressed=${this.exact ? "true" : "false"}
          @click=${() => (this.exact = !this.exact)}
        >
          all digits
        </button>
      </header>
      <dl class=${`${this.exact ? "exact" : ""} ${stale ? "stale" : ""}`}>
        ${
          numbers
            ? html`
                <div>
                  <dt>score</dt>
                  <dd>${shown(numbers.score)}</dd>
                </div>
                <div>
                  <dt>scaled</dt>
                  <dd>${shown(numbers.scaled)}</dd>
                </div>
                <div>
                  <dt>weight</dt>
                  <dd class="weight">${number(numbers.weight)}</dd>
                </div>
                <div>
                  <dt>rank</dt>
                  <dd>
                    ${
                      numbers.allowed
                        ? html`${numbers.rank} of ${numbers.of}`
                        : "masked"
                    }
                  </dd>
                </div>
              `
            : this.#rowFacts(row.weights, row.allowed, number)
        }
      </dl>
    `;
  }

  #rowFacts(
    weights: Float32Array,
    allowed: Uint8Array,
    number: (value: number) => string,
  ) {
    let sum = 0;
    let keys = 0;
    let largest = 0;
    weights.forEach((weight, key) => {
      sum += weight;
      keys += allowed[key] ? 1 : 0;
      largest = Math.max(largest, weight);
    });
    if (keys === 0) {
      return html`<div>
        <dt>row</dt>
        <dd>nothing is allowed: all weights are 0</dd>
      </div>`;
    }
    return html`
      <div>
        <dt>keys seen</dt>
        <dd>${keys}</dd>
      </div>
      <div>
        <dt>largest</dt>
        <dd>${number(largest)}</dd>
      </div>
      <div>
        <dt>row sum</dt>
        <dd class="sum">${number(Math.fround(sum))}</dd>
      </div>
    `;
  }
}
