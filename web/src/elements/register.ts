// Gives every element its name. Apart from the classes, so that importing a
// class has no side effect.

import { AsAttentionChoice } from "./as-attention-choice.js";
import { AsCellCard } from "./as-cell-card.js";
import { AsExamples } from "./as-examples.js";
import { AsExplorer } from "./as-explorer.js";
import { AsGeneratePanel } from "./as-generate-panel.js";
import { AsHeadThumbnail } from "./as-head-thumbnail.js";
import { AsHeads } from "./as-heads.js";
import { AsHeatmap } from "./as-heatmap.js";
import { AsLegend } from "./as-legend.js";
import { AsLoadStatus } from "./as-load-status.js";
import { AsLogitLens } from "./as-logit-lens.js";
import { AsMaskPanel } from "./as-mask-panel.js";
import { AsModelCard } from "./as-model-card.js";
import { AsModelPanel } from "./as-model-panel.js";
import { AsNextTokens } from "./as-next-tokens.js";
import { AsPatternTable } from "./as-pattern-table.js";
import { AsPicture } from "./as-picture.js";
import { AsRowBars } from "./as-row-bars.js";
import { AsShareButton } from "./as-share-button.js";
import { AsStorage } from "./as-storage.js";
import { AsTextField } from "./as-text-field.js";
import { AsThemeSwitch } from "./as-theme-switch.js";
import { AsTokenStrip } from "./as-token-strip.js";
import { AsVariantLine } from "./as-variant-line.js";
import { AsWay } from "./as-way.js";

const elements: Record<string, CustomElementConstructor> = {
  "as-attention-choice": AsAttentionChoice,
  "as-cell-card": AsCellCard,
  "as-examples": AsExamples,
  "as-explorer": AsExplorer,
  "as-generate-panel": AsGeneratePanel,
  "as-head-thumbnail": AsHeadThumbnail,
  "as-heads": AsHeads,
  "as-heatmap": AsHeatmap,
  "as-legend": AsLegend,
  "as-load-status": AsLoadStatus,
  "as-logit-lens": AsLogitLens,
  "as-mask-panel": AsMaskPanel,
  "as-model-card": AsModelCard,
  "as-model-panel": AsModelPanel,
  "as-next-tokens": AsNextTokens,
  "as-pattern-table": AsPatternTable,
  "as-picture": AsPicture,
  "as-row-bars": AsRowBars,
  "as-share-button": AsShareButton,
  "as-storage": AsStorage,
  "as-text-field": AsTextField,
  "as-theme-switch": AsThemeSwitch,
  "as-token-strip": AsTokenStrip,
  "as-variant-line": AsVariantLine,
  "as-way": AsWay,
};

export function register(): void {
  for (const [name, element] of Object.entries(elements)) {
    if (!customElements.get(name)) customElements.define(name, element);
  }
}
