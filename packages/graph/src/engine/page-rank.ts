import pagerank from "graphology-metrics/centrality/pagerank.js";

import type { MemoryGraph } from "./memory-graph.js";
import { buildSimpleView } from "./simple-view.js";

/** Brin and Page (1998), over tools and capabilities; operations would draw all rank to `code:map`. */
export function computePageRank(graph: MemoryGraph): Map<string, number> {
  const view = buildSimpleView(graph, (kind) => kind !== "operation");
  if (view.order === 0) return new Map();
  // Rank needs to be right to a few digits only; the default of 1e-6 a node does not converge on stars.
  const ranks = pagerank(view, { getEdgeWeight: "weight", maxIterations: 1000, tolerance: 1e-8 });
  return new Map(Object.entries(ranks).map(([key, rank]) => [key.slice(1), rank]));
}
