import { CAPABILITY_PREFIX } from "../node.js";
import { keyOfNode, type MemoryGraph } from "./memory-graph.js";

/** A capability joins all of its tools at once: an edge with many ends. */
export interface Hyperedge {
  readonly capability: string;
  readonly tools: readonly string[];
}

export function listHyperedges(graph: MemoryGraph): Hyperedge[] {
  return graph
    .filterNodes((_, { kind }) => kind === "capability")
    .map((key) => ({ capability: key.slice(1), tools: listSpanned(graph, key) }))
    .filter(({ tools }) => tools.length > 0);
}

/** The tools that a capability contains, directly. */
function listSpanned(graph: MemoryGraph, capabilityKey: string): string[] {
  const tools: string[] = [];
  graph.forEachOutEdge(capabilityKey, (edge, { type }) => {
    const target = graph.target(edge);
    if (type === "contains" && graph.getNodeAttribute(target, "kind") === "tool") tools.push(target.slice(1));
  });
  return tools.sort();
}

/** The capabilities that span a tool. */
export function listSpanning(graph: MemoryGraph, tool: string): string[] {
  const capabilities: string[] = [];
  graph.forEachInEdge(keyOfNode(tool), (_, { type }, source) => {
    if (type === "contains" && source.startsWith(`.${CAPABILITY_PREFIX}`)) capabilities.push(source.slice(1));
  });
  return capabilities.sort();
}
