// A load under way, with bytes, percent and cancel; or why the last one
// failed. The previous model stays usable below it.

import { css, html, nothing } from "lit";
import { bytes } from "../pictures/numbers.js";
import { modelName } from "../state/model-source.js";
import type { State } from "../state/state.js";
import { base, controls } from "../styles/base.js";
import { StoreElement } from "./store-element.js";

const stageNames: Record<string, string> = {
  module: "engine",
  config: "settings",
  tokenizer: "tokenizer",
  weights: "weights",
  ready: "ready",
};

export class AsLoadStatus extends StoreElement {
  static override styles = [
    base,
    controls,
    css`
      .loading,
      .fault {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px 16px;
        margin-bottom: 16px;
        padding: 8px 12px;
        background: var(--panel);
      }
      .fault {
        border-left: 3px solid var(--alarm);
        overflow-wrap: anywhere;
      }
      .fault p {
        flex: 1 1 240px;
      }
      code {
        font: 12px/20px var(--mono);
      }
      progress {
        flex: 1 1 160px;
        height: 8px;
        appearance: none;
        border: 0;
        background: var(--line);
        accent-color: var(--text);
      }
      progress::-webkit-progress-bar {
        background: var(--line);
      }
      progress::-webkit-progress-value {
        background: var(--text);
      }
      progress::-moz-progress-bar {
        background: var(--text);
      }
      .amount {
        min-width: 15em;
      }
    `,
  ];

  protected reads(state: State) {
    return [state.loading, state.loadFault, state.model];
  }

  override render() {
    const { loading, loadFault, model } = this.state;
    if (loading) {
      const { loaded, total } = loading;
      const share = total ? Math.min(1, loaded / total) : undefined;
      return html`<div class="loading" role="status">
        <span>Loading ${modelName(loading.source)}</span>
        <progress
          max="1"
          aria-label=${`Loading ${stageNames[loading.stage] ?? loading.stage}`}
          .value=${share ?? 0}
        ></progress>
        <span class="amount quiet">
          ${stageNames[loading.stage] ?? loading.stage}:
          ${bytes(loaded)}${
            total
              ? html` of ${bytes(total)}, ${Math.floor(share! * 100)} %`
              : nothing
          }
        </span>
        <button @click=${() => this.store.send({ type: "cancel-load" })}>
          Cancel
        </button>
      </div>`;
    }
    if (loadFault) {
      return html`<div class="fault" role="alert">
        <p>
          <code>${loadFault.code}</code> ${loadFault.message}
          ${
            model
              ? html`<span class="quiet"
                  >${modelName(model.source)} is still there.</span
                >`
              : nothing
          }
        </p>
        <button @click=${() => this.store.send({ type: "dismiss-fault" })}>
          Close
        </button>
      </div>`;
    }
    return nothing;
  }
}
