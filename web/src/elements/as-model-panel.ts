// The model: what runs, its settings, and how to give another one (the model
// that comes with the page, a folder by URL, files or a folder from disk).

import { css, html, nothing } from "lit";
import { count } from "../pictures/numbers.js";
import { bundledModels } from "../state/bundled-models.js";
import { modelName, sourceFrom } from "../state/model-source.js";
import type { ModelSource, State } from "../state/state.js";
import { base, controls } from "../styles/base.js";
import { fromFileList } from "./files.js";
import { StoreElement } from "./store-element.js";

export class AsModelPanel extends StoreElement {
  static override styles = [
    base,
    controls,
    css`
      dialog {
        width: min(560px, calc(100vw - 32px));
        max-height: calc(100dvh - 32px);
        padding: 24px;
        border: 1px solid var(--quiet);
        border-radius: 4px;
        background: var(--ground);
        color: var(--text);
        overflow-y: auto;
      }
      dialog::backdrop {
        background: light-dark(#1f232855, #000a);
      }
      .head {
        display: flex;
        justify-content: space-between;
        align-items: center;
        margin-bottom: 8px;
      }
      h2 {
        font-size: 18px;
        overflow-wrap: anywhere;
      }
      dl {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(116px, 1fr));
        gap: 8px 16px;
        margin: 0 0 12px;
      }
      dt {
        font-size: 12px;
        line-height: 16px;
        color: var(--quiet);
      }
      dd {
        margin: 0;
      }
      h3 {
        margin: 20px 0 8px;
        padding-top: 16px;
        border-top: 1px solid var(--line);
        font-size: 14px;
        line-height: 20px;
      }
      .menu {
        display: grid;
        gap: 4px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .menu button {
        width: 100%;
        text-align: left;
      }
      .menu [aria-current] {
        border-color: var(--text);
      }
      form {
        display: flex;
        gap: 8px;
        margin: 12px 0;
      }
      form input {
        flex: 1;
        min-width: 0;
      }
      .files {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
      }
      .files label {
        display: inline-grid;
        place-items: center;
        position: relative;
        height: var(--control);
        padding: 0 12px;
        border: 1px solid var(--line);
        border-radius: 4px;
        cursor: pointer;
      }
      .files label:hover {
        border-color: var(--quiet);
      }
      .files label:has(:focus-visible) {
        outline: 2px solid var(--text);
        outline-offset: 2px;
      }
      .files input {
        position: absolute;
        inset: 0;
        opacity: 0;
        cursor: pointer;
        width: 100%;
      }
      .note {
        margin-top: 8px;
        font-size: 12px;
        line-height: 16px;
      }
    `,
  ];

  protected reads(state: State) {
    return [state.model];
  }

  show(): void {
    this.renderRoot.querySelector("dialog")!.showModal();
  }

  override render() {
    return html`<dialog
      aria-label="Model"
      @click=${(event: Event) => {
        if (event.target === event.currentTarget) this.#close();
      }}
    >
      ${this.#facts()}
      <h3>Look into another model</h3>
      <ul class="menu" aria-label="Models that come with this page">
        ${bundledModels.map(
          ({ name, about }) =>
            html`<li>
              <button
                aria-current=${this.#isThere(name) ? "true" : nothing}
                @click=${() => this.#load({ kind: "bundled", name })}
              >
                ${name} <span class="quiet">${about}</span>
              </button>
            </li>`,
        )}
      </ul>
      <form @submit=${this.#onName}>
        <input
          type="text"
          required
          aria-label="Hub name, or address of a checkpoint folder"
          placeholder="owner/name, or https://…"
          autocapitalize="off"
          autocomplete="off"
          spellcheck="false"
        />
        <button>Load</button>
      </form>
      <div class="files">
        <label
          >Folder…
          <input
            type="file"
            webkitdirectory
            aria-label="Folder"
            @change=${this.#onFiles}
        /></label>
        <label
          >Files…
          <input
            type="file"
            multiple
            aria-label="Files"
            @change=${this.#onFiles}
        /></label>
        <span class="quiet">or drop them anywhere on the page</span>
      </div>
      <p class="note quiet">
        A folder in the Hugging Face layout: config.json, tokenizer.json,
        model.safetensors (or its index and parts), of the GPT-2, GPT-Neo,
        GPT-NeoX, OPT, BLOOM, Llama, Mistral, Qwen2, Qwen3, Gemma 3, BERT,
        DistilBERT, RoBERTa, T5, Marian, BART, mBART or M2M100 family. A name
        may end in @revision. Your files and texts stay in this browser; so do
        downloads, which are kept in its cache.
      </p>
    </dialog>`;
  }

  #facts() {
    const { model } = this.state;
    if (!model) {
      return html`<div class="head">
        <h2>No model yet</h2>
        <button @click=${this.#close}>Close</button>
      </div>`;
    }
    const { config } = model;
    const { encoder } = config;
    const facts: readonly (readonly [string, string])[] = [
      ["family", config.modelType],
      ["kind", config.architecture],
      ["parameters", count(config.numParameters)],
      ["layers", both(encoder?.numLayers, config.numLayers)],
      [
        "heads",
        encoder
          ? both(encoder.numHeads, config.numQueryHeads)
          : config.numKvHeads === config.numQueryHeads
            ? String(config.numQueryHeads)
            : `${config.numQueryHeads} on ${config.numKvHeads} keys`,
      ],
      ["model_dim", String(config.modelDim)],
      ["head_dim", String(config.headDim)],
      ["vocabulary", String(config.vocabularySize)],
      ["context", String(config.context)],
      ["position", config.position],
      ["norm", config.norm],
    ];
    return html`
      <div class="head">
        <h2>${modelName(model.source)}</h2>
        <button @click=${this.#close}>Close</button>
      </div>
      <dl>
        ${facts.map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      ${
        model.hasTokenizer
          ? nothing
          : html`<p>
              This folder has no tokenizer.json, so it cannot run text.
            </p>`
      }
      <as-storage .store=${this.store}></as-storage>
      <as-variant-line .store=${this.store}></as-variant-line>
      <as-model-card .store=${this.store}></as-model-card>
    `;
  }

  #isThere(name: string): boolean {
    const source = this.state.model?.source;
    return source?.kind === "bundled" && source.name === name;
  }

  readonly #close = () => this.renderRoot.querySelector("dialog")!.close();

  #load(source: ModelSource) {
    this.store.send({ type: "load-model", source });
    this.#close();
  }

  #onName(event: SubmitEvent) {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    this.#load(sourceFrom(form.querySelector("input")!.value));
  }

  #onFiles(event: Event) {
    const input = event.target as HTMLInputElement;
    const source = fromFileList(input.files ?? []);
    input.value = ""; // the same files may be chosen again
    if (source) this.#load(source);
  }
}

/** Of encoder and decoder, where there are both. */
const both = (encoder: number | undefined, decoder: number) =>
  encoder === undefined ? String(decoder) : `${encoder} + ${decoder}`;
