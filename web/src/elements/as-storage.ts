// How the model's matrices are kept, and what that changes: the largest change of
// an attention weight and of a logit against float32, on the present text.

import type { StorageKind } from "attnscope";
import { css, html, nothing } from "lit";
import { brief, bytes } from "../pictures/numbers.js";
import type { Comparison, State } from "../state/state.js";
import { storageKinds } from "../state/storage.js";
import { base, controls } from "../styles/base.js";
import { StoreElement } from "./store-element.js";

const kinds: Record<StorageKind, string> = {
  float32: "4 bytes a number",
  bfloat16: "2 bytes a number; exact for checkpoints of that type",
  float16: "2 bytes a number; exact for checkpoints of that type",
  int8: "1 byte a number, rounded to 255 steps",
};

export class AsStorage extends StoreElement {
  static override styles = [
    base,
    controls,
    css`
      :host {
        margin: 12px 0;
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 12px;
      }
      .error {
        margin-top: 8px;
        padding: 8px 12px;
        border-left: 3px solid var(--line);
      }
      .error p + p,
      .error button {
        margin-top: 4px;
      }
      .fault {
        border-color: var(--alarm);
        overflow-wrap: anywhere;
      }
      .small {
        font-size: 12px;
        line-height: 16px;
      }
    `,
  ];

  protected reads(state: State) {
    return [
      state.model,
      state.storage,
      state.loading,
      state.comparison,
      state.run,
      state.stale,
    ];
  }

  override render() {
    const { model, storage, loading } = this.state;
    return html`
      <div class="row">
        <label class="row">
          Numbers kept as
          <select
            ?disabled=${loading !== undefined}
            @change=${(event: Event) =>
              this.store.send({
                type: "choose-storage",
                storage: (event.target as HTMLSelectElement)
                  .value as StorageKind,
              })}
          >
            ${storageKinds.map(
              (kind) =>
                html`<option value=${kind} ?selected=${kind === storage}>
                  ${kind}
                </option>`,
            )}
          </select>
        </label>
        <span class="quiet small"
          >${kinds[storage]}${
            model && !loading
              ? html`; ${bytes(model.storedBytes)} here`
              : nothing
          }</span
        >
      </div>
      ${model && model.storage !== "float32" ? this.#error() : nothing}
    `;
  }

  #error() {
    const { model, comparison, run, stale } = this.state;
    const now =
      comparison?.runId === run?.id && comparison?.length === run?.tokens.length
        ? comparison
        : undefined;
    return html`<div
      class=${`error ${now?.fault ? "fault" : ""}`}
      aria-live="polite"
    >
      ${
        now
          ? this.#result(now)
          : html`<p>What ${model!.storage} changes on this text:</p>
              <button
                ?disabled=${!run || stale}
                @click=${() => this.store.send({ type: "compare-storage" })}
              >
                Compare with float32
              </button>
              <p class="quiet small">
                Loads the checkpoint once more, as float32: about
                ${bytes(model!.config.numParameters * 4)} of memory until it is
                done.
              </p>`
      }
    </div>`;
  }

  #result({ result, fault }: Comparison) {
    if (fault) return html`<p><code>${fault.code}</code> ${fault.message}</p>`;
    if (!result) return html`<p class="quiet">Loading as float32 …</p>`;
    const { weight, logit } = result;
    const part =
      this.state.model!.config.encoder === undefined
        ? ""
        : `${weight.attention} attention, `;
    return html`
      <p>
        Attention weights change by at most
        <strong>${brief(weight.change)}</strong>
        <span class="quiet small"
          >(${part}layer ${weight.layer}, head ${weight.head}:
          ${brief(weight.from)} → ${brief(weight.to)})</span
        >
      </p>
      ${
        logit
          ? html`<p>
              Logits change by at most <strong>${brief(logit.change)}</strong>
              <span class="quiet small"
                >(${brief(logit.from)} → ${brief(logit.to)})</span
              >
            </p>`
          : nothing
      }
      <p class="quiet small">Against float32, on the text that is shown.</p>
    `;
  }
}
