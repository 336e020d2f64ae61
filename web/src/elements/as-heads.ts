// Every head of the model, a row per layer. Arrow keys walk the grid; choosing
// one animates nothing but the selection. Traits of heads are not here yet.

import { css, html, nothing } from "lit";
import { stylesOf } from "./styles-of.js";
import { headsOf, partsOf } from "../state/parts.js";
import type { HeadId, State } from "../state/state.js";
import { sameHead } from "../state/state.js";
import { base, controls } from "../styles/base.js";
import { StoreElement } from "./store-element.js";

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

export class AsHeads extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    /** Least size of a thumbnail; where it does not fit, the grid scrolls. */
    smallest: { type: Number },
  };
  declare smallest: number;

  static override styles = [
    base,
    controls,
    css`
      .grid {
        display: grid;
        gap: 2px;
        margin-top: 8px;
        overflow-x: auto;
        padding: 3px;
        justify-content: start;
      }
      .number {
        align-self: center;
        justify-self: center;
        min-width: 16px;
        text-align: center;
        font-size: 12px;
        color: var(--quiet);
      }
      button {
        height: auto;
        padding: 2px;
        border: 0;
        border-radius: 2px;
        background: none;
        line-height: 0;
      }
      button[aria-pressed="true"] {
        outline: 2px solid var(--text);
        outline-offset: 1px;
      }
      button:focus-visible {
        outline: 3px solid var(--text);
        outline-offset: 1px;
      }
    `,
  ];

  constructor() {
    super();
    this.smallest = 20;
  }

  #resize: ResizeObserver | undefined;

  protected reads(state: State) {
    return [state.model, state.head];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize = new ResizeObserver(() => this.requestUpdate());
    this.#resize.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize?.disconnect();
  }

  override render() {
    const { model, head: chosen } = this.state;
    if (!model) return nothing;
    const attention = chosen?.attention ?? partsOf(model.config).at(-1)!;
    const { numLayers, numHeads } = headsOf(model.config, attention);
    const room = (this.clientWidth || 240) - 26 - numHeads * 6;
    const size = Math.max(
      this.smallest,
      Math.min(72, Math.floor(room / numHeads)),
    );
    const entered = chosen ?? { attention, layer: 0, head: 0 };
    return html`
      <h2>
        Heads <span class="quiet">${numLayers} layers × ${numHeads}</span>
      </h2>
      <div
        class="grid"
        role="group"
        aria-label="Heads by layer"
        style=${stylesOf({
          "grid-template-columns": `auto repeat(${numHeads}, auto)`,
        })}
        @keydown=${this.#onKey}
      >
        <span></span>
        ${range(numHeads).map(
          (head) =>
            html`<span class="number" aria-hidden="true">${head}</span>`,
        )}
        ${range(numLayers).map(
          (layer) => html`
            <span class="number" aria-hidden="true">${layer}</span>
            ${range(numHeads).map((head) => {
              const id = { attention, layer, head };
              return html`<button
                aria-label=${`layer ${layer}, head ${head}`}
                aria-pressed=${sameHead(id, chosen) ? "true" : "false"}
                tabindex=${sameHead(id, entered) ? 0 : -1}
                data-layer=${layer}
                data-head=${head}
                @click=${() => this.store.send({ type: "choose-head", id })}
              >
                <as-head-thumbnail
                  .store=${this.store}
                  .head=${id}
                  .size=${size}
                ></as-head-thumbnail>
              </button>`;
            })}
          `,
        )}
      </div>
    `;
  }

  #onKey(event: KeyboardEvent) {
    const steps: Record<string, readonly [number, number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    };
    const step = steps[event.key];
    const from = (event.target as HTMLElement).closest("button");
    if (!step || !from) return;
    event.preventDefault();
    const id: HeadId = {
      attention: this.state.head?.attention ?? "self",
      layer: Number(from.dataset["layer"]) + step[0],
      head: Number(from.dataset["head"]) + step[1],
    };
    const to = this.renderRoot.querySelector<HTMLElement>(
      `[data-layer="${id.layer}"][data-head="${id.head}"]`,
    );
    if (!to) return;
    this.store.send({ type: "choose-head", id });
    to.focus();
  }
}
