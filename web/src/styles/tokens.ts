// The page's colours, type and steps of space as CSS custom properties, made
// of the palettes of pictures/colours.ts so that page and pictures agree.

import { css, unsafeCSS } from "lit";
import {
  darkPalette,
  lightPalette,
  type Palette,
} from "../pictures/colours.js";
import { touch } from "./base.js";

const colours = (Object.keys(lightPalette) as (keyof Palette)[])
  .map(
    (name) =>
      `--${name}: light-dark(${lightPalette[name]}, ${darkPalette[name]});`,
  )
  .join("\n");

/** For the root element only; custom properties reach every shadow tree. */
export const tokens = css`
  :host {
    color-scheme: light dark;
    ${unsafeCSS(colours)}
    --sans: system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif;
    --serif: "Iowan Old Style", "Palatino Linotype", Charter, Georgia, serif;
    --mono:
      ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
    --control: 36px;
  }
  :host([theme="light"]) {
    color-scheme: light;
  }
  :host([theme="dark"]) {
    color-scheme: dark;
  }
  @media ${touch} {
    :host {
      --control: 44px;
    }
  }
`;
