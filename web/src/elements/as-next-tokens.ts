// The most probable next tokens as bars, before temperature and cuts.

import { css, html, nothing } from "lit";
import { classMap } from "lit/directives/class-map.js";
import { stylesOf } from "./styles-of.js";
import { barLength, brief } from "../pictures/numbers.js";
import type { State } from "../state/state.js";
import { tokenLabels } from "../state/tokens.js";
import { base, narrow } from "../styles/base.js";
import { StoreElement } from "./store-element.js";
import { tokenText } from "./token-text.js";

export class AsNextTokens extends StoreElement {
  static override styles = [
    base,
    css`
      ol {
        margin: 8px 0 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: grid;
        grid-template-columns: 9em minmax(0, 1fr) 5em;
        align-items: center;
        gap: 8px;
        height: 22px;
        text-align: right;
      }
      .token {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .track {
        height: 12px;
        border-left: 1px solid var(--quiet);
      }
      .bar {
        height: 100%;
        background: var(--output);
      }
      @media ${narrow} {
        li {
          grid-template-columns: 7em minmax(0, 1fr) 5em;
        }
      }
    `,
  ];

  protected reads(state: State) {
    return [state.run, state.stale];
  }

  override render() {
    const { run, stale, model } = this.state;
    if (!run || run.next.length === 0) return nothing;
    const filled = run.tokens[run.nextAt];
    return html`
      <h2>
        ${
          model?.config.architecture === "encoder" && filled
            ? html`<span class="output">Token at ${run.nextAt}</span>
                <span class="quiet"
                  >probability in the place of
                  <span class="token"
                    >${tokenText(tokenLabels([filled])[0]!)}</span
                  ></span
                >`
            : html`<span class="output">Next token</span>
                <span class="quiet">probability after the text</span>`
        }
      </h2>
      <ol class=${classMap({ stale })}>
        ${run.next.map((token) => {
          // Alone, since each is one of several ways on.
          const label = tokenLabels([token])[0]!;
          return html`<li>
            <span class="token" title=${`id ${token.id}`}
              >${tokenText(label)}</span
            >
            <span class="track"
              ><div
                class="bar"
                style=${stylesOf({
                  width: barLength(token.probability, 100, "%"),
                })}
              ></div
            ></span>
            <span>${brief(token.probability)}</span>
          </li>`;
        })}
      </ol>
    `;
  }
}
