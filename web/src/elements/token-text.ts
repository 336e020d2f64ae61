// A token's label as text nodes: glyphs for what is invisible are quieter.

import { html, type TemplateResult } from "lit";
import type { TokenLabel } from "../state/tokens.js";

export function tokenText(label: TokenLabel): TemplateResult {
  const mark = label.piece
    ? html`<span class="glyph"
        >${label.piece.index + 1}/${label.piece.count}</span
      >`
    : "";
  return html`${label.parts.map((part) =>
    part.glyph
      ? html`<span class="glyph">${part.text}</span>`
      : html`${part.text}`,
  )}${mark}`;
}
