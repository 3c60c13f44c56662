import { MultiDirectedGraph } from "graphology";

import {
  type Edge,
  EDGE_SOURCES,
  type EdgeCounts,
  type EdgeSource,
  type EdgeType,
  sourceOf,
  weightOf,
} from "../edge.js";
import { kindOfNode, type NodeKind } from "../node.js";

interface NodeAttributes {
  readonly id: string;
  readonly kind: NodeKind;
  /** How many facts speak of it. At none it goes. */
  mentions: number;
  successes: number;
  failures: number;
  totalMs: number;
}

interface EdgeAttributes {
  readonly type: EdgeType;
  readonly counts: Record<EdgeSource, number>;
  weight: number;
}

export type MemoryGraph = MultiDirectedGraph<NodeAttributes, EdgeAttributes>;

export function createMemoryGraph(): MemoryGraph {
  return new MultiDirectedGraph<NodeAttributes, EdgeAttributes>({ allowSelfLoops: false });
}

/** graphology keeps neighbours in plain objects, where a node named `__proto__` would be lost. */
export const keyOfNode = (id: string): string => `.${id}`;

/** Lengths stand before the ids, so that no two edges share a key whatever the ids contain. */
export const keyOfEdge = (from: string, to: string, type: EdgeType): string => `${type}${from.length}:${from}${to}`;

/** Says once more, or once less, that a node is there. Gives whether it came or went. */
export function mentionNode(graph: MemoryGraph, id: string, times: number): boolean {
  const key = keyOfNode(id);
  if (!graph.hasNode(key)) {
    if (times <= 0) return false;
    graph.addNode(key, { id, kind: kindOfNode(id), mentions: times, successes: 0, failures: 0, totalMs: 0 });
    return true;
  }
  const node = graph.getNodeAttributes(key);
  node.mentions += times;
  if (node.mentions <= 0) graph.dropNode(key);
  return node.mentions <= 0;
}

/** Says once more, or once less, that an edge is there. Gives whether any weight changed. */
export function countEdge(graph: MemoryGraph, { from, to, type, source }: EdgeLike, times: number): boolean {
  const key = keyOfEdge(from, to, type);
  if (!graph.hasEdge(key)) {
    if (times <= 0) return false;
    const counts = { template: 0, inferred: 0, observed: 0, manual: 0, [source]: times };
    const weight = weightOf(type, sourceOf(counts));
    graph.addDirectedEdgeWithKey(key, keyOfNode(from), keyOfNode(to), { type, counts, weight });
    return true;
  }
  const edge = graph.getEdgeAttributes(key);
  const before = edge.weight;
  edge.counts[source] = Math.max(0, edge.counts[source] + times);
  edge.weight = weightOf(type, sourceOf(edge.counts));
  const gone = EDGE_SOURCES.every((each) => edge.counts[each] === 0);
  if (gone) graph.dropEdge(key);
  return gone || edge.weight !== before;
}

interface EdgeLike {
  readonly from: string;
  readonly to: string;
  readonly type: EdgeType;
  readonly source: EdgeSource;
}

export function readEdge(graph: MemoryGraph, key: string): Edge {
  const { type, counts, weight } = graph.getEdgeAttributes(key);
  const [from, to] = graph.extremities(key).map((end) => graph.getNodeAttribute(end, "id")) as [string, string];
  return { from, to, type, source: sourceOf(counts), observations: totalOf(counts), weight };
}

function totalOf(counts: EdgeCounts): number {
  return EDGE_SOURCES.reduce((sum, source) => sum + counts[source], 0);
}
