// The logit lens: what the stream would predict if it left after each layer, at
// the chosen position. Computed only while it is open.

import { css, html, nothing } from "lit";
import { classMap } from "lit/directives/class-map.js";
import { brief } from "../pictures/numbers.js";
import { lensPosition, runLabels } from "../state/selectors.js";
import type { State } from "../state/state.js";
import { tokenLabels } from "../state/tokens.js";
import { base, controls } from "../styles/base.js";
import { StoreElement } from "./store-element.js";
import { tokenText } from "./token-text.js";

export class AsLogitLens extends StoreElement {
  static override styles = [
    base,
    controls,
    css`
      summary {
        cursor: pointer;
        font-weight: 600;
      }
      p {
        margin-top: 8px;
        font-size: 12px;
        line-height: 16px;
      }
      table {
        width: 100%;
        margin-top: 8px;
        border-collapse: collapse;
        table-layout: fixed;
      }
      th,
      td {
        padding: 3px 8px 3px 0;
        border-bottom: 1px solid var(--line);
        font-weight: 400;
        text-align: left;
        vertical-align: top;
      }
      .layer {
        width: 44px;
        color: var(--quiet);
      }
      thead th {
        font-size: 12px;
        line-height: 16px;
        color: var(--quiet);
      }
      .token {
        display: block;
        overflow: hidden;
        text-overflow: ellipsis;
        line-height: 18px;
      }
      .number {
        font-size: 12px;
        line-height: 14px;
        color: var(--quiet);
      }
      td.best .token {
        color: var(--output);
        font-weight: 600;
      }
    `,
  ];

  protected reads(state: State) {
    return [
      state.lens,
      state.lensOpen,
      state.run,
      state.model,
      state.head,
      state.pinned,
      state.stale,
    ];
  }

  override render() {
    const { run, model, lensOpen } = this.state;
    if (!run || !model?.config.hasLogits) return nothing;
    return html`<details
      .open=${lensOpen}
      @toggle=${(event: Event) => {
        const { open } = event.target as HTMLDetailsElement;
        if (open !== this.state.lensOpen) {
          this.store.send({ type: "show-lens", open });
        }
      }}
    >
      <summary>Logit lens</summary>
      ${lensOpen ? this.#table() : nothing}
    </details>`;
  }

  #table() {
    const { run, lens, stale } = this.state;
    const position = lensPosition(this.state);
    const label = runLabels(this.state)[lens?.position ?? position];
    const old =
      stale ||
      lens?.runId !== run?.id ||
      lens?.length !== run?.tokens.length ||
      lens?.position !== position;
    if (!lens || !label) return html`<p class="quiet">Computing …</p>`;
    return html`
      <p class="quiet">
        What the stream at ${lens.position}
        <span class="token-name">${tokenText(label)}</span> would predict if it
        left after each layer
      </p>
      <table class=${classMap({ stale: old })}>
        <thead>
          <tr>
            <th scope="col" class="layer">layer</th>
            <th scope="col">first</th>
            <th scope="col">second</th>
            <th scope="col">third</th>
          </tr>
        </thead>
        <tbody>
          ${lens.layers.map(
            (tokens, layer) =>
              html`<tr>
                <th scope="row" class="layer">${layer}</th>
                ${tokens.map(
                  (token, rank) =>
                    html`<td class=${rank === 0 ? "best" : ""}>
                      <span class="token"
                        >${tokenText(tokenLabels([token])[0]!)}</span
                      >
                      <span class="number">${brief(token.probability)}</span>
                    </td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    `;
  }
}
