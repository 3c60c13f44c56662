import { EDGE_SOURCES } from "../edge.js";
import { checkSnapshot } from "./check-snapshot.js";
import type { EngineSnapshot } from "./engine-snapshot.js";
import { countEdge, keyOfNode, type MemoryGraph, mentionNode } from "./memory-graph.js";

export function snapshotGraph(graph: MemoryGraph): Pick<EngineSnapshot, "nodes" | "edges"> {
  const nodes = graph.mapNodes((_, { kind: _kind, ...node }) => node).sort((a, b) => (a.id < b.id ? -1 : 1));
  const edges = graph
    .edges()
    .sort()
    .map((key) => {
      const { type, counts } = graph.getEdgeAttributes(key);
      return [graph.source(key).slice(1), graph.target(key).slice(1), type, { ...counts }] as const;
    });
  return { nodes, edges };
}

export function restoreGraph(graph: MemoryGraph, snapshot: EngineSnapshot): void {
  checkSnapshot(snapshot);
  for (const { id, mentions, successes, failures, totalMs } of snapshot.nodes) {
    mentionNode(graph, id, mentions);
    graph.mergeNodeAttributes(keyOfNode(id), { successes, failures, totalMs });
  }
  for (const [from, to, type, counts] of snapshot.edges) {
    for (const source of EDGE_SOURCES)
      if (counts[source] > 0) countEdge(graph, { from, to, type, source }, counts[source]);
  }
}
