// What every element shares: box model, type, controls, focus. Stock controls,
// restyled as little as legibility asks.

import { css } from "lit";

/** Windows without room for three columns. */
export const narrow = css`(max-width: 1099px)`;
/** Where fingers are likely. */
export const touch = css`(pointer: coarse), ${narrow}`;

export const base = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :host {
    display: block;
    color: var(--text);
    font: 14px/20px var(--sans);
    font-variant-numeric: tabular-nums;
  }
  :host([hidden]) {
    display: none;
  }
  h2 {
    margin: 0;
    font-size: 14px;
    font-weight: 600;
    line-height: 20px;
  }
  p {
    margin: 0;
  }
  .quiet {
    color: var(--quiet);
  }
  .query {
    color: var(--query);
  }
  .key {
    color: var(--key);
  }
  .value {
    color: var(--value);
  }
  .output {
    color: var(--output);
  }
  .residual {
    color: var(--residual);
  }
  .token {
    font-family: var(--mono);
    font-size: 13px;
    white-space: pre;
    unicode-bidi: isolate;
  }
  .glyph {
    color: var(--quiet);
    font-weight: 400;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .stale {
    opacity: 0.42;
  }
  :focus-visible {
    outline: 2px solid var(--text);
    outline-offset: 2px;
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      transition: none !important;
      animation: none !important;
      scroll-behavior: auto !important;
    }
  }
`;

export const controls = css`
  button,
  select,
  input,
  textarea {
    font: inherit;
    font-variant-numeric: inherit;
    color: inherit;
  }
  button,
  select,
  input[type="text"],
  input[type="number"] {
    height: var(--control);
    padding: 0 12px;
    border: 1px solid var(--line);
    border-radius: 4px;
    background: var(--ground);
  }
  button {
    cursor: pointer;
    white-space: nowrap;
  }
  button:hover:not(:disabled),
  select:hover {
    border-color: var(--quiet);
  }
  button:disabled {
    color: var(--quiet);
    cursor: default;
    border-style: dashed;
  }
  button.primary {
    border-color: var(--text);
    background: var(--text);
    color: var(--ground);
  }
  button.primary:disabled {
    border-color: var(--line);
    background: none;
    color: var(--quiet);
  }
  button.plain {
    border-color: transparent;
    background: none;
  }
  label.field {
    display: grid;
    gap: 4px;
    color: var(--quiet);
    font-size: 12px;
    line-height: 16px;
  }
  label.field > * {
    color: var(--text);
    font-size: 14px;
    min-width: 0;
  }
  fieldset.choice {
    display: inline-flex;
    margin: 0;
    padding: 0;
    border: 1px solid var(--line);
    border-radius: 4px;
    min-width: 0;
  }
  fieldset.choice label {
    position: relative;
    display: grid;
    place-items: center;
    min-height: var(--control);
    padding: 0 12px;
    color: var(--quiet);
    cursor: pointer;
    white-space: nowrap;
  }
  fieldset.choice label + label {
    border-left: 1px solid var(--line);
  }
  fieldset.choice label:hover {
    color: var(--text);
  }
  fieldset.choice input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  fieldset.choice label:has(:checked) {
    color: var(--text);
    background: var(--panel);
    box-shadow: inset 0 -2px 0 var(--text);
  }
  fieldset.choice label:has(:focus-visible) {
    outline: 2px solid var(--text);
    outline-offset: 2px;
    z-index: 1;
  }
`;
