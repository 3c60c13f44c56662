import { UndirectedGraph } from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";

import { placeIdle } from "./place-idle.js";
import { fitInto, lieDown, type Place } from "./place.js";
import { seedPlaces } from "./seed-places.js";

export interface ForcedNode {
  readonly community?: number;
  readonly weight: number;
}

export interface ForcedLink {
  readonly from: number;
  readonly to: number;
  readonly type: string;
}

/** Moving one node once costs about as much whatever the graph: so many moves take some seconds, and no more. */
const MOST_MOVES = 600_000;
const [FEWEST_ROUNDS, MOST_ROUNDS] = [40, 600];
/** Beyond, what is far away is taken together (Barnes and Hut 1986). */
const EXACT_UP_TO = 500;
/** What is used together is drawn together; that one thing might feed another says less. */
const PULLS: Readonly<Record<string, number>> = { provides: 0.2 };

/**
 * ForceAtlas2 (Jacomy et al. 2014) from places that depend on the graph alone, so that the same memory is drawn the same.
 * What is joined to nothing stands in rows below.
 */
export function layoutByForce(nodes: readonly ForcedNode[], links: readonly ForcedLink[]): Place[] {
  const joined = new Set(links.flatMap(({ from, to }) => [from, to]));
  const places = new Map(fitInto(lieDown(pull(nodes, links, joined))));
  const idle = nodes.flatMap((_, index) => (joined.has(index) ? [] : [index]));
  for (const [index, place] of placeIdle(idle, places)) places.set(index, place);
  return nodes.map((_, index) => places.get(index) ?? { x: 0, y: 0 });
}

function pull(
  nodes: readonly ForcedNode[],
  links: readonly ForcedLink[],
  joined: ReadonlySet<number>,
): [number, Place][] {
  const graph = new UndirectedGraph();
  const seeds = seedPlaces(nodes, links);
  for (const [index, { weight }] of nodes.entries())
    if (joined.has(index)) graph.addNode(index, { ...seeds[index], size: 4 + 8 * weight });
  for (const { from, to, type } of links)
    graph.updateUndirectedEdge(from, to, ({ weight = 0 }) => ({ weight: weight + (PULLS[type] ?? 1) }));
  if (graph.order > 1)
    forceAtlas2.assign(graph, { iterations: countRounds(graph.order), settings: settle(graph.order) });
  return graph.mapNodes((key, { x, y }) => [Number(key), { x: x as number, y: y as number }]);
}

function countRounds(count: number): number {
  return Math.max(FEWEST_ROUNDS, Math.min(MOST_ROUNDS, Math.round(MOST_MOVES / count)));
}

function settle(count: number): object {
  return {
    barnesHutOptimize: count > EXACT_UP_TO,
    adjustSizes: count <= EXACT_UP_TO,
    edgeWeightInfluence: 1,
    gravity: 0.08,
    strongGravityMode: true,
    scalingRatio: count <= EXACT_UP_TO ? 12 : 6,
    slowDown: 1 + Math.log(count),
  };
}
