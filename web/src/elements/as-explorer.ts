// The root: one explorer with a store and an engine of its own. Lays out the
// parts; holds no state but whether the window is narrow. With `linked` it
// keeps the page's fragment and its state the same.
// Read next: ../state/state.ts, as-heatmap.ts.

import { loadModel } from "attnscope";
import { css, html, nothing } from "lit";
import type { ModelSource, State } from "../state/state.js";
import { bundledModels } from "../state/bundled-models.js";
import { Engine } from "../state/engine.js";
import { fromLink, toLink } from "../state/link.js";
import { modelName } from "../state/model-source.js";
import { headsOf } from "../state/parts.js";
import { activeCell, isOnSource } from "../state/selectors.js";
import { Store } from "../state/store.js";
import { base, controls, narrow } from "../styles/base.js";
import { tokens } from "../styles/tokens.js";
import type { AsModelPanel } from "./as-model-panel.js";
import { fromDrop } from "./files.js";
import { StoreElement } from "./store-element.js";

const linkPause = 300; // milliseconds; browsers limit how often it may change

export class AsExplorer extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    /** Address of the folder of the models that come with the page. */
    models: { type: String },
    /** Where names of the hub lead; for mirrors. */
    hubBase: { type: String, attribute: "hub-base" },
    /** Whether the page's fragment belongs to this explorer. */
    linked: { type: Boolean },
    narrow: { state: true },
    dropping: { state: true },
  };
  declare models: string;
  declare hubBase: string | undefined;
  declare linked: boolean;
  declare private narrow: boolean;
  declare private dropping: boolean;

  static override styles = [
    tokens,
    base,
    controls,
    css`
      :host {
        min-height: 100dvh;
        background: var(--ground);
      }
      .page {
        max-width: 1600px;
        margin: 0 auto;
        padding: 0 24px 48px;
      }
      .top {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 8px 16px;
        min-height: 52px;
      }
      h1 {
        margin: 0;
        font: 600 20px/28px var(--serif);
        letter-spacing: 0.01em;
      }
      .tools {
        display: flex;
        align-items: center;
        gap: 8px;
        min-width: 0;
      }
      .tools button {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      as-token-strip {
        margin: 8px 0;
        min-height: 44px;
      }
      as-way {
        position: sticky;
        top: 0;
        z-index: 3;
        background: var(--ground);
        border-block: 1px solid var(--line);
      }
      .bench {
        display: grid;
        grid-template-columns: 240px minmax(0, 1fr) minmax(280px, 320px);
        gap: 32px;
        margin-top: 16px;
        align-items: start;
      }
      .many-heads {
        grid-template-columns: 328px minmax(0, 1fr) minmax(280px, 320px);
        gap: 24px;
      }
      .side {
        display: grid;
        gap: 24px;
        min-width: 0;
      }
      as-cell-card {
        min-height: 84px;
      }
      .waiting {
        display: grid;
        place-items: center;
        min-height: 320px;
        margin-top: 24px;
        border: 1px dashed var(--line);
        text-align: center;
        color: var(--quiet);
      }
      .dropping {
        outline: 2px dashed var(--text);
        outline-offset: -8px;
      }
      @media ${narrow} {
        .page {
          padding: 0 16px 96px;
        }
        .bench {
          grid-template-columns: minmax(0, 1fr);
          gap: 24px;
          margin-top: 16px;
        }
        .dock {
          position: fixed;
          inset: auto 0 0;
          z-index: 4;
          display: grid;
          grid-template-columns: minmax(0, 1fr) auto;
          align-items: center;
          gap: 12px;
          padding: 8px 16px calc(8px + env(safe-area-inset-bottom));
          border-top: 1px solid var(--line);
          background: var(--ground);
        }
        .dock as-cell-card {
          min-height: 0;
        }
      }
      dialog.sheet {
        position: fixed;
        inset: auto 0 0;
        width: 100%;
        max-width: none;
        max-height: 80dvh;
        margin: 0;
        padding: 16px;
        border: 0;
        border-top: 1px solid var(--quiet);
        background: var(--ground);
        color: var(--text);
        overflow-y: auto;
      }
      dialog.sheet::backdrop {
        background: light-dark(#1f232855, #000a);
      }
      dialog.sheet form {
        position: absolute;
        top: 8px;
        right: 16px;
      }
      dialog.sheet as-heads {
        padding-top: 8px;
      }
    `,
  ];

  #engine: Engine | undefined;
  #endLink: (() => void) | undefined;
  #linkTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #narrowQuery = window.matchMedia(narrow.cssText);
  readonly #darkQuery = window.matchMedia("(prefers-color-scheme: dark)");

  constructor() {
    super();
    this.store = new Store();
    this.models = "models/";
    this.linked = false;
    this.narrow = this.#narrowQuery.matches;
    this.dropping = false;
  }

  protected reads(state: State) {
    return [
      state.model,
      state.run === undefined,
      state.text === "",
      state.loading === undefined,
      state.head,
      state.theme,
      activeCell(state) === undefined,
    ];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#narrowQuery.addEventListener("change", this.#onNarrow);
    this.#darkQuery.addEventListener("change", this.#onDark);
    this.addEventListener("keydown", this.#onEscape);
    this.#onDark();
    this.#engine = new Engine(
      this.store,
      loadModel,
      new URL(this.models, document.baseURI).href,
      this.hubBase === undefined ? {} : { hubBase: this.hubBase },
    );
    const link = this.linked ? fromLink(location.hash) : undefined;
    const source: ModelSource = link?.model ?? {
      kind: "bundled",
      name: bundledModels[0]!.name,
    };
    if (link)
      this.store.send({
        type: "follow-link",
        link: { ...link, model: source },
      });
    if (!this.store.state.loading) {
      this.store.send({ type: "load-model", source });
    }
    if (this.linked) this.#followLinks();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#narrowQuery.removeEventListener("change", this.#onNarrow);
    this.#darkQuery.removeEventListener("change", this.#onDark);
    this.removeEventListener("keydown", this.#onEscape);
    this.#endLink?.();
    this.#engine?.dispose();
  }

  #followLinks(): void {
    const onHash = () => {
      const link = fromLink(location.hash);
      if (link) this.store.send({ type: "follow-link", link });
    };
    window.addEventListener("hashchange", onHash);
    const end = this.store.subscribe(() => {
      if (this.#linkTimer !== undefined) return;
      this.#linkTimer = setTimeout(() => {
        this.#linkTimer = undefined;
        const link = toLink(this.store.state);
        // Before there is a model the state may know less than the link.
        if (this.store.state.model && link !== location.hash) {
          history.replaceState(history.state, "", link);
        }
      }, linkPause);
    });
    this.#endLink = () => {
      end();
      clearTimeout(this.#linkTimer);
      window.removeEventListener("hashchange", onHash);
    };
  }

  readonly #onNarrow = () => (this.narrow = this.#narrowQuery.matches);

  readonly #onDark = () =>
    this.store.send({ type: "system-theme", dark: this.#darkQuery.matches });

  readonly #onEscape = (event: KeyboardEvent) => {
    // In a dialog the key closes that.
    const inDialog = event
      .composedPath()
      .some((node) => node instanceof HTMLDialogElement);
    if (event.key === "Escape" && !inDialog) {
      this.store.send({ type: "pin-cell", cell: undefined });
    }
  };

  override render() {
    const { model, run, theme } = this.state;
    if (theme === "auto") this.removeAttribute("theme");
    else this.setAttribute("theme", theme);
    return html`
      <div
        class=${`page ${this.dropping ? "dropping" : ""}`}
        @dragover=${this.#onDragOver}
        @dragleave=${() => (this.dropping = false)}
        @drop=${this.#onDrop}
      >
        <header class="top">
          <h1>attnscope</h1>
          <div class="tools">
            <button
              @click=${() =>
                this.renderRoot
                  .querySelector<AsModelPanel>("as-model-panel")!
                  .show()}
            >
              ${
                model
                  ? html`${modelName(model.source)}
                      <span class="quiet"
                        >${model.storage === "float32" ? "" : model.storage}
                        ${this.narrow ? "" : model.variant.variant}</span
                      >`
                  : "Model"
              }
            </button>
            ${
              this.linked && !this.narrow
                ? html`<as-share-button .store=${this.store}></as-share-button>`
                : nothing
            }
            <as-theme-switch .store=${this.store}></as-theme-switch>
          </div>
        </header>
        <main>
          <as-load-status .store=${this.store}></as-load-status>
          <as-text-field .store=${this.store}></as-text-field>
          <as-examples .store=${this.store}></as-examples>
          ${run ? this.#bench() : this.#waiting()}
        </main>
        <as-model-panel .store=${this.store}></as-model-panel>
      </div>
    `;
  }

  #waiting() {
    const { text, model, loading } = this.state;
    const words =
      text === ""
        ? "Type a text to see where attention goes."
        : loading || model
          ? "Tokens, heads and the picture appear here once computed."
          : "No model is loaded. Choose one with the button at the top, or drop a checkpoint folder here.";
    return html`<div class="waiting"><p>${words}</p></div>`;
  }

  #bench() {
    const { store } = this;
    const strip = html`
      ${
        isOnSource(this.state)
          ? html`<as-token-strip
              .store=${store}
              .side=${"source"}
            ></as-token-strip>`
          : nothing
      }
      <as-token-strip .store=${store}></as-token-strip>
      <as-attention-choice .store=${store}></as-attention-choice>
      <as-way .store=${store}></as-way>
    `;
    if (!this.narrow) {
      return html`${strip}
        <div class=${`bench ${this.#hasManyHeads() ? "many-heads" : ""}`}>
          <div class="side">
            <as-heads .store=${store}></as-heads>
            <as-mask-panel .store=${store}></as-mask-panel>
            <as-generate-panel .store=${store}></as-generate-panel>
          </div>
          <as-picture .store=${store}></as-picture>
          <div class="side">
            <as-cell-card .store=${store}></as-cell-card>
            <as-row-bars .store=${store}></as-row-bars>
            <as-next-tokens .store=${store}></as-next-tokens>
            <as-logit-lens .store=${store}></as-logit-lens>
          </div>
        </div>`;
    }
    return html`${strip}
      <div class="bench">
        <as-picture .store=${store}></as-picture>
        <as-row-bars .store=${store} .limit=${8}></as-row-bars>
        <as-next-tokens .store=${store}></as-next-tokens>
        <as-logit-lens .store=${store}></as-logit-lens>
        <as-generate-panel .store=${store}></as-generate-panel>
        <as-mask-panel .store=${store}></as-mask-panel>
      </div>
      ${this.#dock()}`;
  }

  #hasManyHeads(): boolean {
    const { model, head } = this.state;
    if (!model) return false;
    return headsOf(model.config, head?.attention ?? "self").numHeads > 6;
  }

  /** On a narrow window: the read-out follows the tap, heads come from below. */
  #dock() {
    const { head } = this.state;
    const sheet = () =>
      this.renderRoot.querySelector<HTMLDialogElement>("dialog.sheet")!;
    return html`
      <div class="dock">
        <as-cell-card .store=${this.store} compact></as-cell-card>
        <button @click=${() => sheet().showModal()}>
          ${head ? html`Heads <span class="quiet">${head.layer}.${head.head}</span>` : "Heads"}
        </button>
      </div>
      <dialog
        class="sheet"
        aria-label="Heads"
        @click=${(event: Event) => {
          if (event.target === event.currentTarget) sheet().close();
        }}
      >
        <form method="dialog"><button>Close</button></form>
        <as-heads .store=${this.store} .smallest=${40}></as-heads>
      </dialog>
    `;
  }

  #onDragOver(event: DragEvent) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.dropping = true;
  }

  async #onDrop(event: DragEvent) {
    this.dropping = false;
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    const source = await fromDrop(event.dataTransfer);
    if (source) this.store.send({ type: "load-model", source });
  }
}
