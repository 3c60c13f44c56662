import type { Caption, CommunityView, LinkType, Picture, PictureNode, ThingKind } from "../../memory-view.js";
import { listRegions, type Region } from "./regions.js";

interface SceneNode extends PictureNode {
  /** Radius in pixels where all of the picture is seen. */
  size: number;
}

interface SceneLink {
  from: number;
  to: number;
  type: LinkType;
}

/** A picture, made ready to be painted and asked. */
export interface Scene {
  nodes: readonly SceneNode[];
  links: readonly SceneLink[];
  captions: readonly Caption[];
  regions: readonly Region[];
  box: Box;
  /** Indexes into `links`, by node. */
  linksOf: readonly (readonly number[])[];
  /** Indexes into `nodes`, what says most first. */
  byWeight: readonly number[];
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** What is to be seen of it: by kind of node, and by type of link. */
export interface Filter {
  kinds: ReadonlySet<ThingKind>;
  links: ReadonlySet<LinkType>;
}

/** By index. A link is shown where both of its ends are. */
export interface Shown {
  nodes: readonly boolean[];
  links: readonly boolean[];
}

const [SMALLEST, LARGEST] = [2.2, 13];
const [ROOM, CAPTIONED_SIZE] = [70, 5];

export function createScene({ nodes, links, captions }: Picture, communities: readonly CommunityView[]): Scene {
  const base =
    captions.length > 0 ? CAPTIONED_SIZE : Math.min(LARGEST, Math.max(SMALLEST, ROOM / Math.sqrt(nodes.length || 1)));
  const linksOf = nodes.map((): number[] => []);
  for (const [index, { from, to }] of links.entries()) {
    linksOf[from]?.push(index);
    linksOf[to]?.push(index);
  }
  const sized = nodes.map((node) => ({ ...node, size: base * (0.65 + 0.75 * node.weight) }));
  return {
    nodes: sized,
    links,
    captions,
    regions: captions.length > 0 ? [] : listRegions(sized, communities),
    box: boxOf([...nodes, ...captions, ...captions.map(({ x, y, width }) => ({ x: x + width, y }))]),
    linksOf,
    byWeight: nodes.map((_, index) => index).sort((a, b) => (nodes[b]?.weight ?? 0) - (nodes[a]?.weight ?? 0) || a - b),
  };
}

export function applyFilter({ nodes, links }: Scene, filter: Filter): Shown {
  const shown = nodes.map(({ kind }) => filter.kinds.has(kind));
  return {
    nodes: shown,
    links: links.map(({ from, to, type }) => filter.links.has(type) && shown[from] === true && shown[to] === true),
  };
}

/** The nodes that shown links join to this one. */
export function listNeighbours({ links, linksOf }: Scene, shown: Shown, index: number): number[] {
  const ends = (linksOf[index] ?? []).filter((link) => shown.links[link]).map((link) => links[link]);
  return [...new Set(ends.map((link) => (link?.from === index ? link.to : (link?.from ?? index))))];
}

function boxOf(places: readonly { x: number; y: number }[]): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of places) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return places.length === 0 ? { left: -1, top: -1, right: 1, bottom: 1 } : box;
}
