// The reducer: state and action to the next state, pure. Every action is
// handled here; what work an action starts is engine.ts's matter.

import type { AttentionPart } from "attnscope";
import type { Action, LinkFacts } from "./actions.js";
import {
  bundledModel,
  isExample,
  type BundledModel,
} from "./bundled-models.js";
import {
  headsOf,
  keyTokens,
  partsOf,
  queriesAreSource,
  queryTokens,
} from "./parts.js";
import { rowOf } from "./selectors.js";
import {
  headKey,
  initialState,
  sameCell,
  type Cell,
  type Generation,
  type HeadId,
  type ModelFacts,
  type ModelSource,
  type Pattern,
  type State,
} from "./state.js";

export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case "load-model":
    case "want-thumbnail":
    case "run-again":
    case "compare-storage":
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
      return loaded(state, action.model, action.chosen);
    case "load-failed":
      return { ...state, loading: undefined, loadFault: action.fault };
    case "load-cancelled":
      return { ...state, loading: undefined };

    case "dismiss-fault":
      return { ...state, loadFault: undefined };

    case "edit-text":
      return { ...state, ...outdated, text: action.text };
    case "edit-target":
      return { ...state, ...outdated, target: action.target };
    case "choose-example":
      return {
        ...state,
        ...outdated,
        text: action.example.text,
        target: "",
        head: undefined,
        pinned: undefined,
      };
    case "choose-mask":
      return {
        ...state,
        ...outdated,
        masks: { ...state.masks, [action.attention]: action.mask },
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
          action.focus === undefined
            ? (cellIn(action.pattern, state.pinned) ??
              (action.suggestion && { query: action.suggestion.query }))
            : { query: action.focus },
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
    case "choose-attention":
      return attending(state, action.attention);
    case "pattern-arrived":
      // While tokens are generated the engine may be a row ahead of the state.
      return action.pattern.runId === state.run?.id &&
        action.pattern.rows ===
          queryTokens(state.run, action.pattern.id.attention).length
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

    case "predictions-arrived":
      return action.runId === state.run?.id
        ? {
            ...state,
            run: { ...state.run, next: action.next, nextAt: action.at },
          }
        : state;

    case "choose-storage":
      return { ...state, storage: action.storage };
    case "comparison-changed":
      return action.comparison.runId === state.run?.id
        ? { ...state, comparison: action.comparison }
        : state;

    case "show-card":
      return {
        ...state,
        card:
          state.model && action.open
            ? { source: state.model.source, loading: true, text: undefined }
            : undefined,
      };
    case "card-arrived":
      return state.card?.source === action.source
        ? {
            ...state,
            card: { source: action.source, loading: false, text: action.text },
          }
        : state;
    case "show-lens":
      return { ...state, lensOpen: action.open };
    case "lens-arrived":
      return action.lens.runId === state.run?.id
        ? { ...state, lens: action.lens }
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

/** What no longer holds when something else is to be run. */
const outdated = {
  stale: true,
  runFault: undefined,
  generation: undefined,
} satisfies Partial<State>;

function loaded(state: State, model: ModelFacts, chosen: boolean): State {
  const before = state.model?.source;
  const own = chosen ? ownOf(model.source, state.text) : undefined;
  const another = chosen && before !== undefined && before !== model.source;
  return {
    ...state,
    ...outdated,
    ...(own && {
      text: own.examples[0]!.text,
      settings: { ...initialState.settings, ...own.settings },
    }),
    ...(another && { target: "", masks: {}, pinned: undefined }),
    model,
    loading: undefined,
    head: another ? undefined : headIn(model, state.head),
    thumbnails: new Map(),
    way: undefined,
    lens: undefined,
    comparison: undefined,
    card: undefined,
  };
}

/** The bundled model whose text takes the place of another one's. */
function ownOf(
  source: ModelSource | undefined,
  text: string,
): BundledModel | undefined {
  return source?.kind === "bundled" && isExample(text)
    ? bundledModel(source.name)
    : undefined;
}

/** Another of the model's attentions: the nearest head, the same token. */
function attending(state: State, attention: AttentionPart): State {
  const { model, head, run, pinned } = state;
  if (!model || !run || !head || head.attention === attention) return state;
  const { numLayers, numHeads } = headsOf(model.config, attention);
  const row = (): number => {
    const last = queryTokens(run, attention).length - 1;
    if (!pinned) return last;
    if (queriesAreSource(head.attention) === queriesAreSource(attention)) {
      return pinned.query;
    }
    // From cross-attention into the encoder: the row of the key that counts.
    return head.attention === "cross"
      ? (pinned.key ?? strongestKey(state.pattern, pinned.query) ?? last)
      : last;
  };
  return {
    ...state,
    head: {
      attention,
      layer: Math.min(head.layer, numLayers - 1),
      head: Math.min(head.head, numHeads - 1),
    },
    preview: undefined,
    pinned: { query: row() },
  };
}

function strongestKey(
  pattern: Pattern | undefined,
  query: number,
): number | undefined {
  const row = pattern && rowOf(pattern, query);
  return row?.weights.indexOf(Math.max(...row.weights));
}

const nothingRun = {
  run: undefined,
  pattern: undefined,
  thumbnails: new Map(),
  way: undefined,
  lens: undefined,
  comparison: undefined,
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
  const follows =
    state.head?.attention !== "encoder" && state.pinned?.query === last - 1;
  return {
    ...state,
    run: {
      ...state.run,
      tokens: token.tokens,
      next: token.next,
      nextAt: last,
    },
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
  if (!partsOf(model.config).includes(head.attention)) return undefined;
  const { numLayers, numHeads } = headsOf(model.config, head.attention);
  return head.layer < numLayers && head.head < numHeads ? head : undefined;
}

/** The cell, if the new pattern has it; else its last row. */
function cellIn(pattern: Pattern, cell: Cell | undefined): Cell | undefined {
  if (!cell) return undefined;
  const inside = cell.query < pattern.rows && (cell.key ?? 0) < pattern.cols;
  return inside ? cell : { query: pattern.rows - 1 };
}

function moved(state: State, down: number, right: number): Cell | undefined {
  const { run, head } = state;
  if (!run || !head) return undefined;
  const rows = queryTokens(run, head.attention).length;
  const cols = keyTokens(run, head.attention).length;
  if (rows === 0 || cols === 0) return undefined;
  const from = state.preview ?? state.pinned ?? { query: rows - 1 };
  const clip = (value: number, count: number) =>
    Math.min(count - 1, Math.max(0, value));
  const query = clip(from.query + down, rows);
  // The first step sideways enters the row at its own token.
  const key =
    from.key === undefined
      ? right === 0
        ? undefined
        : clip(query, cols)
      : clip(from.key + right, cols);
  return key === undefined ? { query } : { query, key };
}

/** A link says all that differs from a fresh page, except the head. */
function linked(state: State, link: LinkFacts): State {
  const own = ownOf(link.model, state.text);
  const text = link.text ?? own?.examples[0]!.text ?? state.text;
  const { storage, target, masks, stage, scale, ramp, lensOpen } = {
    ...initialState,
    ...link,
  };
  const changed =
    text !== state.text ||
    target !== state.target ||
    JSON.stringify(masks) !== JSON.stringify(state.masks);
  return {
    ...state,
    storage,
    text,
    target,
    masks,
    stage,
    scale,
    ramp,
    lensOpen,
    head: headIn(state.model, link.head) ?? state.head,
    pinned: link.cell,
    settings: {
      ...initialState.settings,
      ...(link.text === undefined && own?.settings),
      ...link.settings,
    },
    stale: state.stale || changed,
    generation: changed ? undefined : state.generation,
  };
}
