// The tokens of the text in order, with the chosen query's weights as bars
// under them. Red outlines the query, blue the key; generated ones are gold.

import { css, html, nothing } from "lit";
import { classMap } from "lit/directives/class-map.js";
import { stylesOf } from "./styles-of.js";
import { barLength } from "../pictures/numbers.js";
import { activeCell, rowOf, runLabels } from "../state/selectors.js";
import type { State } from "../state/state.js";
import { labelText } from "../state/tokens.js";
import { base, controls, touch } from "../styles/base.js";
import { StoreElement } from "./store-element.js";
import { tokenText } from "./token-text.js";

export class AsTokenStrip extends StoreElement {
  static override styles = [
    base,
    controls,
    css`
      ol {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 2px;
        max-height: 96px;
        position: relative;
        margin: 0;
        padding: 2px;
        overflow-y: auto;
        list-style: none;
      }
      li.joined {
        margin-left: -3px;
      }
      li button {
        position: relative;
        height: auto;
        min-height: 40px;
        padding: 0 5px 17px;
        border: 1px solid transparent;
        border-radius: 3px;
        background: var(--panel);
        line-height: 22px;
      }
      li button:hover {
        border-color: var(--line);
      }
      li.joined button {
        border-radius: 0 3px 3px 0;
      }
      .generated {
        box-shadow: inset 0 -2px 0 var(--output);
      }
      button.is-key {
        border-color: var(--key);
        box-shadow: inset 0 0 0 1px var(--key);
      }
      button.is-query {
        border-color: var(--query);
        box-shadow: inset 0 0 0 1px var(--query);
      }
      button.is-query.is-key {
        border-color: var(--key);
        box-shadow:
          inset 0 0 0 1px var(--key),
          inset 0 0 0 3px var(--query);
      }
      .bar {
        position: absolute;
        inset: auto 3px 2px;
        background: var(--ink);
      }
      .special {
        font-style: italic;
      }
      @media ${touch} {
        ol {
          max-height: 148px;
        }
        li button {
          min-height: 44px;
          min-width: 28px;
        }
      }
    `,
  ];

  #shown: number | undefined;

  protected reads(state: State) {
    return [
      state.run,
      state.stale,
      state.pattern,
      state.preview,
      state.pinned,
      state.generation?.running,
    ];
  }

  override render() {
    const { run, stale, pattern } = this.state;
    if (!run) return nothing;
    const cell = activeCell(this.state);
    const row = cell && pattern ? rowOf(pattern, cell.query) : undefined;
    const labels = runLabels(this.state);
    const focused = Math.min(
      this.state.pinned?.query ?? 0,
      Math.max(0, labels.length - 1),
    );
    return html`
      <ol
        class=${classMap({ stale })}
        aria-label="Tokens"
        @pointerleave=${() =>
          this.store.send({ type: "preview-cell", cell: undefined })}
        @keydown=${this.#onKey}
      >
        ${labels.map((label, position) => {
          const isQuery = cell?.query === position;
          const isKey = cell?.key === position;
          const weight = row?.weights[position] ?? 0;
          return html`<li
            class=${classMap({ joined: (label.piece?.index ?? 0) > 0 })}
          >
            <button
              class=${classMap({
                special: label.special,
                generated: position >= run.promptLength,
                "is-query": isQuery,
                "is-key": isKey,
              })}
              tabindex=${position === focused ? 0 : -1}
              data-position=${position}
              aria-pressed=${isQuery ? "true" : "false"}
              aria-label=${`token ${position}: ${labelText(label)}`}
              title=${`${position}  id ${run.tokens[position]!.id}`}
              @pointerenter=${(event: PointerEvent) => {
                if (event.pointerType === "touch") return;
                this.#preview(position);
              }}
              @click=${() =>
                this.store.send({
                  type: "pin-cell",
                  cell: { query: position },
                })}
            >
              <span class="token">${tokenText(label)}</span
              ><span
                class="bar"
                style=${stylesOf({ height: barLength(weight, 13, "px") })}
              ></span>
            </button>
          </li>`;
        })}
      </ol>
    `;
  }

  /** A strip that scrolls shows the chosen query. */
  protected override updated(): void {
    const { pinned } = this.state;
    if (pinned?.query === this.#shown) return;
    this.#shown = pinned?.query;
    const strip = this.renderRoot.querySelector("ol");
    const chosen = strip?.querySelector<HTMLElement>(".is-query");
    if (!strip || !chosen) return;
    const top = chosen.offsetTop - 2;
    const bottom = top + chosen.offsetHeight + 4;
    if (top < strip.scrollTop) strip.scrollTop = top;
    else if (bottom > strip.scrollTop + strip.clientHeight) {
      strip.scrollTop = bottom - strip.clientHeight;
    }
  }

  #preview(position: number) {
    this.store.send({ type: "preview-cell", cell: { query: position } });
  }

  #onKey(event: KeyboardEvent) {
    const length = this.state.run?.tokens.length ?? 0;
    const at = Number((event.target as HTMLElement).dataset["position"]);
    const to =
      event.key === "ArrowLeft"
        ? at - 1
        : event.key === "ArrowRight"
          ? at + 1
          : event.key === "Home"
            ? 0
            : event.key === "End"
              ? length - 1
              : undefined;
    if (to === undefined || to < 0 || to >= length) return;
    event.preventDefault();
    this.store.send({ type: "pin-cell", cell: { query: to } });
    this.renderRoot
      .querySelector<HTMLElement>(`[data-position="${to}"]`)
      ?.focus();
  }
}
