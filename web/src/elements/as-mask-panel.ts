// The mask: which keys a query may see, as a picture and a choice.

import type { AttentionPart } from "attnscope";
import { css, html, nothing } from "lit";
import { weightRamp } from "../pictures/colours.js";
import { paintMatrix, type Matrix } from "../pictures/matrix.js";
import { weightDomain } from "../pictures/scale.js";
import { usualMask } from "../state/parts.js";
import { maskOf, palette, shownAttention } from "../state/selectors.js";
import type { MaskChoice, Pattern, State } from "../state/state.js";
import { base, controls } from "../styles/base.js";
import { putPixels } from "./canvas.js";
import { StoreElement } from "./store-element.js";

const size = 96;
const firstWindow = 4;

export class AsMaskPanel extends StoreElement {
  static override styles = [
    base,
    controls,
    css`
      .body {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 16px;
        margin-top: 8px;
      }
      canvas {
        outline: 1px solid var(--line);
      }
      .options {
        display: grid;
        align-content: start;
      }
      .options label {
        display: flex;
        align-items: center;
        gap: 8px;
        min-height: var(--control);
      }
      input[type="radio"] {
        margin: 0;
        accent-color: var(--text);
      }
      input[type="number"] {
        width: 64px;
        padding: 0 6px;
      }
      .note {
        margin-top: 8px;
        font-size: 12px;
        line-height: 16px;
      }
    `,
  ];

  #window = firstWindow;

  protected reads(state: State) {
    return [
      state.masks,
      state.model,
      state.pattern,
      state.stale,
      state.theme,
      state.systemDark,
    ];
  }

  override render() {
    const { model, pattern, stale } = this.state;
    if (!pattern || !model) return nothing;
    const { attention } = pattern.id;
    const mask = maskOf(this.state, attention);
    if (mask.kind === "window") this.#window = mask.size;
    return html`
      <h2>Mask</h2>
      <div class="body">
        <canvas
          class=${stale ? "stale" : ""}
          role="img"
          aria-label=${`The mask: ${pattern.rows} queries by ${pattern.cols} keys, hatched where a key is hidden`}
        ></canvas>
        ${
          attention === "cross"
            ? html`<p class="quiet">
                Every row sees the whole source: cross-attention has no mask of
                its own.
              </p>`
            : this.#options(mask)
        }
      </div>
      ${
        mask.kind === usualMask(model.config, attention).kind ||
        mask.kind === "window"
          ? nothing
          : html`<p class="note quiet">
              ${
                mask.kind === "none"
                  ? html`Queries now see keys after them. A model that was
                    trained with the causal mask has never met that.`
                  : html`Queries no longer see keys after them. A model that was
                    trained to see the whole text has never met that.`
              }
            </p>`
      }
    `;
  }

  #options(mask: MaskChoice) {
    return html`<div class="options" role="radiogroup" aria-label="Mask">
      ${this.#option({ kind: "causal" }, "causal")}
      ${this.#option({ kind: "none" }, "none")}
      <div>
        ${this.#option({ kind: "window", size: this.#window }, "window")}
        ${
          mask.kind === "window"
            ? html`<label
                ><input
                  type="number"
                  min="1"
                  max="9999"
                  aria-label="Keys in the window"
                  .value=${String(mask.size)}
                  @change=${this.#onSize}
                />
                keys</label
              >`
            : nothing
        }
      </div>
    </div>`;
  }

  get #attention(): AttentionPart {
    return shownAttention(this.state);
  }

  #choose(mask: MaskChoice) {
    const attention = this.#attention;
    this.store.send({ type: "choose-mask", attention, mask });
  }

  #option(mask: MaskChoice, name: string) {
    return html`<label>
      <input
        type="radio"
        name="mask"
        .checked=${maskOf(this.state, this.#attention).kind === mask.kind}
        @change=${() => this.#choose(mask)}
      />
      ${name}
    </label>`;
  }

  #onSize(event: Event) {
    const input = event.target as HTMLInputElement;
    const wanted = Math.round(Number(input.value));
    if (wanted >= 1 && wanted <= 9999) {
      this.#choose({ kind: "window", size: wanted });
    } else {
      input.value = String(this.#window);
    }
  }

  protected override updated(): void {
    const { pattern } = this.state;
    const canvas = this.renderRoot.querySelector("canvas");
    if (!pattern || !canvas) return;
    const colours = palette(this.state);
    putPixels(canvas, size, size, (width, height, pixelRatio) =>
      paintMatrix(maskMatrix(pattern), width, height, {
        domain: weightDomain,
        scale: "linear",
        ramp: weightRamp("ink", colours),
        palette: colours,
        pixelRatio,
        markZeros: false,
      }),
    );
  }
}

/** Allowed cells in a fixed light shade, hidden ones as masked. */
function maskMatrix(pattern: Pattern): Matrix {
  const { rows, cols, allowed } = pattern;
  return { rows, cols, allowed, values: Float32Array.from(allowed, () => 0.3) };
}
