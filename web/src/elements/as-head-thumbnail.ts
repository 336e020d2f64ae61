// One head's weights, small: the heatmap's own drawing at another size. Asks
// for its numbers only while it can be seen, and dims while they are old.

import { css, html } from "lit";
import { weightRamp } from "../pictures/colours.js";
import { paintMatrix } from "../pictures/matrix.js";
import { weightDomain } from "../pictures/scale.js";
import { palette } from "../state/selectors.js";
import { queryTokens } from "../state/parts.js";
import {
  headKey,
  type HeadId,
  type State,
  type Thumbnail,
} from "../state/state.js";
import { base } from "../styles/base.js";
import { putPixels } from "./canvas.js";
import { StoreElement } from "./store-element.js";

export class AsHeadThumbnail extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    head: { attribute: false },
    size: { type: Number },
  };
  declare head: HeadId;
  declare size: number;

  static override styles = [
    base,
    css`
      :host {
        line-height: 0;
      }
      canvas {
        outline: 1px solid var(--line);
      }
    `,
  ];

  #visible = false;
  #painted = "";
  #thumbnail: Thumbnail | undefined;
  readonly #observer = new IntersectionObserver((entries) => {
    this.#visible = entries.at(-1)!.isIntersecting;
    if (this.#visible) this.#ask();
  });

  protected reads(state: State) {
    return [
      state.thumbnails.get(headKey(this.head)),
      state.run?.id,
      state.run?.tokens,
      state.stale,
      state.ramp,
      state.scale,
      state.theme,
      state.systemDark,
    ];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  #isFresh(): boolean {
    const { run } = this.state;
    const thumbnail = this.state.thumbnails.get(headKey(this.head));
    return (
      run !== undefined &&
      thumbnail?.runId === run.id &&
      thumbnail.length === queryTokens(run, this.head.attention).length
    );
  }

  #ask(): void {
    if (this.state.run && !this.state.stale && !this.#isFresh()) {
      this.store.send({
        type: "want-thumbnail",
        id: this.head,
      });
    }
  }

  override render() {
    const stale = this.state.stale || !this.#isFresh();
    return html`<canvas class=${stale ? "stale" : ""}></canvas>`;
  }

  protected override updated(): void {
    if (this.#visible) this.#ask();
    const state = this.state;
    const thumbnail = state.thumbnails.get(headKey(this.head));
    const colours = palette(state);
    const look = `${state.ramp} ${state.scale} ${colours.ground} ${this.size}`;
    if (this.#thumbnail === thumbnail && this.#painted === look) return;
    this.#thumbnail = thumbnail;
    this.#painted = look;
    const matrix = thumbnail?.matrix ?? {
      rows: 1,
      cols: 1,
      values: new Float32Array(1),
    };
    putPixels(
      this.renderRoot.querySelector("canvas")!,
      this.size,
      this.size,
      (width, height, pixelRatio) =>
        paintMatrix(matrix, width, height, {
          domain: weightDomain,
          scale: state.scale,
          ramp: weightRamp(state.ramp, colours),
          palette: colours,
          pixelRatio,
          markZeros: false,
        }),
    );
  }
}
