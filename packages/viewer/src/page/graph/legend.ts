import type { LinkType, Picture, ThingKind } from "../../memory-view.js";
import { COMMUNITY_COLOURS, communityClass } from "../community-class.js";
import type { PageContext } from "../context.js";
import { type Child, element } from "../element.js";
import { formatNumber } from "../format.js";
import { kindGlyph, linkGlyph } from "../parts/glyphs.js";
import { KIND_NAMES, LINK_NAMES } from "../words.js";
import type { Filter } from "./scene.js";

interface LegendOptions {
  picture: Picture;
  filter: Filter;
  onFilter: (filter: Filter) => void;
  onMatch: (matches: ReadonlySet<number> | undefined) => void;
}

/** What shapes and colours mean, and what of them is to be seen. */
export function createLegend(
  { view }: PageContext,
  { picture, filter, onFilter, onMatch }: LegendOptions,
): HTMLElement {
  const kinds = new Set(filter.kinds);
  const links = new Set(filter.links);
  const update = (): void => onFilter({ kinds: new Set(kinds), links: new Set(links) });
  const count = (kind: ThingKind): number => picture.nodes.filter((node) => node.kind === kind).length;
  const countLinks = (type: LinkType): number => picture.links.filter((link) => link.type === type).length;
  return element(
    "details",
    { class: "legend", open: innerWidth > 760 },
    element("summary", {}, "Legend"),
    group(
      "Nodes",
      [...kinds].map((kind) =>
        choice(
          { set: kinds, value: kind, update, title: KIND_NAMES[kind].says },
          kindGlyph(kind),
          KIND_NAMES[kind].many,
          tally(count(kind)),
        ),
      ),
    ),
    group(
      "Links",
      [...links].map((type) =>
        choice(
          { set: links, value: type, update, title: LINK_NAMES[type].says },
          linkGlyph(type),
          type,
          tally(countLinks(type)),
        ),
      ),
    ),
    view.communities.length > 0 && group("Communities", showCommunities(view.communities, picture, onMatch)),
  );
}

function group(title: string, items: readonly HTMLElement[]): HTMLElement {
  return element("fieldset", {}, element("legend", {}, title), ...items);
}

function tally(count: number): HTMLElement {
  return element("span", { class: "tally" }, formatNumber(count));
}

interface Choice<Value> {
  set: Set<Value>;
  value: Value;
  update: () => void;
  title: string;
}

function choice<Value extends string>(
  { set, value, update, title }: Choice<Value>,
  ...children: readonly Child[]
): HTMLElement {
  const box = element("input", { type: "checkbox", checked: true, name: value });
  box.addEventListener("change", () => {
    if (box.checked) set.add(value);
    else set.delete(value);
    update();
  });
  return element("label", { title }, box, ...children);
}

/** Choosing one lets the others step back; choosing it again shows all. */
function showCommunities(
  communities: PageContext["view"]["communities"],
  picture: Picture,
  onMatch: LegendOptions["onMatch"],
): HTMLElement[] {
  const buttons: HTMLElement[] = [];
  const press = (chosen: number): void => {
    const isOn = buttons[chosen]?.getAttribute("aria-pressed") === "true";
    for (const [index, button] of buttons.entries())
      button.setAttribute("aria-pressed", String(index === chosen && !isOn));
    const members = picture.nodes.flatMap(({ community }, index) => (community === chosen ? [index] : []));
    onMatch(isOn ? undefined : new Set(members));
  };
  for (const [index, { label, size }] of communities.slice(0, COMMUNITY_COLOURS).entries())
    buttons.push(
      element(
        "button",
        { type: "button", class: "community-choice", "aria-pressed": "false", click: () => press(index) },
        element("span", { class: `dot ${communityClass(index)}` }),
        element("span", { class: "name" }, label),
        tally(size),
      ),
    );
  const others = communities.length - buttons.length;
  if (others <= 0) return buttons;
  return [
    ...buttons,
    element(
      "p",
      { class: "quiet" },
      element("span", { class: "dot community-other" }),
      `${formatNumber(others)} smaller ones`,
    ),
  ];
}
