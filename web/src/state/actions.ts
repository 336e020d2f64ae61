// Everything that can happen: intentions of a person, and reports of the
// engine about work it did. Only these change the state (reducer.ts).

import type {
  AttentionPart,
  LoadProgress,
  NextToken,
  StopReason,
  StorageKind,
  Token,
} from "attnscope";
import type { Example } from "./bundled-models.js";
import type { RampName } from "../pictures/colours.js";
import type { ScaleName } from "../pictures/scale.js";
import type {
  Cell,
  Comparison,
  Fault,
  GenerationSettings,
  HeadId,
  Lens,
  MaskChoice,
  Masks,
  ModelFacts,
  ModelSource,
  Pattern,
  RunFacts,
  Stage,
  Theme,
  Thumbnail,
  WayPictures,
} from "./state.js";
import type { Suggestion } from "./suggest.js";

/** What a link carries; every part may be missing. */
export interface LinkFacts {
  readonly model?: ModelSource;
  readonly storage?: StorageKind;
  readonly text?: string;
  readonly target?: string;
  readonly head?: HeadId;
  readonly masks?: Masks;
  readonly stage?: Stage;
  readonly scale?: ScaleName;
  readonly ramp?: RampName;
  readonly lensOpen?: boolean;
  readonly cell?: Cell;
  readonly settings?: Partial<GenerationSettings>;
}

export type Intention =
  | { readonly type: "load-model"; readonly source: ModelSource }
  | { readonly type: "cancel-load" }
  /** Puts away the message about a load that failed. */
  | { readonly type: "dismiss-fault" }
  | { readonly type: "edit-text"; readonly text: string }
  | { readonly type: "edit-target"; readonly target: string }
  | { readonly type: "choose-example"; readonly example: Example }
  | { readonly type: "run-again" }
  | { readonly type: "cancel-run" }
  | {
      readonly type: "choose-mask";
      readonly attention: AttentionPart;
      readonly mask: MaskChoice;
    }
  | { readonly type: "choose-attention"; readonly attention: AttentionPart }
  | { readonly type: "choose-head"; readonly id: HeadId }
  | { readonly type: "want-thumbnail"; readonly id: HeadId }
  /** Loads the present model again, its matrices kept so. */
  | { readonly type: "choose-storage"; readonly storage: StorageKind }
  | { readonly type: "compare-storage" }
  | { readonly type: "show-card"; readonly open: boolean }
  | { readonly type: "show-lens"; readonly open: boolean }
  | { readonly type: "choose-stage"; readonly stage: Stage }
  | { readonly type: "choose-scale"; readonly scale: ScaleName }
  | { readonly type: "choose-ramp"; readonly ramp: RampName }
  | { readonly type: "preview-cell"; readonly cell: Cell | undefined }
  | { readonly type: "pin-cell"; readonly cell: Cell | undefined }
  | {
      readonly type: "move-cell";
      readonly down: number;
      readonly right: number;
    }
  | {
      readonly type: "set-generation";
      readonly change: Partial<GenerationSettings>;
    }
  /** Generates `tokens` more, or as many as the settings say. */
  | { readonly type: "generate"; readonly tokens?: number }
  | { readonly type: "stop-generation" }
  | { readonly type: "choose-theme"; readonly theme: Theme }
  | { readonly type: "system-theme"; readonly dark: boolean }
  | { readonly type: "follow-link"; readonly link: LinkFacts };

export type Report =
  | { readonly type: "load-started"; readonly source: ModelSource }
  | { readonly type: "load-progressed"; readonly progress: LoadProgress }
  | {
      readonly type: "load-finished";
      readonly model: ModelFacts;
      /** By a person's own choice; then the page's texts give way to its own. */
      readonly chosen: boolean;
    }
  | { readonly type: "load-failed"; readonly fault: Fault }
  | { readonly type: "load-cancelled" }
  | { readonly type: "run-started" }
  | {
      readonly type: "run-finished";
      readonly run: RunFacts;
      readonly pattern: Pattern;
      readonly suggestion: Suggestion | undefined;
      /** A row that is new and asks to be looked at: a mask token's. */
      readonly focus: number | undefined;
    }
  | { readonly type: "run-failed"; readonly fault: Fault }
  /** Nothing to run (empty text), or dropped on request. */
  | { readonly type: "run-dropped" }
  | { readonly type: "pattern-arrived"; readonly pattern: Pattern }
  | {
      readonly type: "thumbnail-arrived";
      readonly id: HeadId;
      readonly thumbnail: Thumbnail;
    }
  | { readonly type: "way-arrived"; readonly way: WayPictures }
  | {
      readonly type: "card-arrived";
      readonly source: ModelSource;
      readonly text: string | undefined;
    }
  | { readonly type: "comparison-changed"; readonly comparison: Comparison }
  | { readonly type: "lens-arrived"; readonly lens: Lens }
  | {
      readonly type: "predictions-arrived";
      readonly runId: number;
      readonly at: number;
      readonly next: readonly NextToken[];
    }
  | { readonly type: "generation-started" }
  | {
      readonly type: "token-generated";
      readonly runId: number;
      readonly tokens: readonly Token[];
      readonly next: readonly NextToken[];
      readonly newText: string;
      readonly probability: number;
      readonly milliseconds: number;
      readonly pattern: Pattern | undefined;
    }
  | { readonly type: "generation-ended"; readonly reason: StopReason }
  | { readonly type: "generation-failed"; readonly fault: Fault };

export type Action = Intention | Report;
