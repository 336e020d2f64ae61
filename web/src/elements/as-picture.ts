// The chosen picture with its name, the choice of stage, scale and colours,
// its legend and its twin as a table.

import { css, html, nothing } from "lit";
import { rampNames, type RampName } from "../pictures/colours.js";
import { scaleNames, type ScaleName } from "../pictures/scale.js";
import { stages, type Stage, type State } from "../state/state.js";
import { base, controls } from "../styles/base.js";
import { StoreElement } from "./store-element.js";

export const stageLabels: Record<Stage, { symbol: string; name: string }> = {
  scores: { symbol: "S", name: "scores" },
  masked: { symbol: "S + M", name: "masked" },
  weights: { symbol: "A", name: "weights" },
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
        gap: 12px;
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
      .symbol {
        font-family: var(--serif);
        font-style: italic;
        margin-right: 6px;
      }
      fieldset.choice label span {
        display: inline;
      }
      .where {
        display: inline-flex;
        align-items: baseline;
      }
      select {
        padding: 0 8px;
      }
    `,
  ];

  protected reads(state: State) {
    return [state.head, state.stage, state.scale, state.ramp, !state.pattern];
  }

  override render() {
    const { head, stage, scale, ramp, pattern } = this.state;
    if (!pattern || !head) return nothing;
    return html`
      <header>
        <h2>Layer ${head.layer} · head ${head.head}</h2>
        <fieldset class="choice" aria-label="Stage">
          ${stages.map(
            (name) =>
              html`<label>
                <input
                  type="radio"
                  name="stage"
                  .checked=${name === stage}
                  @change=${() =>
                    this.store.send({ type: "choose-stage", stage: name })}
                />
                <span class="where"
                  ><span class="symbol">${stageLabels[name].symbol}</span
                  >${stageLabels[name].name}</span
                >
              </label>`,
          )}
        </fieldset>
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
