import type { LinkType, Picture, PictureNode } from "../../memory-view.js";
import type { Thing } from "../catalog.js";
import type { PageContext } from "../context.js";
import { element } from "../element.js";
import { formatCount, formatDuration, formatShare, formatWhen, formatTimes } from "../format.js";
import { kindGlyph } from "../parts/glyphs.js";
import { KIND_NAMES, LINK_NAMES } from "../words.js";

interface NodePanel {
  picture: Picture;
  index: number;
  choose: (index: number) => void;
  close: () => void;
}

const MOST_EACH = 12;

/** What is said of a node in a graph: enough to decide whether to open its page. */
export function showNode({ catalog, view }: PageContext, panel: NodePanel): HTMLElement {
  const { picture, index, close } = panel;
  const node = picture.nodes[index] as PictureNode;
  const thing = catalog.find(node.thing);
  const community = view.communities[node.community ?? -1]?.label;
  return element(
    "div",
    {},
    element("button", { type: "button", class: "close", "aria-label": "Close", click: close }, "×"),
    element("p", { class: "eyebrow" }, kindGlyph(node.kind, node.community), KIND_NAMES[node.kind].one),
    element("h2", { class: thing?.capability?.isNamed === false ? "words" : "name" }, thing?.label ?? node.label),
    thing !== undefined && thing.description !== thing.label && element("p", {}, thing.description),
    element("p", { class: "quiet" }, describeUse(thing, node)),
    community !== undefined && element("p", { class: "quiet" }, `Belongs with what is around ${community}.`),
    thing?.href !== undefined && element("a", { class: "button", href: thing.href }, "Open its page"),
    ...groupLinks(picture, index).map((group) => showGroup(panel, group)),
  );
}

/** In one sentence, for those who hear it. */
export function describeNode(picture: Picture, index: number): string {
  const node = picture.nodes[index];
  if (node === undefined) return "";
  const joined = picture.links.filter(({ from, to }) => from === index || to === index).length;
  const failed = node.call?.success === false ? ", failed" : "";
  return `${node.label}, ${KIND_NAMES[node.kind].one}${failed}, ${formatCount(joined, "link")}`;
}

function describeUse(thing: Thing | undefined, { call }: PictureNode): string {
  if (call !== undefined)
    return `${call.success ? "Worked" : "Failed"} in ${formatDuration(call.durationMs)}, ${formatWhen(call.startMs)}.`;
  const { uses = 0, successes = 0, failures = 0 } = thing?.capability?.statistics ?? thing?.tool?.uses ?? {};
  if (uses === 0) return "Not used so far.";
  const worked =
    successes + failures === 0 ? "" : `, worked ${formatShare(successes / (successes + failures))} of the time`;
  return `Used ${formatTimes(uses)}${worked}.`;
}

interface Group {
  type: LinkType;
  way: "out" | "in";
  others: number[];
}

function groupLinks({ links }: Picture, index: number): Group[] {
  const groups = new Map<string, Group>();
  for (const { from, to, type } of links) {
    if (from !== index && to !== index) continue;
    const way = from === index ? "out" : "in";
    const group = groups.get(type + way) ?? { type, way, others: [] };
    group.others.push(from === index ? to : from);
    groups.set(type + way, group);
  }
  return [...groups.values()];
}

function showGroup({ picture, choose }: NodePanel, { type, way, others }: Group): HTMLElement {
  const items = others.slice(0, MOST_EACH).map((other) => {
    const node = picture.nodes[other];
    const name = element("span", { class: "name" }, node?.label ?? "");
    return element(
      "li",
      {},
      element(
        "button",
        { type: "button", class: "thing", click: () => choose(other) },
        kindGlyph(node?.kind ?? "tool", node?.community),
        name,
      ),
    );
  });
  const more =
    others.length > MOST_EACH &&
    element("p", { class: "quiet" }, `and ${formatCount(others.length - MOST_EACH, "other")}`);
  return element(
    "section",
    {},
    element("h3", { title: LINK_NAMES[type].says }, LINK_NAMES[type][way]),
    element("ul", { class: "rows" }, ...items),
    more,
  );
}
