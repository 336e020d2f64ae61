// The large picture: rows are queries (left, red), columns keys (top, blue).
// Hover previews, click and touch pin, arrows move, Escape releases. Leaves
// out legend and scale choice (as-legend.ts, as-picture.ts).

import { css, html, nothing } from "lit";
import { classMap } from "lit/directives/class-map.js";
import { stylesOf } from "./styles-of.js";
import { cellEdges, paintMatrix } from "../pictures/matrix.js";
import { describeCell } from "../state/describe.js";
import {
  activeCell,
  firstQuery,
  keyLabels,
  palette,
  queryLabels,
  rampFor,
  stageMatrix,
} from "../state/selectors.js";
import {
  sameHead,
  type Cell,
  type Pattern,
  type State,
} from "../state/state.js";
import type { TokenLabel } from "../state/tokens.js";
import { labelText } from "../state/tokens.js";
import { base } from "../styles/base.js";
import { putPixels } from "./canvas.js";
import { StoreElement } from "./store-element.js";
import { tokenText } from "./token-text.js";

const labelRoom = 15; // CSS pixels that a label on an axis needs
const rowRoom = 18; // CSS pixels of the lowest row that is still a picture
const smallest = 200;
const largest = 760;
/** Height of the window that everything around the picture takes. */
const surroundings = 380;

export class AsHeatmap extends StoreElement {
  static override styles = [
    base,
    css`
      .frame {
        display: grid;
        justify-content: center;
        touch-action: manipulation;
      }
      .axis {
        position: relative;
        font: 12px/15px var(--mono);
        white-space: pre;
      }
      .axis span.label {
        position: absolute;
        overflow: hidden;
        text-overflow: ellipsis;
        unicode-bidi: isolate;
      }
      .axis.key {
        grid-column: 2;
      }
      .axis.key .label {
        bottom: 5px;
        max-height: calc(100% - 5px);
        writing-mode: vertical-rl;
        transform: translateX(-50%) rotate(180deg);
      }
      .axis.query .label {
        right: 7px;
        max-width: calc(100% - 7px);
        transform: translateY(-50%);
      }
      .axis .chosen {
        font-weight: 700;
        z-index: 1;
      }
      .name {
        white-space: nowrap;
        font: italic 12px/16px var(--sans);
      }
      .corner {
        display: grid;
        align-content: end;
        justify-items: end;
        padding: 0 7px 5px 0;
      }
      .plot {
        position: relative;
        cursor: crosshair;
        outline: 1px solid var(--line);
        line-height: 0;
      }
      .plot:focus-visible {
        outline: 2px solid var(--text);
        outline-offset: 2px;
      }
      .mark {
        position: absolute;
        pointer-events: none;
      }
      .mark.row {
        left: -1px;
        right: -1px;
        box-shadow: 0 0 0 2px var(--query);
      }
      .mark.column {
        top: -1px;
        bottom: -1px;
        box-shadow: 0 0 0 1.5px var(--key);
      }
      .mark.cell {
        box-shadow:
          0 0 0 2px var(--ground),
          0 0 0 4px var(--text);
      }
    `,
  ];

  #resize: ResizeObserver | undefined;
  #painted: readonly unknown[] = [];

