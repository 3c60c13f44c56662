import { keyOfNode, type MemoryGraph } from "./memory-graph.js";

export interface Related {
  readonly id: string;
  readonly score: number;
  /** The common neighbour that says most. */
  readonly through: string;
}

/** A neighbour of so many nodes says next to nothing about any two of them, and would cost the most to ask. */
const HUB_DEGREE = 2000;

/**
 * Adamic and Adar (2003): two nodes are related by the neighbours they share, each counting the more the fewer
 * neighbours it has itself. Operations are neither counted nor given.
 */
export function computeAdamicAdar(graph: MemoryGraph, id: string, limit: number): Related[] {
  const start = keyOfNode(id);
  const found = new Map<string, { score: number; through: string; most: number }>();
  for (const shared of listNeighbors(graph, start)) {
    if (graph.degree(shared) > HUB_DEGREE) continue;
    const around = listNeighbors(graph, shared);
    // Of a neighbour with this one neighbour only the logarithm would be 0; it leads nowhere anyway.
    const says = 1 / Math.log(Math.max(around.size, 2));
    for (const other of around) if (other !== start) addScore(found, other, { says, shared });
  }
  return [...found]
    .map(([key, { score, through }]) => ({ id: key.slice(1), score, through: through.slice(1) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

function addScore(
  found: Map<string, { score: number; through: string; most: number }>,
  other: string,
  { says, shared }: { says: number; shared: string },
): void {
  const entry = found.get(other);
  if (entry === undefined) {
    found.set(other, { score: says, through: shared, most: says });
    return;
  }
  entry.score += says;
  if (says > entry.most) Object.assign(entry, { through: shared, most: says });
}

function listNeighbors(graph: MemoryGraph, key: string): Set<string> {
  const keys = new Set<string>();
  graph.forEachNeighbor(key, (neighbor, { kind }) => kind !== "operation" && keys.add(neighbor));
  return keys;
}
