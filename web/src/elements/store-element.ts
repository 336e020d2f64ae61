// The base of elements that read the store: they are drawn again when one of
// the parts they read changes, and send intentions. Nothing else.

import { LitElement, type PropertyValues } from "lit";
import type { State } from "../state/state.js";
import type { Store } from "../state/store.js";

export abstract class StoreElement extends LitElement {
  static override properties = { store: { attribute: false } };
  declare store: Store;

  #end: (() => void) | undefined;

  /** The parts of the state that this element draws. */
  protected abstract reads(state: State): readonly unknown[];

  protected get state(): State {
    return this.store.state;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#listen();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#end?.();
    this.#end = undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("store")) this.#listen();
  }

  #listen(): void {
    this.#end?.();
    this.#end = this.store.subscribe((now, before) => {
      const old = this.reads(before);
      if (this.reads(now).some((part, i) => part !== old[i])) {
        this.requestUpdate();
      }
    });
  }
}
