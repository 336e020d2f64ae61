// Light, dark, or as the system says.

import { html } from "lit";
import type { State, Theme } from "../state/state.js";
import { base, controls } from "../styles/base.js";
import { StoreElement } from "./store-element.js";

const themes: readonly Theme[] = ["auto", "light", "dark"];

export class AsThemeSwitch extends StoreElement {
  static override styles = [base, controls];

  protected reads(state: State) {
    return [state.theme];
  }

  override render() {
    return html`<select
      aria-label="Theme"
      @change=${(event: Event) =>
        this.store.send({
          type: "choose-theme",
          theme: (event.target as HTMLSelectElement).value as Theme,
        })}
    >
      ${themes.map(
        (theme) =>
          html`<option value=${theme} ?selected=${theme === this.state.theme}>
            ${theme}
          </option>`,
      )}
    </select>`;
  }
}
