// What the colours of the large picture mean: the stage's true domain with
// marks on the chosen scale, and the looks of masked, zero and NaN cells.

import { css, html, nothing } from "lit";
import { stylesOf } from "./styles-of.js";
import { rampColour } from "../pictures/colours.js";
import { legendFacts, rampPixels } from "../pictures/legend.js";
import { paintMatrix } from "../pictures/matrix.js";
import { mark } from "../pictures/numbers.js";
import { palette, rampFor, stageMatrix } from "../state/selectors.js";
import type { State } from "../state/state.js";
import { base } from "../styles/base.js";
import { putPixels } from "./canvas.js";
import { StoreElement } from "./store-element.js";

const width = 240;
const height = 12;

export class AsLegend extends StoreElement {
  static override styles = [
    base,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        justify-content: center;
        gap: 8px 24px;
        font-size: 12px;
        line-height: 16px;
      }
      .scale {
        width: ${width}px;
      }
      .ramp {
        display: block;
        outline: 1px solid var(--line);
      }
      .ticks {
        position: relative;
        height: 20px;
      }
      .ticks span {
        position: absolute;
        top: 4px;
        transform: translateX(-50%);
        white-space: nowrap;
      }
      .ticks span::before {
        content: "";
        position: absolute;
        top: -4px;
        left: 50%;
        height: 4px;
        border-left: 1px solid var(--quiet);
      }
      .kinds {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 16px;
        align-items: center;
      }
      .kind {
        display: inline-flex;
        align-items: center;
        gap: 6px;
      }
      .kind canvas {
        outline: 1px solid var(--line);
      }
    `,
  ];

  protected reads(state: State) {
    return [
      state.pattern,
      state.stage,
      state.scale,
      state.ramp,
      state.theme,
      state.systemDark,
    ];
  }

  #facts() {
    const { pattern, stage, scale } = this.state;
    if (!pattern) return undefined;
    const matrix = stageMatrix(pattern, stage);
    return { matrix, ...legendFacts(matrix, matrix.domain, scale) };
  }

  override render() {
    const facts = this.#facts();
    if (!facts) return nothing;
    const { stage, scale } = this.state;
    const { domain } = facts.matrix;
    const what =
      stage === "weights"
        ? "weight"
        : stage === "scores"
          ? "score, query · key"
          : "scaled score";
    const range = domain.signed
      ? `−${mark(domain.max)} to ${mark(domain.max)}`
      : `0 to ${mark(domain.max)}`;
    const reading = {
      linear: "linear",
      sqrt: "square root",
      log: "log, floor 10⁻⁴",
      row: "each row by its own largest",
    }[scale];
    return html`
      <div class="scale">
        <canvas class="ramp"></canvas>
        <div class="ticks" aria-hidden="true">
          ${facts.ticks.map(
            (tick) =>
              html`<span
                style=${stylesOf({ left: `${(tick.place * 100).toFixed(2)}%` })}
                >${
                  scale === "row" && tick.share !== 0
                    ? tick.share === 1
                      ? "row max"
                      : tick.share === -1
                        ? "−row max"
                        : ""
                    : mark(tick.value)
                }</span
              >`,
          )}
        </div>
      </div>
      <div class="kinds">
        <span class="domain">${what}, ${range}; <b>${reading}</b></span>
        ${
          facts.masked
            ? this.#kind(
                "masked",
                stage === "scores" ? "never computed" : "masked",
              )
            : nothing
        }
        ${
          facts.zeros && stage === "weights"
            ? this.#kind("zero", "underflowed to 0")
            : nothing
        }
        ${facts.nans ? this.#kind("nan", "not a number") : nothing}
      </div>
    `;
  }

  #kind(kind: string, name: string) {
    return html`<span class="kind"
      ><canvas data-kind=${kind} aria-hidden="true"></canvas>${name}</span
    >`;
  }

  protected override updated(): void {
    const facts = this.#facts();
    const ramp = this.renderRoot.querySelector<HTMLCanvasElement>(".ramp");
    if (!facts || !ramp) return;
    const colours = palette(this.state);
    const colourRamp = rampFor(this.state, facts.matrix.domain);
    putPixels(ramp, width, height, (w, h) =>
      rampPixels(w, h, (shade) => rampColour(colourRamp, shade), facts.signed),
    );
    const kinds =
      this.renderRoot.querySelectorAll<HTMLCanvasElement>("canvas[data-kind]");
    for (const canvas of kinds) {
      const kind = canvas.dataset["kind"];
      putPixels(canvas, 18, 12, (w, h, pixelRatio) =>
        paintMatrix(
          {
            rows: 1,
            cols: 1,
            values: Float32Array.of(kind === "nan" ? NaN : 0),
            allowed: Uint8Array.of(kind === "masked" ? 0 : 1),
          },
          w,
          h,
          {
            domain: facts.matrix.domain,
            scale: "linear",
            ramp: colourRamp,
            palette: colours,
            pixelRatio,
            markZeros: true,
          },
        ),
      );
    }
  }
}
