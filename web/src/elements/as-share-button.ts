// Copies the page's link, which carries the state.

import { html } from "lit";
import { toLink } from "../state/link.js";
import { base, controls } from "../styles/base.js";
import { StoreElement } from "./store-element.js";

const thanks = 1500; // milliseconds

export class AsShareButton extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    said: { state: true },
  };
  declare private said: string;

  static override styles = [base, controls];

  constructor() {
    super();
    this.said = "";
  }

  protected reads() {
    return [];
  }

  override render() {
    return html`<button @click=${this.#copy}>
      <span role="status">${this.said || "Copy link"}</span>
    </button>`;
  }

  async #copy() {
    const link = new URL(toLink(this.state), document.URL).href;
    try {
      await navigator.clipboard.writeText(link);
      this.said = "Copied";
    } catch {
      this.said = "Not allowed"; // the address bar has the link all the same
    }
    setTimeout(() => (this.said = ""), thanks);
  }
}
