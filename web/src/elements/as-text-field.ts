// The text to look at, exactly as typed, and what running it took.

import { css, html, nothing } from "lit";
import { milliseconds } from "../pictures/numbers.js";
import type { State } from "../state/state.js";
import { base, controls, narrow } from "../styles/base.js";
import { StoreElement } from "./store-element.js";

/** A text area shows line ends of its own kind only. */
const asShown = (text: string) => text.replace(/\r\n?/g, "\n");

export class AsTextField extends StoreElement {
  static override styles = [
    base,
    controls,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        align-items: center;
        gap: 8px 16px;
      }
      textarea {
        width: 100%;
        min-height: 44px;
        max-height: 92px;
        padding: 9px 12px;
        border: 1px solid var(--line);
        border-radius: 4px;
        background: none;
        font: 16px/24px var(--sans);
        resize: vertical;
        field-sizing: content;
      }
      textarea:hover {
        border-color: var(--quiet);
      }
      .status {
        display: flex;
        align-items: center;
        gap: 12px;
        min-width: 148px;
        justify-content: end;
      }
      .fault {
        grid-column: 1 / -1;
        padding: 8px 12px;
        border-left: 3px solid var(--alarm);
        background: var(--panel);
        overflow-wrap: anywhere;
      }
      code {
        font: 12px/20px var(--mono);
      }
      @media ${narrow} {
        :host {
          grid-template-columns: minmax(0, 1fr);
        }
        .status {
          justify-content: start;
        }
      }
    `,
  ];

  protected reads(state: State) {
    return [
      state.text,
      state.run,
      state.stale,
      state.running,
      state.runFault,
      state.model,
    ];
  }

  override render() {
    const { text, runFault } = this.state;
    return html`
      <textarea
        rows="1"
        aria-label="Text"
        placeholder="Type a text"
        spellcheck="false"
        autocapitalize="off"
        autocomplete="off"
        @input=${(event: Event) =>
          this.store.send({
            type: "edit-text",
            text: (event.target as HTMLTextAreaElement).value,
          })}
      ></textarea>
      <div class="status" role="status">${this.#status()}</div>
      ${
        runFault
          ? html`<div class="fault" role="alert">
              <code>${runFault.code}</code> ${runFault.message}
            </div>`
          : nothing
      }
      ${
        text === "" && this.state.model
          ? html`<p class="quiet">Empty: type something to see it computed.</p>`
          : nothing
      }
    `;
  }

  #status() {
    const { run, running, stale, model, runFault, text } = this.state;
    if (running) {
      return html`<span class="quiet">running…</span>
        <button @click=${() => this.store.send({ type: "cancel-run" })}>
          Cancel
        </button>`;
    }
    if (!model || text === "") return nothing;
    if (stale) {
      return runFault
        ? nothing
        : html`<button @click=${() => this.store.send({ type: "run-again" })}>
            Run
          </button>`;
    }
    return run
      ? html`<span title="tokens of the text">T = ${run.tokens.length}</span>
          <span class="quiet">run ${milliseconds(run.milliseconds)}</span>`
      : nothing;
  }

  protected override updated(): void {
    const area = this.renderRoot.querySelector("textarea")!;
    const shown = asShown(this.state.text);
    if (area.value !== shown) area.value = shown;
  }
}
