// The tokens of the text in order, or of an encoder-decoder's source, with the
// chosen query's weights as bars under the keys. Red outlines the query, blue the
// key; generated ones are gold. In cross-attention a query is the token that its
// row predicts, so the strip ends with the one that is still to come.

import { css, html, nothing } from "lit";
import { classMap } from "lit/directives/class-map.js";
import { stylesOf } from "./styles-of.js";
import { barLength } from "../pictures/numbers.js";
import { keysAreSource, queriesAreSource } from "../state/parts.js";
import {
  activeCell,
  isOnSource,
  nextLabel,
  rowOf,
  runLabels,
  shownAttention,
} from "../state/selectors.js";
import type { Cell, State } from "../state/state.js";
import { labelText } from "../state/tokens.js";
import { base, controls, touch } from "../styles/base.js";
import { StoreElement } from "./store-element.js";
import { tokenText } from "./token-text.js";

export class AsTokenStrip extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    side: { type: String, reflect: true },
  };
  declare side: "text" | "source";

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
      .to-come {
        border-style: dashed;
        border-color: var(--output);
      }
      button:disabled {
        color: var(--text);
        border-style: solid;
      }
      .name {
        align-self: center;
        margin-right: 6px;
        min-width: 44px;
        font-size: 12px;
        color: var(--quiet);
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

  constructor() {
    super();
    this.side = "text";
  }

  protected reads(state: State) {
    return [
      state.run,
      state.model,
      state.stale,
      state.pattern,
      state.preview,
      state.pinned,
      state.generation?.running,
    ];
  }

  override render() {
    const { run, stale, pattern } = this.state;
    if (!run || !pattern) return nothing;
    const cell = activeCell(this.state);
    const { queries, keys, shift } = this.#roles();
    const row = keys && cell ? rowOf(pattern, cell.query) : undefined;
    const next = shift > 0 ? nextLabel(this.state) : undefined;
    const labels = [
      ...runLabels(this.state, this.side),
      ...(next ? [next] : []),
    ];
    const tokens = this.side === "source" ? run.sourceTokens : run.tokens;
    const promptLength = this.side === "source" ? Infinity : run.promptLength;
    const focused = Math.min(this.#chosen() ?? shift, labels.length - 1);
    const isOne = !isOnSource(this.state);
    return html`
      <ol
        class=${classMap({ stale })}
        aria-label=${isOne ? "Tokens" : this.side === "source" ? "Source tokens" : "Target tokens"}
        @pointerleave=${() =>
          this.store.send({ type: "preview-cell", cell: undefined })}
        @keydown=${this.#onKey}
      >
        ${
          isOne
            ? nothing
            : html`<li class="name" aria-hidden="true">
                ${this.side === "source" ? "source" : "target"}
              </li>`
        }
        ${labels.map((label, position) => {
          const isQuery = queries && cell?.query === position - shift;
          const isKey = keys && cell?.key === position;
          const isToCome = position === tokens.length;
          const weight = row?.weights[position] ?? 0;
          return html`<li
            class=${classMap({ joined: (label.piece?.index ?? 0) > 0 })}
          >
            <button
              class=${classMap({
                special: label.special,
                generated: !isToCome && position >= promptLength,
                "to-come": isToCome,
                "is-query": isQuery,
                "is-key": isKey,
              })}
              ?disabled=${!keys && (!queries || position < shift)}
              tabindex=${position === focused ? 0 : -1}
              data-position=${position}
              aria-pressed=${isQuery ? "true" : "false"}
              aria-label=${`${isToCome ? "probably next" : `token ${position}`}: ${labelText(label)}`}
              title=${
                isToCome
                  ? "the most probable next token"
                  : `${position}  id ${tokens[position]!.id}`
              }
              @pointerenter=${(event: PointerEvent) => {
                if (event.pointerType === "touch") return;
                this.#preview(position);
              }}
              @click=${() =>
                this.store.send({
                  type: "pin-cell",
                  cell: this.#cellAt(position),
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
    const chosenOne = this.#chosen();
    if (chosenOne === this.#shown) return;
    this.#shown = chosenOne;
    const strip = this.renderRoot.querySelector("ol");
    const chosen = strip?.querySelector<HTMLElement>(
      `[data-position="${chosenOne}"]`,
    );
    if (!strip || !chosen) return;
    const top = chosen.offsetTop - 2;
    const bottom = top + chosen.offsetHeight + 4;
    if (top < strip.scrollTop) strip.scrollTop = top;
    else if (bottom > strip.scrollTop + strip.clientHeight) {
      strip.scrollTop = bottom - strip.clientHeight;
    }
  }

  /** Whether these tokens give queries and keys, and how far a row's is from it. */
  #roles() {
    const attention = shownAttention(this.state);
    const isSource = this.side === "source";
    const queries = queriesAreSource(attention) === isSource;
    return {
      queries,
      keys: keysAreSource(attention) === isSource,
      shift: attention === "cross" && queries ? 1 : 0,
    };
  }

  /** The position to show here: of the pinned query, or else of the key. */
  #chosen(): number | undefined {
    const { pinned } = this.state;
    const { queries, keys, shift } = this.#roles();
    if (!pinned) return undefined;
    return queries ? pinned.query + shift : keys ? pinned.key : undefined;
  }

  /** What choosing a token chooses: its row, or as a key a cell of the row. */
  #cellAt(position: number): Cell | undefined {
    const { queries, shift } = this.#roles();
    if (queries) return { query: position - shift };
    const query = this.state.pinned?.query;
    return query === undefined ? undefined : { query, key: position };
  }

  #preview(position: number) {
    this.store.send({ type: "preview-cell", cell: this.#cellAt(position) });
  }

  #onKey(event: KeyboardEvent) {
    const { shift } = this.#roles();
    const length = this.renderRoot.querySelectorAll("[data-position]").length;
    const at = Number((event.target as HTMLElement).dataset["position"]);
    const to =
      event.key === "ArrowLeft"
        ? at - 1
        : event.key === "ArrowRight"
          ? at + 1
          : event.key === "Home"
            ? shift
            : event.key === "End"
              ? length - 1
              : undefined;
    if (to === undefined || to < shift || to >= length) return;
    event.preventDefault();
    this.store.send({ type: "pin-cell", cell: this.#cellAt(to) });
    this.renderRoot
      .querySelector<HTMLElement>(`[data-position="${to}"]`)
      ?.focus();
  }
}
