/** Capabilities that go about their work with much the same tools. */
export interface Cluster<T> {
  tools: string[];
  members: T[];
}

const ALIKE = 0.5;

/** Each joins the cluster whose tools are most like its own, if half of them are; otherwise it begins one. */
export function clusterByTools<T extends { toolsUsed: readonly string[] }>(items: readonly T[]): Cluster<T>[] {
  const clusters: Cluster<T>[] = [];
  const byTool = new Map<string, Set<Cluster<T>>>();
  // The most typical first: those with few tools begin clusters that others can be compared with.
  const sorted = [...items].sort((a, b) => a.toolsUsed.length - b.toolsUsed.length);
  for (const item of sorted) {
    const near = new Set(item.toolsUsed.flatMap((tool) => [...(byTool.get(tool) ?? [])]));
    const best = findBest(near, item.toolsUsed) ?? findEmpty(clusters, item.toolsUsed);
    const cluster = best ?? { tools: [...new Set(item.toolsUsed)].sort(), members: [] };
    cluster.members.push(item);
    if (best !== undefined) continue;
    clusters.push(cluster);
    for (const tool of cluster.tools) byTool.set(tool, (byTool.get(tool) ?? new Set()).add(cluster));
  }
  return clusters;
}

function findBest<T>(clusters: Iterable<Cluster<T>>, tools: readonly string[]): Cluster<T> | undefined {
  let best: { cluster: Cluster<T>; likeness: number } | undefined;
  for (const cluster of clusters) {
    const likeness = jaccard(cluster.tools, tools);
    if (likeness >= ALIKE && likeness > (best?.likeness ?? 0)) best = { cluster, likeness };
  }
  return best?.cluster;
}

function findEmpty<T>(clusters: readonly Cluster<T>[], tools: readonly string[]): Cluster<T> | undefined {
  return tools.length === 0 ? clusters.find((cluster) => cluster.tools.length === 0) : undefined;
}

function jaccard(a: readonly string[], b: readonly string[]): number {
  const [left, right] = [new Set(a), new Set(b)];
  const shared = [...left].filter((each) => right.has(each)).length;
  return shared / (left.size + right.size - shared || 1);
}
