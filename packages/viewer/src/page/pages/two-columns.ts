import { element } from "../element.js";

type Parts = readonly (HTMLElement | undefined)[];

/** What matters most, and beside it what there is more to say. */
export function twoColumns(name: string, main: Parts, side: Parts): HTMLElement {
  return element(
    "article",
    { class: `page ${name}` },
    element("div", { class: "main-column" }, ...main),
    element("aside", { class: "side-column", "aria-label": "More about it" }, ...side),
  );
}
