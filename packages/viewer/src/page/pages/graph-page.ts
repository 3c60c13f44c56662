import type { LinkType, Picture, ThingKind } from "../../memory-view.js";
import type { Page, PageContext } from "../context.js";
import { element } from "../element.js";
import { GraphView } from "../graph/graph-view.js";
import { createLegend } from "../graph/legend.js";
import type { Filter } from "../graph/scene.js";
import { readRoute, writeRoute } from "../route.js";
import { describeNode, showNode } from "./node-panel.js";

export interface GraphPageOptions {
  page: "map" | "runs";
  title: string;
  picture: Picture;
  /** Said where there is nothing to draw. */
  empty: string;
}

/** A graph with its legend, and what is said of the node that was chosen. */
export function createGraphPage(context: PageContext, options: GraphPageOptions): Page {
  const { title, picture, empty } = options;
  if (picture.nodes.length === 0) return { title, element: showEmpty(title, empty) };
  const panel = element("aside", { class: "node-panel", hidden: true, "aria-label": "The chosen node" });
  const filter: Filter = { kinds: new Set(listKinds(picture)), links: new Set(listTypes(picture)) };
  const view: GraphView = new GraphView({
    picture,
    communities: context.view.communities,
    renderer: context.view.renderer,
    theme: context.theme,
    label: `${title}: ${picture.nodes.length} nodes. Arrow keys go from node to node, Enter opens, Escape lets go.`,
    filter,
    onChoose: (index) => showChosen(context, options, { view, panel, index }),
    onOpen: (index) => openNode(context, picture, index),
  });
  const onFilter = (next: Filter): void => view.filter(next);
  const legend = createLegend(context, { picture, filter, onFilter, onMatch: (matches) => view.match(matches) });
  const heading = element("h1", { class: "unseen" }, title);
  return {
    title,
    element: element("div", { class: "graph-page" }, heading, view.element, showZoom(view), legend, panel),
    enter(at) {
      const index = picture.nodes.findIndex(({ thing }) => thing === at);
      if (index >= 0) view.choose(index, true);
    },
  };
}

function showEmpty(title: string, empty: string): HTMLElement {
  const heading = element("h1", { class: "words" }, title);
  return element("article", { class: "page" }, heading, element("p", { class: "lead" }, empty));
}

interface Chosen {
  view: GraphView;
  panel: HTMLElement;
  index: number | undefined;
}

/** In the panel, in the address, and in words. */
function showChosen(context: PageContext, { page, picture }: GraphPageOptions, { view, panel, index }: Chosen): void {
  const node = picture.nodes[index ?? -1];
  panel.hidden = node === undefined;
  panel.replaceChildren();
  history.replaceState(undefined, "", writeRoute({ page, ...(node !== undefined && { at: node.thing }) }));
  if (node === undefined || index === undefined) return context.say("Nothing chosen");
  const choose = (next: number): void => view.choose(next, true);
  const close = (): void => {
    view.choose(undefined);
    view.element.focus();
  };
  panel.append(showNode(context, { picture, index, choose, close }));
  context.say(describeNode(picture, index));
}

function openNode({ catalog, go }: PageContext, { nodes }: Picture, index: number): void {
  const href = catalog.find(nodes[index]?.thing ?? "")?.href;
  if (href !== undefined) go(readRoute(href));
}

function showZoom(view: GraphView): HTMLElement {
  const buttons: [sign: string, label: string, click: () => void][] = [
    ["+", "Nearer", () => view.zoom(0.6)],
    ["−", "Farther", () => view.zoom(1 / 0.6)],
    ["⤢", "All of it", () => view.fit()],
  ];
  return element(
    "div",
    { class: "zoom" },
    ...buttons.map(([sign, label, click]) =>
      element("button", { type: "button", "aria-label": label, title: label, click }, sign),
    ),
  );
}

function listKinds({ nodes }: Picture): ThingKind[] {
  return [...new Set(nodes.map(({ kind }) => kind))];
}

function listTypes({ links }: Picture): LinkType[] {
  return [...new Set(links.map(({ type }) => type))];
}
