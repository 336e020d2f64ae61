// State as a link: what goes in comes out, and nonsense is ignored.

import { expect, test } from "vitest";
import { fromLink, toLink } from "../../web/src/state/link.js";
import { sourceFrom } from "../../web/src/state/model-source.js";
import { reduce } from "../../web/src/state/reducer.js";
import { initialState, type State } from "../../web/src/state/state.js";

const texts = [
  "the bank was crowded",
  "hello\nworld",
  "we'll  go",
  "a\t\tb",
  "trailing space ",
  " leading",
  "a\0b",
  '"><img src=x onerror=1> a<b<c & = # ? %',
  "你好 🙂",
  "",
];

test.each(texts)("text %j comes back byte for byte", (text) => {
  expect(fromLink(toLink({ ...initialState, text }))!.text).toBe(text);
});

test("everything that a link carries comes back", () => {
  const state: State = {
    ...initialState,
    head: { attention: "cross", layer: 3, head: 1 },
    storage: "int8",
    target: "la rive",
    masks: { self: { kind: "window", size: 4 }, encoder: { kind: "causal" } },
    stage: "masked",
    scale: "log",
    ramp: "cividis",
    pinned: { query: 5, key: 2 },
    settings: { temperature: 0, topK: 0, topP: 0.9, seed: 7, maxTokens: 3 },
  };
  const link = fromLink(toLink(state))!;
  const opened = reduce(initialState, { type: "follow-link", link });
  for (const name of [
    "text",
    "storage",
    "target",
    "head",
    "masks",
    "stage",
    "scale",
    "ramp",
    "pinned",
    "settings",
  ] as const) {
    expect(opened[name], name).toEqual(state[name]);
  }
});

test("a row without a key stays a row", () => {
  const link = fromLink(toLink({ ...initialState, pinned: { query: 3 } }))!;
  expect(link.cell).toEqual({ query: 3 });
});

test("unreadable parts are ignored", () => {
  const link = fromLink(
    "#v1?text=x&layer=-1&head=1e3&mask=window:0&stage=all&scale=&ramp=red&cell=a,b&temperature=hot&seed=",
  );
  expect(link).toEqual({
    model: { kind: "bundled", name: "tales" },
    text: "x",
    masks: {},
    settings: {},
  });
});

test.each([
  ["openai-community/gpt2", { hub: "openai-community/gpt2" }],
  ["gpt2", { hub: "gpt2" }],
  ["owner/name@v1.0", { hub: "owner/name", revision: "v1.0" }],
  ["owner/name@refs/pr/1", { hub: "owner/name", revision: "refs/pr/1" }],
])("%s is a repository of the hub, and its link leads there", (text, hub) => {
  const source = sourceFrom(` ${text} `);
  expect(source).toEqual({ kind: "hub", ...hub });
  const model = { source } as NonNullable<State["model"]>;
  const link = toLink({ ...initialState, model });
  expect(fromLink(link)!.model).toEqual(source);
});

test.each([
  "https://example.org/models/tales/",
  "/models/tales",
  "./models/tales",
  "a/b/c",
  "owner/name@",
  "@v1",
  "",
])("%j is an address", (text) => {
  expect(sourceFrom(text)).toEqual({ kind: "url", url: text });
});

test("a link with a hub's name that is none opens the bundled model", () => {
  const link = fromLink("#v1?text=x&hub=https%3A%2F%2Fevil%2F")!;
  expect(link.model).toEqual({ kind: "bundled", name: "tales" });
});

test("fragments of other versions and other pages are not links", () => {
  for (const fragment of ["", "#", "#top", "#v2?text=x", "#v1"]) {
    expect(fromLink(fragment)).toBeUndefined();
  }
});

test("a link back to the default mask and scale undoes the present ones", () => {
  const state: State = {
    ...initialState,
    masks: { self: { kind: "none" } },
    scale: "log",
  };
  const opened = reduce(state, {
    type: "follow-link",
    link: fromLink(toLink(initialState))!,
  });
  expect(opened.masks).toEqual({});
  expect(opened.scale).toBe("linear");
});
