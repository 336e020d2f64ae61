// Texts to begin with, where the model is one that comes with the page.

import { css, html, nothing } from "lit";
import { bundledModel } from "../state/bundled-models.js";
import type { State } from "../state/state.js";
import { base, controls } from "../styles/base.js";
import { StoreElement } from "./store-element.js";

export class AsExamples extends StoreElement {
  static override styles = [
    base,
    controls,
    css`
      .row {
        display: flex;
        align-items: center;
        gap: 4px;
        margin: 4px 0 0;
        overflow-x: auto;
        scrollbar-width: none;
      }
      button {
        flex: none;
        padding: 0 8px;
        color: var(--quiet);
      }
      button:hover {
        color: var(--text);
      }
      button[aria-pressed="true"] {
        color: var(--text);
        box-shadow: inset 0 -2px 0 var(--text);
      }
    `,
  ];

  protected reads(state: State) {
    return [state.model, state.text];
  }

  override render() {
    const { model, text } = this.state;
    if (model?.source.kind !== "bundled") return nothing;
    const examples = bundledModel(model.source.name)?.examples ?? [];
    return html`<div class="row" role="group" aria-label="Texts to begin with">
      ${examples.map(
        (example) =>
          html`<button
            class="plain"
            title=${example.text}
            aria-pressed=${example.text === text ? "true" : "false"}
            @click=${() => this.store.send({ type: "choose-example", example })}
          >
            ${example.name}
          </button>`,
      )}
    </div>`;
  }
}
