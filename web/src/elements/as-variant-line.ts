// Which build of the engine runs, and why not a faster one.

import { css, html, nothing } from "lit";
import type { State } from "../state/state.js";
import { base } from "../styles/base.js";
import { StoreElement } from "./store-element.js";

export class AsVariantLine extends StoreElement {
  static override styles = [
    base,
    css`
      ul {
        margin: 4px 0 0;
        padding-left: 16px;
      }
    `,
  ];

  protected reads(state: State) {
    return [state.model];
  }

  override render() {
    const variant = this.state.model?.variant;
    if (!variant) return nothing;
    return html`
      <p>
        Engine: WebAssembly, <b>${variant.variant}</b>, kernels
        ${variant.kernels}${
          variant.reasons.length === 0
            ? html` <span class="quiet">(the fastest there is)</span>`
            : nothing
        }
      </p>
      ${
        variant.reasons.length > 0
          ? html`<ul class="quiet">
              ${variant.reasons.map((reason) => html`<li>${reason}</li>`)}
            </ul>`
          : nothing
      }
    `;
  }
}
