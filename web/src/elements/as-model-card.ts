// What a checkpoint's own README.md says of it, fetched when it is opened. It is
// shown as text nodes, never as HTML.

import { css, html, nothing, type TemplateResult } from "lit";
import { readMarkdown, type Block, type Line } from "../state/markdown.js";
import type { State } from "../state/state.js";
import { base, controls } from "../styles/base.js";
import { StoreElement } from "./store-element.js";

export class AsModelCard extends StoreElement {
  static override styles = [
    base,
    controls,
    css`
      summary {
        cursor: pointer;
        padding: 8px 0;
      }
      .card {
        padding: 0 0 8px 12px;
        border-left: 3px solid var(--line);
        font: 15px/24px var(--serif);
        overflow-wrap: anywhere;
      }
      .card > * + * {
        margin-top: 12px;
      }
      h3 {
        margin: 0;
        font-size: 16px;
      }
      ul {
        margin: 0;
        padding-left: 20px;
      }
      code,
      pre {
        font: 12px/18px var(--mono);
      }
      pre {
        margin-bottom: 0;
        overflow-x: auto;
      }
      .scroll {
        overflow-x: auto;
      }
      table {
        border-collapse: collapse;
        font: 12px/18px var(--sans);
        font-variant-numeric: tabular-nums;
      }
      th,
      td {
        padding: 4px 12px 4px 0;
        border-bottom: 1px solid var(--line);
        text-align: left;
        vertical-align: top;
        overflow-wrap: normal;
      }
      a {
        color: inherit;
      }
    `,
  ];

  protected reads(state: State) {
    return [state.model, state.card];
  }

  override render() {
    const { model, card } = this.state;
    if (!model) return nothing;
    const read = card?.source === model.source ? card : undefined;
    return html`<details
      .open=${read !== undefined}
      @toggle=${(event: Event) => {
        const { open } = event.target as HTMLDetailsElement;
        if (open !== (read !== undefined)) {
          this.store.send({ type: "show-card", open });
        }
      }}
    >
      <summary>Model card</summary>
      ${
        read === undefined
          ? nothing
          : read.text === undefined
            ? html`<p class="quiet" role="status">
                ${
                  read.loading
                    ? "Reading README.md …"
                    : "This folder has no README.md."
                }
              </p>`
            : html`<div
                class="card"
                tabindex="0"
                role="region"
                aria-label="Model card"
              >
                ${readMarkdown(read.text).map(block)}
              </div>`
      }
    </details>`;
  }
}

function block(one: Block): TemplateResult {
  switch (one.kind) {
    case "heading":
      return html`<h3>${inline(one.line)}</h3>`;
    case "paragraph":
      return html`<p>${inline(one.line)}</p>`;
    case "list":
      return html`<ul>
        ${one.items.map((item) => html`<li>${inline(item)}</li>`)}
      </ul>`;
    case "code":
      return html`<pre>${one.text}</pre>`;
    case "table":
      return html`<div class="scroll">
        <table>
          <thead>
            <tr>
              ${one.head.map((cell) =>
                cell.length > 0
                  ? html`<th scope="col">${inline(cell)}</th>`
                  : html`<td></td>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${one.rows.map(
              (row) =>
                html`<tr>
                  ${row.map((cell) => html`<td>${inline(cell)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
  }
}

function inline(line: Line) {
  return line.map((part) => {
    switch (part.kind) {
      case "text":
        return html`${part.text}`;
      case "code":
        return html`<code>${part.text}</code>`;
      case "strong":
        return html`<strong>${part.text}</strong>`;
      case "emphasis":
        return html`<em>${part.text}</em>`;
      case "link":
        return html`<a
          href=${part.url}
          rel="noopener noreferrer"
          target="_blank"
          >${part.text}</a
        >`;
    }
  });
}