  protected reads(state: State) {
    return [
      state.run,
      state.pattern,
      state.stage,
      state.scale,
      state.ramp,
      state.preview,
      state.pinned,
      state.stale,
      state.theme,
      state.systemDark,
    ];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize = new ResizeObserver(() => this.requestUpdate());
    this.#resize.observe(this);
    window.addEventListener("resize", this.#onResize);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize?.disconnect();
    window.removeEventListener("resize", this.#onResize);
  }

  readonly #onResize = () => this.requestUpdate();

  override render() {
    const { pattern, stale, head } = this.state;
    if (!pattern) return nothing;
    const first = firstQuery(pattern);
    const queries = queryLabels(this.state).slice(first, first + pattern.rows);
    const keys = keyLabels(this.state).slice(0, pattern.cols);
    const cell = activeCell(this.state);
    const axis = axisSize(queries, keys, this.clientWidth);
    const { width, height } = this.#plotSize(pattern, axis.left);
    const old = stale || !sameHead(pattern.id, head);
    const isCross = pattern.id.attention === "cross";
    return html`
      <div
        class=${classMap({ frame: true, stale: old })}
        style=${stylesOf({
          "grid-template-columns": `${axis.left}px ${width}px`,
          "grid-template-rows": `${axis.top}px ${height}px`,
        })}
      >
        <div class="corner" aria-hidden="true">
          <span class="name key">keys →</span>
          <span class="name query"
            >${isCross ? "predicts ↓" : "queries ↓"}</span
          >
        </div>
        <div class="axis key" aria-hidden="true">
          ${this.#labels(keys, width, 0, cell?.key, (at) => ({
            left: `${at}px`,
          }))}
        </div>
        <div class="axis query" aria-hidden="true">
          ${this.#labels(queries, height, first, cell?.query, (at) => ({
            top: `${at}px`,
          }))}
        </div>
        <div
          class="plot"
          tabindex="0"
          role="application"
          aria-roledescription="heatmap"
          aria-label=${`Layer ${pattern.id.layer}, head ${pattern.id.head}: ${pattern.rows} queries by ${pattern.cols} keys. Arrow keys move the chosen cell.`}
          @pointermove=${this.#onMove}
          @pointerleave=${() => this.#preview(undefined)}
          @click=${this.#onClick}
          @keydown=${this.#onKey}
        >
          <canvas></canvas>
          ${this.#marks(pattern, cell, width, height)}
        </div>
      </div>
      <div class="visually-hidden" aria-live="polite">
        ${cell ? describeCell(this.state, cell) : "No cell chosen."}
      </div>
    `;
  }

  /** Cells are squares, unless a side would be too short for a picture. */
  #plotSize({ rows, cols }: Pattern, left: number) {
    const room = {
      width: Math.min(largest, (this.clientWidth || 480) - left - 4),
      height: Math.min(
        largest,
        Math.max(window.innerHeight - surroundings, 400),
      ),
    };
    const cell = Math.min(room.width / cols, room.height / rows);
    const side = (count: number, most: number) =>
      Math.floor(Math.min(most, Math.max(cell * count, rowRoom * count)));
    return rows === cols
      ? square(Math.min(room.width, room.height))
      : { width: side(cols, room.width), height: side(rows, room.height) };
  }

  /** As many labels as fit; the chosen one always, its neighbours give way. */
  #labels(
    labels: readonly TokenLabel[],
    size: number,
    first: number,
    chosen: number | undefined,
    place: (at: number) => Record<string, string>,
  ) {
    const step = labelStep(labels.length, size);
    return labels.map((label, index) => {
      const position = first + index;
      const isChosen = position === chosen;
      const crowded =
        step > 1 &&
        (index % step !== 0 ||
          (chosen !== undefined && Math.abs(position - chosen) < step));
      if (crowded && !isChosen) return nothing;
      const at = ((index + 0.5) * size) / labels.length;
      return html`<span
        class=${classMap({ label: true, chosen: isChosen })}
        style=${stylesOf(place(at))}
        >${
          step > 1 ? html`<span class="glyph">${position} </span>` : nothing
        }${tokenText(label)}</span
      >`;
    });
  }

