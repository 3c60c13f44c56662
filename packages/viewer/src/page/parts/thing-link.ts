import type { Thing } from "../catalog.js";
import { element } from "../element.js";
import { KIND_NAMES } from "../words.js";
import { kindGlyph } from "./glyphs.js";

/** A name that leads to its page; what has none is named all the same. */
export function thingLink(thing: Thing | undefined, fallback: string): HTMLElement {
  if (thing === undefined) return element("span", { class: "thing" }, fallback);
  const name = element("span", { class: isCode(thing) ? "name" : "name words" }, thing.label);
  const parts = [
    kindGlyph(thing.kind, thing.community),
    element("span", { class: "unseen" }, `${KIND_NAMES[thing.kind].one} `),
    name,
  ];
  if (thing.href === undefined) return element("span", { class: "thing" }, ...parts);
  return element("a", { class: "thing", href: thing.href, title: thing.description.slice(0, 200) }, ...parts);
}

function isCode({ kind, capability }: Thing): boolean {
  return kind !== "capability" || capability?.isNamed === true;
}
