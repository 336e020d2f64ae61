// Which of an encoder-decoder's attentions is looked at, in the order of the
// computation. Other models have only one, and nothing to choose.

import type { AttentionPart } from "attnscope";
import { css, html, nothing } from "lit";
import { partsOf } from "../state/parts.js";
import type { State } from "../state/state.js";
import { base, controls } from "../styles/base.js";
import { StoreElement } from "./store-element.js";

const words: Record<AttentionPart, { short: string; name: string }> = {
  encoder: { short: "encoder", name: "encoder: the source on itself" },
  self: { short: "decoder", name: "decoder: the text on itself" },
  cross: { short: "cross", name: "cross: the text on the source" },
};

export class AsAttentionChoice extends StoreElement {
  static override styles = [
    base,
    controls,
    css`
      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 12px;
        margin: 4px 0 12px;
      }
    `,
  ];

  protected reads(state: State) {
    return [state.model, state.head];
  }

  override render() {
    const { model, head } = this.state;
    if (!model || !head) return nothing;
    const parts = partsOf(model.config);
    if (parts.length === 1) return nothing;
    return html`<div class="row">
      <fieldset class="choice" aria-label="Attention">
        ${parts.map(
          (attention) =>
            html`<label title=${words[attention].name}>
              <input
                type="radio"
                name="attention"
                aria-label=${words[attention].name}
                .checked=${attention === head.attention}
                @change=${() =>
                  this.store.send({ type: "choose-attention", attention })}
              />
              ${words[attention].short}
            </label>`,
        )}
      </fieldset>
      <span class="quiet" aria-hidden="true"
        >${words[head.attention].name.split(": ")[1]}</span
      >
    </div>`;
  }
}
