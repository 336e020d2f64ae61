// Generation: its settings, start and stop, one step at a time, and the text
// that came. The tokens themselves join the strip and the picture.

import { css, html, nothing } from "lit";
import { milliseconds } from "../pictures/numbers.js";
import type { GenerationSettings, State } from "../state/state.js";
import { base, controls } from "../styles/base.js";
import { StoreElement } from "./store-element.js";

const reasons = {
  "max-tokens": "as many as asked for",
  "end-token": "the model ended the text",
  capacity: "no more room in the KV cache",
  cancelled: "stopped",
} as const;

/** Families whose models translate. */
const translators = new Set(["marian", "m2m_100", "mbart"]);

interface Field {
  readonly name: keyof GenerationSettings;
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly title: string;
}

const fields: readonly Field[] = [
  {
    name: "temperature",
    label: "temperature",
    min: 0,
    max: 5,
    step: 0.1,
    title: "0 always takes the most probable token",
  },
  {
    name: "topK",
    label: "top-k",
    min: 0,
    max: 1_000_000,
    step: 1,
    title: "draws among the k most probable tokens; 0 means all",
  },
  {
    name: "topP",
    label: "top-p",
    min: 0.01,
    max: 1,
    step: 0.01,
    title: "draws among the fewest tokens that hold this probability together",
  },
  {
    name: "seed",
    label: "seed",
    min: 0,
    max: 4_294_967_295,
    step: 1,
    title: "the same seed draws the same tokens",
  },
  {
    name: "maxTokens",
    label: "tokens",
    min: 1,
    max: 10_000,
    step: 1,
    title: "how many tokens to add",
  },
];

export class AsGeneratePanel extends StoreElement {
  static override styles = [
    base,
    controls,
    css`
      .actions {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
        margin-top: 8px;
      }
      .plain {
        padding: 0 4px;
      }
      .fields {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(72px, 1fr));
        gap: 8px;
        margin-top: 12px;
      }
      input[type="number"] {
        width: 100%;
        padding: 0 0 0 8px;
        appearance: textfield;
      }
      input::-webkit-inner-spin-button {
        display: none;
      }
      input:invalid {
        border-color: var(--alarm);
      }
      .text {
        margin-top: 12px;
        padding-left: 12px;
        border-left: 3px solid var(--output);
        font: 16px/24px var(--serif);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .facts {
        margin-top: 4px;
        font-size: 12px;
        line-height: 16px;
      }
    `,
  ];

  protected reads(state: State) {
    return [
      state.settings,
      state.generation,
      state.run,
      state.stale,
      state.running,
      state.model,
    ];
  }

  override render() {
    const { settings, generation, run, stale, model } = this.state;
    // An encoder reads a whole text and does not go on with it.
    if (!run || !model || model.config.architecture === "encoder") {
      return nothing;
    }
    const verb = translators.has(model.config.modelType)
      ? "Translate"
      : "Generate";
    const busy = generation?.running ?? false;
    const grown = run.tokens.length > run.promptLength;
    return html`
      <h2>${verb}</h2>
      <div class="actions">
        ${
          busy
            ? html`<button
                class="primary"
                @click=${() => this.store.send({ type: "stop-generation" })}
              >
                Stop
              </button>`
            : html`<button
                  class="primary"
                  ?disabled=${stale}
                  @click=${() => this.store.send({ type: "generate" })}
                >
                  ${verb} ${settings.maxTokens}
                </button>
                <button
                  ?disabled=${stale}
                  @click=${() => this.store.send({ type: "generate", tokens: 1 })}
                >
                  One token
                </button>
                ${
                  grown
                    ? html`<button
                        class="plain"
                        @click=${() => this.store.send({ type: "run-again" })}
                      >
                        Start over
                      </button>`
                    : nothing
                }`
        }
      </div>
      <div class="fields">
        ${fields.map(
          (field) =>
            html`<label class="field" title=${field.title}>
              ${field.label}
              <input
                type="number"
                min=${field.min}
                max=${field.max}
                step=${field.step === 1 ? 1 : "any"}
                inputmode=${field.step === 1 ? "numeric" : "decimal"}
                .value=${String(settings[field.name])}
                ?disabled=${busy}
                @change=${(event: Event) => this.#onChange(field, event)}
              />
            </label>`,
        )}
      </div>
      <div aria-live="polite">
        ${
          generation && (generation.text !== "" || !busy)
            ? html`<p class="text">${generation.text}</p>
                <p class="facts quiet">
                  ${generation.probabilities.length}
                  token${generation.probabilities.length === 1 ? "" : "s"},
                  ${milliseconds(generation.milliseconds)}${
                    generation.reason
                      ? html`; ${reasons[generation.reason]}`
                      : nothing
                  }
                </p>`
            : nothing
        }
      </div>
    `;
  }

  #onChange(field: Field, event: Event) {
    const input = event.target as HTMLInputElement;
    if (input.value === "" || !input.validity.valid) {
      input.value = String(this.state.settings[field.name]);
      return;
    }
    this.store.send({
      type: "set-generation",
      change: { [field.name]: Number(input.value) },
    });
  }
}
