import type { LinkType, ThingKind } from "../../memory-view.js";
import { communityClass } from "../community-class.js";
import { svg } from "../element.js";

/** The shapes that graphs are painted with, small, for legends and lists. */
export function kindGlyph(kind: ThingKind, community?: number): SVGSVGElement {
  const shapes = {
    tool: () => [svg("circle", { cx: 8, cy: 8, r: 5.5 })],
    capability: () => [svg("rect", { x: 3, y: 3, width: 10, height: 10 })],
    operation: () => [svg("circle", { cx: 8, cy: 8, r: 4.2, class: "hollow" })],
  };
  return svg("svg", { ...FRAME, class: `glyph kind-${kind} ${communityClass(community)}` }, ...shapes[kind]());
}

export function linkGlyph(type: LinkType): SVGSVGElement {
  const line = svg("path", { d: "M1 8 H27", class: "stroke" });
  const head = svg("path", { d: "M31 8 L22 4.2 V11.8 z" });
  const tail = svg("path", { d: "M1 8 L10 4.2 V11.8 z" });
  const parts: Readonly<Record<LinkType, SVGElement[]>> = {
    contains: [svg("path", { d: "M1 8 H31", class: "stroke" })],
    dependency: [line, head],
    sequence: [line, head],
    alternative: [line, head, tail],
    provides: [svg("path", { d: "M1 4.5 L31 8 L1 11.5 z" })],
  };
  return svg(
    "svg",
    { viewBox: "0 0 32 16", width: 32, height: 16, "aria-hidden": "true", class: "glyph link" },
    ...parts[type],
  );
}

const FRAME = { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" };
