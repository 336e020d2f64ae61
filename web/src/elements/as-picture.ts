// The chosen picture with its name, the choice of stage, scale and colours,
// its legend and its twin as a table.

import type { AttentionPart } from "attnscope";
import { css, html, nothing, type TemplateResult } from "lit";
import { rampNames, type RampName } from "../pictures/colours.js";
import { brief } from "../pictures/numbers.js";
import { scaleNames, type ScaleName } from "../pictures/scale.js";
import type { Stage, State } from "../state/state.js";
import { base, controls, narrow } from "../styles/base.js";
import { StoreElement } from "./store-element.js";

/** What the picture shows, in the paper's letters and the page's colours. */
const formulas: Record<Stage, (scale: number) => TemplateResult> = {
  scores: () =>
    html`<i>S</i> = <i class="query">Q</i> <i class="key">K</i><sup>T</sup>`,
  masked: (scale) =>
    html`<i>S</i>·<i>c</i> + <i>M</i
      ><span class="quiet">, <i>c</i> = ${brief(scale)}</span>`,
  weights: () => html`<i>A</i> = softmax(<i>S</i>·<i>c</i> + <i>M</i>)`,
};

const partTitles: Record<AttentionPart, string> = {
  encoder: "Encoder",
  self: "Decoder",
  cross: "Cross",
};

const scaleLabels: Record<ScaleName, { short: string; name: string }> = {
  linear: { short: "linear", name: "linear" },
  sqrt: { short: "√", name: "square root" },
  log: { short: "log", name: "logarithm with a floor" },
  row: { short: "per row", name: "each row by its own largest" },
};

export class AsPicture extends StoreElement {
  static override styles = [
    base,
    controls,
    css`
      :host {
        display: grid;
        gap: 10px;
        min-width: 0;
      }
      header,
      .reading {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 8px 16px;
      }
      .reading {
        justify-content: center;
      }
      h2 {
        font-size: 16px;
        line-height: 24px;
      }
      .formula {
        font: 18px/24px var(--serif);
      }
      @media ${narrow} {
        header {
          gap: 0 8px;
        }
        .formula {
          font-size: 16px;
        }
      }
      .formula sup {
        font-size: 12px;
        line-height: 0;
      }
      select {
        padding: 0 8px;
      }
    `,
  ];

  protected reads(state: State) {
    return [
      state.model,
      state.head,
      state.stage,
      state.scale,
      state.ramp,
      !state.pattern,
    ];
  }

  override render() {
    const { head, stage, scale, ramp, pattern, model } = this.state;
    if (!pattern || !head || !model) return nothing;
    const { attentionScale } = model.config;
    return html`
      <header>
        <h2>
          ${
            head.attention === "self" && !model.config.encoder
              ? nothing
              : html`<span class="quiet"
                  >${partTitles[head.attention]} ·
                </span>`
          }Layer
          ${head.layer} · head ${head.head}
        </h2>
        <p class="formula">${formulas[stage](attentionScale)}</p>
      </header>
      <as-heatmap .store=${this.store}></as-heatmap>
      <as-legend .store=${this.store}></as-legend>
      <div class="reading">
        <fieldset class="choice" aria-label="Scale">
          ${scaleNames.map(
            (name) =>
              html`<label title=${scaleLabels[name].name}>
                <input
                  type="radio"
                  name="scale"
                  aria-label=${scaleLabels[name].name}
                  .checked=${name === scale}
                  @change=${() =>
                    this.store.send({ type: "choose-scale", scale: name })}
                />
                ${scaleLabels[name].short}
              </label>`,
          )}
        </fieldset>
        ${
          stage === "weights"
            ? html`<select
                aria-label="Colours of weights"
                .value=${ramp}
                @change=${(event: Event) =>
                  this.store.send({
                    type: "choose-ramp",
                    ramp: (event.target as HTMLSelectElement).value as RampName,
                  })}
              >
                ${rampNames.map(
                  (name) =>
                    html`<option value=${name} ?selected=${name === ramp}>
                      ${name}
                    </option>`,
                )}
              </select>`
            : nothing
        }
      </div>
      <as-pattern-table .store=${this.store}></as-pattern-table>
    `;
  }
}
