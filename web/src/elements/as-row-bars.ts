// The chosen query's softmax row: a bar per key, as long as its weight.

import { css, html, nothing } from "lit";
import { classMap } from "lit/directives/class-map.js";
import { stylesOf } from "./styles-of.js";
import { barLength, brief } from "../pictures/numbers.js";
import { rowBars } from "../pictures/row-bars.js";
import { activeCell, keyLabels, rowOf } from "../state/selectors.js";
import type { State } from "../state/state.js";
import { base, controls, touch } from "../styles/base.js";
import { StoreElement } from "./store-element.js";
import { tokenText } from "./token-text.js";

export class AsRowBars extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    /** Bars that are shown at first. */
    limit: { type: Number },
    all: { state: true },
  };
  declare limit: number;
  declare private all: boolean;

  static override styles = [
    base,
    controls,
    css`
      ol {
        margin: 8px 0 0;
        padding: 0;
        list-style: none;
      }
      ol button {
        display: grid;
        grid-template-columns: 9em minmax(0, 1fr) 5em;
        align-items: center;
        gap: 8px;
        width: 100%;
        height: 24px;
        padding: 0;
        border: 0;
        border-radius: 2px;
        background: none;
        text-align: right;
      }
      ol button .token {
        overflow: hidden;
        text-overflow: ellipsis;
        color: var(--key);
        line-height: 24px;
      }
      ol button.chosen {
        box-shadow: inset 0 0 0 2px var(--key);
      }
      .track {
        height: 14px;
        border-left: 1px solid var(--quiet);
      }
      .bar {
        height: 100%;
        background: var(--ink);
      }
      .more {
        margin-top: 4px;
      }
      @media ${touch} {
        ol button {
          height: 44px;
          font-size: 16px;
          grid-template-columns: 7em minmax(0, 1fr) 5em;
        }
        .track {
          height: 24px;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.limit = 16;
    this.all = false;
  }

  protected reads(state: State) {
    return [state.run, state.pattern, state.preview, state.pinned, state.stale];
  }

  override render() {
    const { pattern, stale } = this.state;
    const cell = activeCell(this.state);
    const row = cell && pattern && rowOf(pattern, cell.query);
    if (!row) return nothing;
    const labels = keyLabels(this.state);
    const summary = rowBars(
      row.weights,
      row.allowed,
      this.all ? Infinity : this.limit,
    );
    return html`
      <h2>
        <span class="query">Row ${row.query}</span>
        <span class="quiet">spread over ${brief(summary.spread)} keys</span>
      </h2>
      <ol
        class=${classMap({ stale })}
        @pointerleave=${() =>
          this.store.send({ type: "preview-cell", cell: undefined })}
      >
        ${summary.bars.map((bar) => {
          const at = { query: row.query, key: bar.key };
          return html`<li>
            <button
              class=${classMap({ chosen: bar.key === cell.key })}
              @pointerenter=${(event: PointerEvent) => {
                if (event.pointerType === "touch") return;
                this.store.send({ type: "preview-cell", cell: at });
              }}
              @click=${() => this.store.send({ type: "pin-cell", cell: at })}
            >
              <span class="token"
                ><span class="glyph">${bar.key} </span>${tokenText(
                  labels[bar.key]!,
                )}</span
              >
              <span class="track"
                ><span
                  class="bar"
                  style=${stylesOf({
                    display: "block",
                    width: barLength(bar.weight, 100, "%"),
                  })}
                ></span
              ></span>
              <span class="number">${brief(bar.weight)}</span>
            </button>
          </li>`;
        })}
      </ol>
      ${
        summary.left > 0
          ? html`<button class="plain more" @click=${() => (this.all = true)}>
              ${summary.left} more key${summary.left === 1 ? "" : "s"}, together
              ${brief(summary.leftWeight)}
            </button>`
          : nothing
      }
      ${
        this.all && summary.bars.length > this.limit
          ? html`<button class="plain more" @click=${() => (this.all = false)}>
              only the ${this.limit} largest
            </button>`
          : nothing
      }
    `;
  }
}
