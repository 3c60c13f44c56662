import { layoutByForce } from "../layout/by-force.js";
import type { Picture, PictureLink } from "../memory-view.js";
import type { Gathered } from "../read/gather.js";
import type { Communities } from "./communities.js";
import { shorten } from "./shorten.js";
import type { Thing, Things } from "./things.js";

export const LABEL = 80;

/** One node for each tool, operation and active capability, and how they stand to each other. */
export function drawDefinition({ definition, tools }: Gathered, things: Things, communities: Communities): Picture {
  const inGraph = definition.nodes.flatMap(({ id }) => things.find(id) ?? []);
  const idle = tools.flatMap(({ id, available }) => (available ? (things.find(id) ?? []) : []));
  const drawn = [...new Set([...inGraph, ...idle])].sort((a, b) => (a.key < b.key ? -1 : 1));
  const links = listLinks(definition, { things, drawn });
  const degrees = countDegrees(links, drawn.length);
  const spoken = drawn.map(({ uses }, index) => Math.log1p(uses + (degrees[index] ?? 0)));
  const most = Math.max(1, ...spoken);
  const nodes = drawn.map(({ key, kind, label }, index) => {
    const community = communities.of.get(key);
    return {
      thing: key,
      kind,
      label: shorten(label, LABEL),
      weight: round((spoken[index] ?? 0) / most),
      ...(community !== undefined && { community }),
    };
  });
  const places = layoutByForce(nodes, links);
  return { nodes: nodes.map((node, index) => ({ ...node, ...(places[index] ?? ORIGIN) })), links, captions: [] };
}

const ORIGIN = { x: 0, y: 0 };

/** Once for each pair and type: versions of a capability are one node. */
function listLinks(
  { edges }: Gathered["definition"],
  { things, drawn }: { things: Things; drawn: readonly Thing[] },
): PictureLink[] {
  const at = new Map(drawn.map((thing, index) => [thing, index]));
  const links = new Map<string, PictureLink>();
  for (const { from, to, type, source, observations } of edges) {
    const [start, end] = [from, to].map((node) => at.get(things.find(node) as Thing));
    if (start === undefined || end === undefined || start === end) continue;
    const key = `${start} ${end} ${type}`;
    const times = (links.get(key)?.observations ?? 0) + (observations ?? 0);
    links.set(key, { from: start, to: end, type, ...(source !== undefined && { source }), observations: times });
  }
  return [...links.values()].sort((a, b) => a.from - b.from || a.to - b.to || (a.type < b.type ? -1 : 1));
}

function countDegrees(links: readonly PictureLink[], count: number): number[] {
  const degrees = Array.from({ length: count }, () => 0);
  for (const { from, to } of links) {
    degrees[from] = (degrees[from] ?? 0) + 1;
    degrees[to] = (degrees[to] ?? 0) + 1;
  }
  return degrees;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
