import { DirectedGraph, UndirectedGraph } from "graphology";

import type { NodeKind } from "../node.js";
import type { MemoryGraph } from "./memory-graph.js";

type Weighted = { weight: number };

/** One edge a pair, its weight the sum of what stands between the two. */
export function buildSimpleView(
  graph: MemoryGraph,
  keep: (kind: NodeKind) => boolean,
): DirectedGraph<Record<string, never>, Weighted> {
  const view = new DirectedGraph<Record<string, never>, Weighted>();
  graph.forEachNode((key, { kind }) => keep(kind) && view.addNode(key));
  graph.forEachEdge((edge, { weight }) => {
    const [source, target] = graph.extremities(edge);
    if (view.hasNode(source) && view.hasNode(target)) addWeight(view, source, target)(weight);
  });
  return view;
}

/** The same without direction, over some of the nodes only. */
export function buildUndirectedView(
  graph: MemoryGraph,
  nodes: Iterable<string>,
): UndirectedGraph<Record<string, never>, Weighted> {
  const view = new UndirectedGraph<Record<string, never>, Weighted>();
  for (const key of nodes) view.addNode(key);
  for (const key of view.nodes()) {
    graph.forEachOutEdge(key, (edge, { weight }) => {
      const [source, target] = graph.extremities(edge);
      if (view.hasNode(target)) addWeight(view, source, target)(weight);
    });
  }
  return view;
}

type View = DirectedGraph<Record<string, never>, Weighted> | UndirectedGraph<Record<string, never>, Weighted>;

function addWeight(view: View, source: string, target: string): (weight: number) => void {
  return (weight) => {
    view.updateEdge(source, target, (edge) => ({ weight: (edge.weight ?? 0) + weight }));
  };
}
