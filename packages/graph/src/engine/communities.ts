import louvain from "graphology-communities-louvain";

import type { MemoryGraph } from "./memory-graph.js";
import { buildUndirectedView } from "./simple-view.js";

/** Which community each tool is in, and the members of each. A community is named after its first member. */
export interface Communities {
  readonly of: Map<string, string>;
  readonly members: Map<string, readonly string[]>;
}

export function createCommunities(): Communities {
  return { of: new Map(), members: new Map() };
}

/**
 * Louvain (Blondel et al. 2008) over the tools. What is not connected cannot share a community, so only the connected
 * parts that hold a changed tool are computed again.
 */
export function updateCommunities(graph: MemoryGraph, known: Communities, changed: ReadonlySet<string>): void {
  const seen = new Set<string>();
  for (const start of changed) {
    if (graph.hasNode(start) && graph.getNodeAttribute(start, "kind") === "tool" && !seen.has(start)) {
      assign(graph, known, listConnected(graph, start, seen));
    } else if (!graph.hasNode(start)) forget(known, start.slice(1));
  }
}

/** Tools reachable from a tool along edges between tools, whatever their direction. */
function listConnected(graph: MemoryGraph, start: string, seen: Set<string>): string[] {
  const found = [start];
  seen.add(start);
  for (let at = 0; at < found.length; at++) {
    graph.forEachNeighbor(found[at] as string, (key, { kind }) => {
      if (kind !== "tool" || seen.has(key)) return;
      seen.add(key);
      found.push(key);
    });
  }
  return found;
}

function assign(graph: MemoryGraph, known: Communities, keys: string[]): void {
  for (const key of keys) forget(known, key.slice(1));
  // Sorted, and without random walks: the same graph has the same communities however it grew.
  const view = buildUndirectedView(graph, keys.sort());
  const labels = view.size === 0 ? {} : louvain(view, { getEdgeWeight: "weight", randomWalk: false, rng: () => 0 });
  const groups = new Map<string | number, string[]>();
  for (const key of keys) {
    const label = labels[key] ?? key;
    const group = groups.get(label) ?? [];
    group.push(key.slice(1));
    groups.set(label, group);
  }
  for (const members of groups.values()) {
    const name = members[0] as string;
    known.members.set(name, members);
    for (const id of members) known.of.set(id, name);
  }
}

function forget({ of, members }: Communities, id: string): void {
  const name = of.get(id);
  of.delete(id);
  if (name !== undefined) members.delete(name);
}
