// The store and its engine service: which of several wishes counts, what a
// fault leaves standing, how a run grows. The model here is a stand-in.

import { beforeEach, expect, test, vi } from "vitest";
import { Engine } from "../../web/src/state/engine.js";
import { initialState, type State } from "../../web/src/state/state.js";
import { Store } from "../../web/src/state/store.js";
import { FakeLoader, FakeModel } from "./support/fake-model.js";

let store: Store;
let loader: FakeLoader;
let model: FakeModel;

beforeEach(async () => {
  store = new Store({ ...initialState, text: "abcd" });
  loader = new FakeLoader();
  model = new FakeModel();
  new Engine(store, loader.load, "models/");
  store.send({
    type: "load-model",
    source: { kind: "bundled", name: "tales" },
  });
  loader.loads[0]!.resolve(model);
  await until((state) => !state.stale);
});

async function until(holds: (state: State) => boolean): Promise<void> {
  await vi.waitFor(() => expect(holds(store.state)).toBe(true), {
    timeout: 2000,
    interval: 1,
  });
}

test("a model runs the text at once, with a head and a row chosen", () => {
  const { run, pattern, head, pinned } = store.state;
  expect(run!.tokens.map((token) => token.text)).toEqual(["a", "b", "c", "d"]);
  expect(pattern!.rows).toBe(4);
  expect(pattern!.id).toEqual(head);
  expect(pinned!.query).toBeLessThan(4);
});

test("only the last of several edits is run", async () => {
  for (const text of ["v", "vw", "vwx"])
    store.send({ type: "edit-text", text });
  expect(store.state.stale).toBe(true);
  await until((state) => !state.stale);
  expect(model.runs.map((run) => run.text)).toEqual(["abcd", "vwx"]);
  expect(model.runs[0]!.disposed).toBe(true);
});

test("a run that was overtaken is dropped and freed, never shown", async () => {
  model.runGate.open = false;
  store.send({ type: "edit-text", text: "old" });
  await vi.waitFor(() => expect(model.runGate.waiting).toBe(1));
  store.send({ type: "edit-text", text: "newer" });
  model.runGate.open = true;
  model.runGate.release();
  const shown: number[] = [];
  store.subscribe((state) => shown.push(state.run!.tokens.length));
  await until((state) => !state.stale);
  expect(shown).not.toContain(3);
  expect(store.state.run!.tokens.length).toBe(5);
  expect(model.runs[1]!.disposed).toBe(true);
});

test("a cancelled run is dropped, and can be asked for again", async () => {
  model.runGate.open = false;
  store.send({ type: "edit-text", text: "xyz" });
  await vi.waitFor(() => expect(model.runGate.waiting).toBe(1));
  expect(store.state.running).toBe(true);
  store.send({ type: "cancel-run" });
  expect(store.state.running).toBe(false);
  model.runGate.open = true;
  model.runGate.release();
  await vi.waitFor(() => expect(model.runs[1]!.disposed).toBe(true));
  expect(store.state.stale).toBe(true);
  expect(store.state.run!.tokens.length).toBe(4);
  store.send({ type: "run-again" });
  await until((state) => !state.stale);
  expect(store.state.run!.tokens.length).toBe(3);
});

test("an empty text is not run and leaves nothing stale on show", async () => {
  store.send({ type: "edit-text", text: "" });
  await until((state) => state.run === undefined);
  expect(store.state.pattern).toBeUndefined();
  expect(model.runs.length).toBe(1);
});

test("a failed run says why and keeps the picture, marked as stale", async () => {
  model.fail = Object.assign(new Error("600 tokens do not fit into 512"), {
    code: "capacity-reached",
  });
  store.send({ type: "edit-text", text: "long" });
  await until((state) => state.runFault !== undefined);
  expect(store.state.runFault).toEqual({
    code: "capacity-reached",
    message: "600 tokens do not fit into 512",
  });
  expect(store.state.stale).toBe(true);
  expect(store.state.pattern).toBeDefined();
});

test("choosing a head fetches its numbers", async () => {
  store.send({
    type: "choose-head",
    id: { attention: "self", layer: 1, head: 1 },
  });
  await until((state) => state.pattern!.id.layer === 1);
  expect(store.state.pattern!.weights[0]).toBe(4 / 8);
});

test("a mask is handed to the run", async () => {
  store.send({
    type: "choose-mask",
    attention: "self",
    mask: { kind: "window", size: 3 },
  });
  await until((state) => !state.stale);
  expect(model.runs.at(-1)!.options.mask).toEqual({ kind: "window", size: 3 });
});

test("generation grows the run and the picture by a row per token", async () => {
  const rows: number[] = [];
  store.subscribe((state, _before, action) => {
    if (action.type === "token-generated") rows.push(state.pattern!.rows);
  });
  store.send({ type: "pin-cell", cell: { query: 3 } });
  store.send({ type: "generate", tokens: 3 });
  await until((state) => state.generation?.reason !== undefined);
  expect(rows).toEqual([5, 6, 7]);
  expect(store.state.run!.tokens.length).toBe(7);
  expect(store.state.run!.promptLength).toBe(4);
  expect(store.state.generation!.text).toBe("zzz");
  expect(store.state.generation!.reason).toBe("max-tokens");
  // Who looked at the last row still does.
  expect(store.state.pinned).toEqual({ query: 6 });
});

