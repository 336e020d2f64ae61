// Styles by property through the CSS object model: Lit's own styleMap writes a
// style attribute first, which the page's content security policy forbids.

import { noChange } from "lit";
import { directive, Directive, type AttributePart } from "lit/directive.js";

type Styles = Readonly<Record<string, string>>;

class StylesOf extends Directive {
  #last: Styles = {};

  render(styles: Styles): unknown {
    return styles; // Lit asks for it on a server only, which this page has not
  }

  override update(part: AttributePart, [styles]: [Styles]): unknown {
    const style = (part.element as HTMLElement).style;
    for (const name of Object.keys(this.#last)) {
      if (!(name in styles)) style.removeProperty(name);
    }
    for (const [name, value] of Object.entries(styles)) {
      if (this.#last[name] !== value) style.setProperty(name, value);
    }
    this.#last = styles;
    return noChange;
  }
}

/** `style=${stylesOf({ width: '4px' })}`; names as in CSS. */
export const stylesOf = directive(StylesOf);
