import { kindOfNode } from "../node.js";
import { type Communities, createCommunities, updateCommunities } from "./communities.js";
import { listHyperedges } from "./hyperedges.js";
import { keyOfNode, type MemoryGraph } from "./memory-graph.js";
import { computePageRank } from "./page-rank.js";
import { clusterCapabilities } from "./spectral.js";

/** Communities may be read as they were while no larger share of the tools has changed. */
const STALE_SHARE = 0.05;

/** What is computed from the whole graph: when it is asked for, and only if something it depends on has changed. */
export class Derived {
  readonly #graph: MemoryGraph;
  readonly #communities: Communities = createCommunities();
  readonly #changedTools = new Set<string>();
  #clusters: Communities | undefined;
  #ranks: ReadonlyMap<string, number> | undefined;

  constructor(graph: MemoryGraph) {
    this.#graph = graph;
  }

  /** Something about these nodes has changed: they came or went, or an edge of theirs did or changed its weight. */
  note(ids: readonly string[]): void {
    if (ids.length === 0 || ids.some((id) => kindOfNode(id) === "operation")) return;
    this.#ranks = undefined;
    for (const id of ids) {
      if (kindOfNode(id) === "tool") this.#changedTools.add(keyOfNode(id));
      else this.#clusters = undefined;
    }
  }

  noteAll(): void {
    for (const id of this.#graph.mapNodes((_, node) => node.id)) this.note([id]);
  }

  pageRank(): ReadonlyMap<string, number> {
    this.#ranks ??= computePageRank(this.#graph);
    return this.#ranks;
  }

  findCommunity(id: string, kind: "tool" | "capability"): { id: string; members: readonly string[] } | undefined {
    const { of, members } = kind === "tool" ? this.#toolCommunities() : this.#capabilityClusters();
    const name = of.get(id);
    return name === undefined ? undefined : { id: name, members: members.get(name) ?? [] };
  }

  peekCommunity(tool: string): { id: string; members: readonly string[] } | undefined {
    const isStale = this.#changedTools.size > STALE_SHARE * this.#communities.of.size;
    const { of, members } = isStale ? this.#toolCommunities() : this.#communities;
    const name = of.get(tool) ?? this.#nameByNeighbor(tool, of);
    return name === undefined ? undefined : { id: name, members: members.get(name) ?? [] };
  }

  #nameByNeighbor(tool: string, of: ReadonlyMap<string, string>): string | undefined {
    let best: { name: string; weight: number } | undefined;
    for (const edge of this.#graph.edges(keyOfNode(tool))) {
      const name = of.get(this.#graph.opposite(keyOfNode(tool), edge).slice(1));
      const weight = this.#graph.getEdgeAttribute(edge, "weight");
      if (name !== undefined && weight > (best?.weight ?? 0)) best = { name, weight };
    }
    return best?.name;
  }

  #toolCommunities(): Communities {
    if (this.#changedTools.size > 0) updateCommunities(this.#graph, this.#communities, this.#changedTools);
    this.#changedTools.clear();
    return this.#communities;
  }

  #capabilityClusters(): Communities {
    this.#clusters ??= buildClusters(this.#graph);
    return this.#clusters;
  }
}

function buildClusters(graph: MemoryGraph): Communities {
  const clusters = createCommunities();
  const hyperedges = listHyperedges(graph).sort((a, b) => (a.capability < b.capability ? -1 : 1));
  const groups = new Map<number, string[]>();
  clusterCapabilities(hyperedges).forEach((label, at) => {
    const group = groups.get(label) ?? [];
    group.push(hyperedges[at]?.capability ?? "");
    groups.set(label, group);
  });
  for (const group of groups.values()) {
    const name = group[0] ?? "";
    clusters.members.set(name, group);
    for (const id of group) clusters.of.set(id, name);
  }
  return clusters;
}