test("a pattern that is ahead of the tokens on show is not shown", () => {
  const { pattern, run } = store.state;
  const ahead = { ...pattern!, rows: 5, cols: 5 };
  store.send({ type: "pattern-arrived", pattern: ahead });
  expect(store.state.run).toBe(run);
  expect(store.state.pattern).toBe(pattern);
  const id = { attention: "self", layer: 1, head: 1 } as const;
  const other = { ...pattern!, id };
  store.send({ type: "pattern-arrived", pattern: other });
  expect(store.state.pattern).toBe(other);
});

test("generation stops on request and keeps what came", async () => {
  model.stepGate.open = false;
  store.send({ type: "generate", tokens: 9 });
  await vi.waitFor(() => expect(model.stepGate.waiting).toBe(1));
  model.stepGate.release();
  await until((state) => state.run!.tokens.length === 5);
  await vi.waitFor(() => expect(model.stepGate.waiting).toBe(1));
  store.send({ type: "stop-generation" });
  model.stepGate.release();
  await until((state) => state.generation?.running === false);
  expect(store.state.generation!.reason).toBe("cancelled");
  expect(store.state.generation!.text).toBe("z");
});

test("an edit during generation ends it; no token of it comes later", async () => {
  model.stepGate.open = false;
  store.send({ type: "generate", tokens: 9 });
  await vi.waitFor(() => expect(model.stepGate.waiting).toBe(1));
  store.send({ type: "edit-text", text: "q" });
  await until((state) => !state.stale);
  model.stepGate.open = true;
  model.stepGate.release();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(store.state.run!.tokens.map((token) => token.text)).toEqual(["q"]);
  expect(store.state.generation).toBeUndefined();
});

test("thumbnails come for the heads that are wanted, of the present run", async () => {
  store.send({
    type: "want-thumbnail",
    id: { attention: "self", layer: 0, head: 1 },
  });
  await until((state) => state.thumbnails.size === 1);
  expect(store.state.thumbnails.get("self.0.1")!.length).toBe(4);
});

test("a failed load keeps the previous model at work", async () => {
  store.send({
    type: "load-model",
    source: { kind: "url", url: "https://x/" },
  });
  expect(store.state.loading).toBeDefined();
  loader.loads[1]!.reject(
    Object.assign(new Error("x/config.json is not there"), {
      code: "fetch-failed",
    }),
  );
  await until((state) => state.loadFault !== undefined);
  expect(store.state.loadFault!.code).toBe("fetch-failed");
  expect(store.state.model!.source).toEqual({ kind: "bundled", name: "tales" });
  expect(model.disposed).toBe(false);
  store.send({ type: "edit-text", text: "ok" });
  await until((state) => !state.stale);
  expect(store.state.run!.tokens.length).toBe(2);
});

test("a load can be cancelled and leaves no fault", async () => {
  store.send({
    type: "load-model",
    source: { kind: "url", url: "https://x/" },
  });
  store.send({ type: "cancel-load" });
  await until((state) => state.loading === undefined);
  expect(store.state.loadFault).toBeUndefined();
  expect(store.state.model!.source).toEqual({ kind: "bundled", name: "tales" });
});

test("of two loads the later wins, whichever ends first", async () => {
  store.send({
    type: "load-model",
    source: { kind: "url", url: "https://a/" },
  });
  store.send({
    type: "load-model",
    source: { kind: "url", url: "https://b/" },
  });
  const late = new FakeModel();
  loader.loads[2]!.resolve(late);
  await until((state) => state.model!.source.kind === "url");
  expect(store.state.model!.source).toEqual({ kind: "url", url: "https://b/" });
  expect(model.disposed).toBe(true);
  expect(late.disposed).toBe(false);
});

test("arrows walk over cells and stop at the edges", () => {
  store.send({ type: "pin-cell", cell: { query: 3 } });
  store.send({ type: "move-cell", down: 0, right: 1 });
  expect(store.state.pinned).toEqual({ query: 3, key: 3 });
  store.send({ type: "move-cell", down: -1, right: 0 });
  store.send({ type: "move-cell", down: 0, right: -Infinity });
  expect(store.state.pinned).toEqual({ query: 2, key: 0 });
  store.send({ type: "move-cell", down: 9, right: 9 });
  expect(store.state.pinned).toEqual({ query: 3, key: 3 });
});

test("a preview comes before the pinned cell and leaves it alone", () => {
  store.send({ type: "pin-cell", cell: { query: 1, key: 0 } });
  store.send({ type: "preview-cell", cell: { query: 2, key: 2 } });
  expect(store.state.pinned).toEqual({ query: 1, key: 0 });
  store.send({ type: "preview-cell", cell: undefined });
  expect(store.state.preview).toBeUndefined();
});

test("a pinned cell that a shorter text lacks becomes its last row", async () => {
  store.send({ type: "pin-cell", cell: { query: 3, key: 1 } });
  store.send({ type: "edit-text", text: "ab" });
  await until((state) => !state.stale);
  expect(store.state.pinned).toEqual({ query: 1 });
});
