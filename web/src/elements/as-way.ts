// The way from tokens to the next token: a strip of stations with their true
// shapes, the one on show lit. Stations that the large picture can show are
// buttons and carry a tiny live picture.

import { css, html, nothing } from "lit";
import { classMap } from "lit/directives/class-map.js";
import { signedRamp, type Palette } from "../pictures/colours.js";
import { signedDomain } from "../pictures/scale.js";
import { paintMatrix } from "../pictures/matrix.js";
import { palette, rampFor, stageMatrix } from "../state/selectors.js";
import { sameHead, type Stage, type State } from "../state/state.js";
import { tokenLabels } from "../state/tokens.js";
import { stations, type Station } from "../state/way.js";
import { base, controls } from "../styles/base.js";
import { putPixels } from "./canvas.js";
import { StoreElement } from "./store-element.js";
import { tokenText } from "./token-text.js";

const tiny = 24;

export class AsWay extends StoreElement {
  static override styles = [
    base,
    controls,
    css`
      ol {
        position: relative;
        display: flex;
        align-items: stretch;
        margin: 0;
        padding: 2px 2px 4px;
        overflow-x: auto;
        list-style: none;
        scrollbar-width: thin;
      }
      li {
        display: flex;
        align-items: center;
        flex: 1 0 auto;
      }
      li + li::before {
        content: "→";
        flex: 1 0 auto;
        padding: 0 1px;
        text-align: center;
        color: var(--quiet);
      }
      .station {
        display: flex;
        align-items: center;
        gap: 5px;
        height: 44px;
        padding: 0 4px;
        border: 1px solid transparent;
        border-radius: 4px;
        background: none;
        text-align: left;
      }
      button.station {
        border-color: var(--line);
      }
      .station[aria-pressed="true"] {
        border-color: var(--text);
        box-shadow: inset 0 -2px 0 var(--text);
      }
      .symbol {
        display: block;
        font: italic 15px/18px var(--serif);
        white-space: nowrap;
      }
      .symbol.word {
        font: 13px/18px var(--sans);
      }
      .shape {
        display: block;
        font-size: 11px;
        line-height: 14px;
        color: var(--quiet);
        white-space: nowrap;
      }
      canvas {
        width: ${tiny}px;
        height: ${tiny}px;
        outline: 1px solid var(--line);
      }
    `,
  ];

  #shown: Stage | undefined;

  protected reads(state: State) {
    return [
      state.run,
      state.model,
      state.pattern,
      state.way,
      state.head,
      state.stage,
      state.stale,
      state.ramp,
      state.theme,
      state.systemDark,
    ];
  }

  override render() {
    const { model, run, head, stage } = this.state;
    if (!model || !run || !head) return nothing;
    const way = stations(model.config, run, head);
    return html`<nav aria-label="The way from tokens to the next token">
      <ol class=${classMap({ stale: this.state.stale })}>
        ${way.map(
          (station) =>
            html`<li>
              ${
                station.stage
                  ? html`<button
                      class="station"
                      aria-pressed=${station.stage === stage ? "true" : "false"}
                      @click=${() =>
                        this.store.send({
                          type: "choose-stage",
                          stage: station.stage!,
                        })}
                    >
                      <canvas data-stage=${station.stage}></canvas>
                      <span>${this.#words(station)}</span>
                    </button>`
                  : html`<span class="station"
                      >${station.pictures?.map(
                        (name) => html`<canvas data-vector=${name}></canvas>`,
                      )}<span>${this.#words(station)}</span></span
                    >`
              }
            </li>`,
        )}
      </ol>
    </nav>`;
  }

  /** Vectors around attention: a row for each token, dim while they are old. */
  #paintVectors(colours: Palette): void {
    const { way, run, head } = this.state;
    const fresh =
      way?.runId === run?.id &&
      way?.length === run?.tokens.length &&
      sameHead(way?.id, head);
    const canvases = this.renderRoot.querySelectorAll<HTMLCanvasElement>(
      "canvas[data-vector]",
    );
    for (const canvas of canvases) {
      const matrix = way?.matrices.get(canvas.dataset["vector"]!);
      canvas.classList.toggle("stale", !fresh);
      if (!matrix) continue;
      putPixels(canvas, tiny, tiny, (width, height, pixelRatio) =>
        paintMatrix(matrix, width, height, {
          domain: signedDomain(matrix.values),
          scale: "linear",
          ramp: signedRamp(colours),
          palette: colours,
          pixelRatio,
          markZeros: false,
        }),
      );
    }
  }

  /** The station on show is in sight where the strip has to scroll. */
  #showLit(): void {
    const { stage } = this.state;
    if (stage === this.#shown) return;
    const strip = this.renderRoot.querySelector("ol");
    const lit = strip?.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (!strip || !lit) return;
    this.#shown = stage;
    strip.scrollLeft =
      lit.offsetLeft - (strip.clientWidth - lit.offsetWidth) / 2;
  }

  #words(station: Station) {
    const next = station.id === "next" ? this.state.run?.next[0] : undefined;
    return html`<span
        class=${classMap({ symbol: true, word: station.isWord ?? false })}
        title=${station.title}
        >${station.symbols.map(
          (symbol) =>
            html`<span class=${symbol.role ?? ""}>${symbol.text}</span>`,
        )}</span
      ><span class="shape"
        >${
          next
            ? html`<span class="output token"
                >${tokenText(tokenLabels([next])[0]!)}</span
              >`
            : station.shape
        }</span
      >`;
  }

  protected override updated(): void {
    const { pattern } = this.state;
    if (!pattern) return;
    const colours = palette(this.state);
    const canvases =
      this.renderRoot.querySelectorAll<HTMLCanvasElement>("canvas[data-stage]");
    for (const canvas of canvases) {
      const matrix = stageMatrix(pattern, canvas.dataset["stage"] as Stage);
      putPixels(canvas, tiny, tiny, (width, height, pixelRatio) =>
        paintMatrix(matrix, width, height, {
          domain: matrix.domain,
          scale: "linear",
          ramp: rampFor(this.state, matrix.domain),
          palette: colours,
          pixelRatio,
          markZeros: false,
        }),
      );
    }
    this.#paintVectors(colours);
    this.#showLit(); // only now do the pictures have their sizes
  }
}
