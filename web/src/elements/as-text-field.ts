// The text to look at, exactly as typed, and what running it took. An
// encoder-decoder has two: the source, and what it is made to say.

import { css, html, nothing } from "lit";
import { milliseconds } from "../pictures/numbers.js";
import type { Action } from "../state/actions.js";
import { isOnSource } from "../state/selectors.js";
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
      .texts {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr));
        gap: 8px;
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
      state.target,
      state.run,
      state.stale,
      state.running,
      state.runFault,
      state.model,
    ];
  }

  override render() {
    const { text, runFault } = this.state;
    const two = isOnSource(this.state);
    return html`
      <div class="texts">
        ${this.#area(
          two ? "Source text" : "Text",
          "text",
          two ? "Type a source text" : "Type a text",
          (text) => ({ type: "edit-text", text }),
        )}
        ${
          two
            ? this.#area(
                "Target text",
                "target",
                "Target: empty, the model writes it; or type one to see it read",
                (target) => ({ type: "edit-target", target }),
              )
            : nothing
        }
      </div>
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

  #area(
    label: string,
    part: "text" | "target",
    placeholder: string,
    action: (value: string) => Action,
  ) {
    return html`<textarea
      rows="1"
      aria-label=${label}
      placeholder=${placeholder}
      data-part=${part}
      spellcheck="false"
      autocapitalize="off"
      autocomplete="off"
      @input=${(event: Event) =>
        this.store.send(action((event.target as HTMLTextAreaElement).value))}
    ></textarea>`;
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
      ? html`${
            run.sourceTokens.length > 0
              ? html`<span title="tokens of the source"
                  >S = ${run.sourceTokens.length}</span
                >`
              : nothing
          }<span title="tokens of the text">T = ${run.tokens.length}</span>
          <span class="quiet">run ${milliseconds(run.milliseconds)}</span>`
      : nothing;
  }

  protected override updated(): void {
    for (const area of this.renderRoot.querySelectorAll("textarea")) {
      const shown = asShown(this.state[area.dataset["part"] as "text"]);
      if (area.value !== shown) area.value = shown;
    }
  }
}
