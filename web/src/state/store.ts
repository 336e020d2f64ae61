// The store: holds the state, takes actions, tells who listens. One per
// explorer, so several live on a page. Read next: engine.ts.

import type { Action } from "./actions.js";
import { reduce } from "./reducer.js";
import { initialState, type State } from "./state.js";

export type Listener = (state: State, before: State, action: Action) => void;

export class Store {
  #state: State;
  readonly #listeners = new Set<Listener>();

  constructor(state: State = initialState) {
    this.#state = state;
  }

  get state(): State {
    return this.#state;
  }

  send(action: Action): void {
    const before = this.#state;
    this.#state = reduce(before, action);
    const now = this.#state;
    for (const listener of [...this.#listeners]) listener(now, before, action);
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
