// The reducer: state and action to the next state, pure. Every action is
// handled here; what work an action starts is engine.ts's matter.

import type { Action, LinkFacts } from "./actions.js";
import {
  headKey,
  initialState,
  sameCell,
  type Cell,
  type Generation,
  type HeadId,
  type ModelFacts,
  type State,
} from "./state.js";

export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case "load-model":
    case "want-thumbnail":
    case "run-again":
    case "generate":
    case "stop-generation":
    case "cancel-load":
    case "cancel-run":
      return state; // the engine reports what comes of them

    case "load-started":
      return {
        ...state,
        loading: {
          source: action.source,
          stage: "module",
          loaded: 0,
          total: undefined,
        },
        loadFault: undefined,
      };
    case "load-progressed":
      return state.loading
        ? { ...state, loading: { ...state.loading, ...action.progress } }
        : state;
    case "load-finished":
      return {
        ...state,
        model: action.model,
        loading: undefined,
        stale: true,
        generation: undefined,
        head: headIn(action.model, state.head),
        thumbnails: new Map(),
        way: undefined,
      };
    case "load-failed":
      return { ...state, loading: undefined, loadFault: action.fault };
    case "load-cancelled":
      return { ...state, loading: undefined };

    case "dismiss-fault":
      return { ...state, loadFault: undefined };

    case "edit-text":
      return {
        ...state,
        text: action.text,
        stale: true,
        runFault: undefined,
        generation: undefined,
      };
    case "choose-mask":
      return {
        ...state,
        mask: action.mask,
        stale: true,
        runFault: undefined,
        generation: undefined,
      };
    case "run-started":
      return { ...state, running: true, runFault: undefined };
    case "run-finished":
      return {
        ...state,
        run: action.run,
        running: false,
        stale: false,
        runFault: undefined,
        generation: undefined,
        pattern: action.pattern,
        head: state.head ?? action.pattern.id,
        preview: undefined,
        pinned:
          cellIn(action.run.tokens.length, state.pinned) ??
          (action.suggestion && { query: action.suggestion.query }),
        // Thumbnails stay until new ones come; they know which run they are of.
      };
    case "run-failed":
      return { ...state, running: false, runFault: action.fault };
    case "run-dropped":
      return state.text === ""
        ? { ...state, running: false, ...nothingRun }
        : { ...state, running: false };

    case "choose-head":
      return { ...state, head: action.id };
    case "pattern-arrived":
      // While tokens are generated the engine may be a row ahead of the state.
      return action.pattern.runId === state.run?.id &&
        action.pattern.cols === state.run.tokens.length
        ? { ...state, pattern: action.pattern }
        : state;
    case "thumbnail-arrived":
      return action.thumbnail.runId === state.run?.id
        ? {
            ...state,
            thumbnails: new Map(state.thumbnails).set(
              headKey(action.id),
              action.thumbnail,
            ),
          }
        : state;

    case "way-arrived":
      return action.way.runId === state.run?.id
        ? { ...state, way: action.way }
        : state;

    case "choose-stage":
      return { ...state, stage: action.stage };
    case "choose-scale":
      return { ...state, scale: action.scale };
    case "choose-ramp":
      return { ...state, ramp: action.ramp };
    case "preview-cell":
      return sameCell(state.preview, action.cell)
        ? state
        : { ...state, preview: action.cell };
    case "pin-cell":
      return { ...state, preview: undefined, pinned: action.cell };
    case "move-cell":
      return {
        ...state,
        preview: undefined,
        pinned: moved(state, action.down, action.right),
      };

    case "set-generation":
      return { ...state, settings: { ...state.settings, ...action.change } };
    case "generation-started": {
      // Why an earlier one ended is not said of this one.
      const { text, probabilities, milliseconds } =
        state.generation ?? noTokens;
      return {
        ...state,
        runFault: undefined,
        generation: { text, probabilities, milliseconds, running: true },
      };
    }
    case "token-generated":
      return grown(state, action);
    case "generation-ended":
      return state.generation
        ? {
            ...state,
            generation: {
              ...state.generation,
              running: false,
              reason: action.reason,
            },
          }
        : state;
    case "generation-failed":
      return {
        ...state,
        runFault: action.fault,
        generation: state.generation && { ...state.generation, running: false },
      };

    case "choose-theme":
      return { ...state, theme: action.theme };
    case "system-theme":
      return { ...state, systemDark: action.dark };
    case "follow-link":
      return linked(state, action.link);
  }
}

const noTokens: Generation = {
  running: true,
  text: "",
  probabilities: [],
  milliseconds: 0,
};

const nothingRun = {
  run: undefined,
  pattern: undefined,
  thumbnails: new Map(),
  way: undefined,
  preview: undefined,
} satisfies Partial<State>;

function grown(
  state: State,
  token: Extract<Action, { type: "token-generated" }>,
): State {
  if (!state.run || state.run.id !== token.runId) return state;
  const so = state.generation ?? noTokens;
  const last = token.tokens.length - 1;
  // Who looks at the last row keeps looking at the last row.
  const follows = state.pinned?.query === last - 1;
  return {
    ...state,
    run: { ...state.run, tokens: token.tokens, next: token.next },
    pattern: token.pattern ?? state.pattern,
    pinned: follows ? { query: last } : state.pinned,
    generation: {
      ...so,
      text: so.text + token.newText,
      probabilities: [...so.probabilities, token.probability],
      milliseconds: so.milliseconds + token.milliseconds,
    },
  };
}

/** The head, if the model has it; any head before there is a model. */
function headIn(
  model: ModelFacts | undefined,
  head: HeadId | undefined,
): HeadId | undefined {
  if (!model || !head) return head;
  const { numLayers, numQueryHeads } = model.config;
  return head.layer < numLayers && head.head < numQueryHeads ? head : undefined;
}

/** The cell, if a text of this length has it; else the last row. */
function cellIn(length: number, cell: Cell | undefined): Cell | undefined {
  if (!cell) return undefined;
  const inside = cell.query < length && (cell.key ?? 0) < length;
  return inside ? cell : { query: length - 1 };
}

function moved(state: State, down: number, right: number): Cell | undefined {
  const length = state.run?.tokens.length ?? 0;
  if (length === 0) return undefined;
  const from = state.preview ?? state.pinned ?? { query: length - 1 };
  const clip = (value: number) => Math.min(length - 1, Math.max(0, value));
  const query = clip(from.query + down);
  // The first step sideways enters the row at its own token.
  const key =
    from.key === undefined
      ? right === 0
        ? undefined
        : query
      : clip(from.key + right);
  return key === undefined ? { query } : { query, key };
}

/** A link says all that differs from a fresh page, except the head. */
function linked(state: State, link: LinkFacts): State {
  const text = link.text ?? state.text;
  const { mask, stage, scale, ramp } = { ...initialState, ...link };
  const changed =
    text !== state.text || JSON.stringify(mask) !== JSON.stringify(state.mask);
  return {
    ...state,
    text,
    mask,
    stage,
    scale,
    ramp,
    head: headIn(state.model, link.head) ?? state.head,
    pinned: link.cell,
    settings: { ...initialState.settings, ...link.settings },
    stale: state.stale || changed,
    generation: changed ? undefined : state.generation,
  };
}
