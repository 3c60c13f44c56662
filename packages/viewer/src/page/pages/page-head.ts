import type { Thing } from "../catalog.js";
import { communityClass } from "../community-class.js";
import type { PageContext } from "../context.js";
import { element } from "../element.js";
import { kindGlyph } from "../parts/glyphs.js";
import { writeRoute } from "../route.js";
import { KIND_NAMES, STATUS_NAMES } from "../words.js";

/** Name, what it is for, and what is to be known at once. */
export function showHead({ view }: PageContext, thing: Thing): HTMLElement {
  const { key, kind, label, capability, tool, community } = thing;
  const isDrawn = view.definition.nodes.some((node) => node.thing === key);
  const name = view.communities[community ?? -1]?.label;
  const isWordy = capability?.isNamed === false;
  return element(
    "header",
    { class: "page-head" },
    element(
      "p",
      { class: "eyebrow" },
      kindGlyph(kind, community),
      KIND_NAMES[kind].one,
      isDrawn && element("a", { href: writeRoute({ page: "map", at: key }), class: "on-map" }, "Show on the map"),
    ),
    element("h1", { class: isWordy ? "words" : "name" }, label),
    (capability === undefined || !isWordy) &&
      element("p", { class: "lead" }, capability?.intent ?? tool?.description ?? ""),
    capability?.description !== undefined && element("p", {}, capability.description),
    element(
      "p",
      { class: "badges" },
      ...listBadges(thing),
      name !== undefined &&
        element("span", { class: `badge community ${communityClass(community)}` }, `around ${name}`),
    ),
  );
}

function listBadges({ capability, tool }: Thing): HTMLElement[] {
  const { label = "", says = "" } = STATUS_NAMES[capability?.status ?? ""] ?? {};
  const badges: [string, string, string][] = [
    [label, `status-${capability?.status ?? ""}`, says],
    [capability?.verified === true ? "verified" : "", "good", "Its recorded runs gave the same again in a replay."],
    [capability?.record === undefined ? "" : `v${capability.record.version}`, "", "What its name stands for now."],
    [capability?.isNamed === false ? "unnamed" : "", "", "Nobody has named it yet."],
    [tool?.readOnly === true ? "reads only" : "", "good", "It is declared to change nothing."],
    [tool?.destructive === true ? "destructive" : "", "bad", "It is declared to destroy: a person is asked first."],
    [tool?.approval === "required" ? "asks first" : "", "", "A person is asked before it runs."],
    [tool?.idempotent === true ? "repeatable" : "", "", "Calling it twice is calling it once."],
    [tool?.available === false ? "gone" : "", "bad", "It was there once, and is not now."],
  ];
  return badges
    .filter(([text]) => text !== "")
    .map(([text, name, title]) => element("span", { class: `badge ${name}`, title }, text));
}