  #marks(
    pattern: Pattern,
    cell: Cell | undefined,
    width: number,
    height: number,
  ) {
    if (!cell) return nothing;
    const row = cell.query - firstQuery(pattern);
    if (row < 0 || row >= pattern.rows) return nothing;
    const ys = cellEdges(pattern.rows, height);
    const xs = cellEdges(pattern.cols, width);
    const across = {
      top: `${ys[row]}px`,
      height: `${ys[row + 1]! - ys[row]!}px`,
    };
    const key = cell.key;
    if (key === undefined || key >= pattern.cols) {
      return html`<div class="mark row" style=${stylesOf(across)}></div>`;
    }
    const down = {
      left: `${xs[key]}px`,
      width: `${xs[key + 1]! - xs[key]!}px`,
    };
    return html`
      <div class="mark row" style=${stylesOf(across)}></div>
      <div class="mark column" style=${stylesOf(down)}></div>
      <div class="mark cell" style=${stylesOf({ ...across, ...down })}></div>
    `;
  }

  protected override updated(): void {
    const canvas = this.renderRoot.querySelector("canvas");
    const { pattern, stage, scale, ramp } = this.state;
    if (!canvas || !pattern) return;
    const { left } = axisSize(
      queryLabels(this.state),
      keyLabels(this.state),
      this.clientWidth,
    );
    const { width, height } = this.#plotSize(pattern, left);
    const colours = palette(this.state);
    const look = [
      canvas,
      pattern,
      stage,
      scale,
      ramp,
      width,
      height,
      colours,
      window.devicePixelRatio,
    ];
    if (look.every((part, i) => part === this.#painted[i])) return;
    this.#painted = look;
    const matrix = stageMatrix(pattern, stage);
    putPixels(canvas, width, height, (across, down, pixelRatio) =>
      paintMatrix(matrix, across, down, {
        domain: matrix.domain,
        scale,
        ramp: rampFor(this.state, matrix.domain),
        palette: colours,
        pixelRatio,
        markZeros: stage === "weights",
      }),
    );
  }

  #cellAt(event: PointerEvent | MouseEvent): Required<Cell> | undefined {
    const { pattern } = this.state;
    const canvas = this.renderRoot.querySelector("canvas");
    if (!pattern || !canvas) return undefined;
    const box = canvas.getBoundingClientRect();
    const place = (at: number, extent: number, count: number) =>
      Math.min(count - 1, Math.max(0, Math.floor((at / extent) * count)));
    return {
      query:
        firstQuery(pattern) +
        place(event.clientY - box.top, box.height, pattern.rows),
      key: place(event.clientX - box.left, box.width, pattern.cols),
    };
  }

  #preview(cell: Cell | undefined) {
    this.store.send({ type: "preview-cell", cell });
  }

  #onMove(event: PointerEvent) {
    if (event.pointerType !== "touch") this.#preview(this.#cellAt(event));
  }

  #onClick(event: MouseEvent) {
    this.store.send({ type: "pin-cell", cell: this.#cellAt(event) });
  }

  #onKey(event: KeyboardEvent) {
    const steps: Record<string, readonly [number, number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      Home: [0, -Infinity],
      End: [0, Infinity],
      PageUp: [-Infinity, 0],
      PageDown: [Infinity, 0],
    };
    const step = steps[event.key];
    if (step) {
      this.store.send({ type: "move-cell", down: step[0], right: step[1] });
    } else if (event.key === "Enter" || event.key === " ") {
      this.store.send({ type: "pin-cell", cell: activeCell(this.state) });
    } else {
      return;
    }
    event.preventDefault();
  }
}

/** Every how many-th label is shown; round numbers where not all fit. */
function labelStep(count: number, size: number): number {
  const need = (labelRoom * count) / size;
  return (
    [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step >= need) ?? 1000
  );
}

/** Room for the labels: what the longest needs, within reason. */
function axisSize(
  queries: readonly TokenLabel[],
  keys: readonly TokenLabel[],
  width: number,
) {
  const wide = width >= 480;
  return {
    left: Math.round(Math.max(78, Math.min(wide ? 112 : 78, need(queries)))),
    top: Math.round(Math.max(44, Math.min(wide ? 104 : 84, need(keys)))),
  };
}

function need(labels: readonly TokenLabel[]): number {
  const longest = labels.reduce(
    (most, label) => Math.max(most, labelText(label).length),
    0,
  );
  // Where labels are left out, the others carry their positions.
  const digits = labels.length > 20 ? String(labels.length).length + 1 : 0;
  return (longest + digits) * 7.4 + 14;
}

function square(room: number) {
  const side = Math.max(smallest, Math.floor(room));
  return { width: side, height: side };
}
