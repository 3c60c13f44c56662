import { bidirectional } from "graphology-shortest-path/dijkstra.js";

import {
  type Edge,
  EDGE_TYPES,
  type EdgeSource,
  type EdgeType,
  LOADED_ABOVE_CONFIDENCE,
  OBSERVATIONS_TO_TRUST,
} from "../edge.js";
import { GraphError } from "../error.js";
import { checkFact, type Fact } from "../facts.js";
import { PathCounts } from "../next/path-counts.js";
import type { NodeData, NodeKind } from "../node.js";
import { ArgumentSources } from "../sources/argument-sources.js";
import { LearnedTypes } from "../types/learned-types.js";
import { computeAdamicAdar, type Related } from "./adamic-adar.js";
import { applyFact, type Memory } from "./apply-fact.js";
import { Derived } from "./derived.js";
import type { EngineSnapshot } from "./engine-snapshot.js";
import { type Hyperedge, listHyperedges, listSpanning } from "./hyperedges.js";
import { createMemoryGraph, keyOfEdge, keyOfNode, readEdge } from "./memory-graph.js";
import { RecentCalls } from "./recent-calls.js";
import { restoreGraph, snapshotGraph } from "./snapshot.js";
import { buildDefinitionView, buildInvocationView, type GraphView } from "./views.js";

export interface EngineOptions {
  /** How many traces the invocation view can show. */
  readonly mostRecentTraces?: number;
}

export const DEFAULT_ENGINE_OPTIONS: Required<EngineOptions> = { mostRecentTraces: 100 };

/** An edge as a store has it. */
export interface StoredEdge {
  readonly from: string;
  readonly to: string;
  readonly type: EdgeType;
  readonly source: EdgeSource;
  readonly confidence: number;
  readonly observations?: number;
}

export type Direction = "in" | "out" | "both";

/** What runs add up to: one directed graph of tools, capabilities and operations, and what can be asked of it. */
export class GraphRAGEngine {
  readonly #memory: Memory;
  readonly #derived: Derived;

  constructor(options: EngineOptions = {}) {
    const { mostRecentTraces } = { ...DEFAULT_ENGINE_OPTIONS, ...options };
    const graph = createMemoryGraph();
    this.#memory = {
      graph,
      paths: new PathCounts(),
      types: new LearnedTypes(),
      sources: new ArgumentSources(),
      calls: new RecentCalls(mostRecentTraces),
    };
    this.#derived = new Derived(graph);
  }

  /** Folds facts in, all or none. What it costs depends on the facts, not on the graph. */
  observe(facts: readonly Fact[]): void {
    facts.forEach(checkFact);
    for (const fact of facts) this.#derived.note(applyFact(this.#memory, fact, 1));
  }

  /** Takes back what `observe` was told, as when a trace is to be forgotten. */
  retract(facts: readonly Fact[]): void {
    facts.forEach(checkFact);
    for (const fact of [...facts].reverse()) this.#derived.note(applyFact(this.#memory, fact, -1));
  }

  /** Folds edges of a store in, all or none; those too unsure stay out. Gives how many came in. */
  load(edges: readonly StoredEdge[]): number {
    const loaded = edges.filter(({ confidence }) => confidence > LOADED_ABOVE_CONFIDENCE).map(readStored);
    for (const { fact, times } of loaded) this.#derived.note(applyFact(this.#memory, fact, times));
    return loaded.length;
  }

  hasNode(id: string): boolean {
    return this.#memory.graph.hasNode(keyOfNode(id));
  }

  getNode(id: string): NodeData {
    const { mentions: _, ...node } = this.#memory.graph.getNodeAttributes(this.#keyOf(id));
    return node;
  }

  listNodes(kind?: NodeKind): string[] {
    const { graph } = this.#memory;
    return graph.filterNodes((_, node) => kind === undefined || node.kind === kind).map((key) => key.slice(1));
  }

  getNeighbors(id: string, direction: Direction = "both", types: readonly EdgeType[] = EDGE_TYPES): string[] {
    return [...new Set(this.listEdges(id, direction, types).map(({ from, to }) => (from === id ? to : from)))];
  }

  /** The edges of a node, the heaviest first. */
  listEdges(id: string, direction: Direction = "both", types: readonly EdgeType[] = EDGE_TYPES): Edge[] {
    const { graph } = this.#memory;
    const key = this.#keyOf(id);
    const keys = { in: () => graph.inEdges(key), out: () => graph.outEdges(key), both: () => graph.edges(key) }[
      direction
    ]();
    return keys
      .map((edge) => readEdge(graph, edge))
      .filter(({ type }) => types.includes(type))
      .sort((a, b) => b.weight - a.weight || b.observations - a.observations || (a.to < b.to ? -1 : 1));
  }

  /** The edge of this type, or the heaviest of any. */
  findEdgeData(from: string, to: string, type?: EdgeType): Edge | undefined {
    const { graph } = this.#memory;
    const keys = (type === undefined ? EDGE_TYPES : [type]).map((each) => keyOfEdge(from, to, each));
    const edges = keys.filter((key) => graph.hasEdge(key)).map((key) => readEdge(graph, key));
    return edges.sort((a, b) => b.weight - a.weight)[0];
  }

  getEdgeData(from: string, to: string, type?: EdgeType): Edge {
    const edge = this.findEdgeData(from, to, type);
    if (edge !== undefined) return edge;
    const message = `There is no ${type ?? ""} edge from ${JSON.stringify(from)} to ${JSON.stringify(to)}. Ask with findEdgeData if there may be none.`;
    throw new GraphError("GRAPH_EDGE_NOT_FOUND", message, { details: { from, to, type } });
  }

  /** Tools by Louvain, capabilities by spectral clustering; an operation is in none. */
  getCommunity(id: string): { id: string; members: readonly string[] } | undefined {
    const { kind } = this.#memory.graph.getNodeAttributes(this.#keyOf(id));
    return kind === "operation" ? undefined : this.#derived.findCommunity(id, kind);
  }

  /**
   * The community of a tool as it was when communities were last computed; a tool that came since is in that of its
   * strongest neighbour. Costs nothing while few tools have changed, where `getCommunity` may go through them all.
   */
  peekCommunity(id: string): { id: string; members: readonly string[] } | undefined {
    const { kind } = this.#memory.graph.getNodeAttributes(this.#keyOf(id));
    return kind === "tool" ? this.#derived.peekCommunity(id) : this.getCommunity(id);
  }

  /** Of one node, or of all. Operations have none. */
  pageRank(): ReadonlyMap<string, number>;
  pageRank(id: string): number;
  pageRank(id?: string): number | ReadonlyMap<string, number> {
    if (id === undefined) return this.#derived.pageRank();
    this.#keyOf(id);
    return this.#derived.pageRank().get(id) ?? 0;
  }

  computeAdamicAdar(id: string, limit = 10): Related[] {
    this.#keyOf(id);
    return computeAdamicAdar(this.#memory.graph, id, limit);
  }

  /** The way that strong edges make short; undefined when there is none. */
  shortestPath(from: string, to: string): string[] | undefined {
    const [source, target] = [this.#keyOf(from), this.#keyOf(to)];
    const path = bidirectional(this.#memory.graph, source, target, (_, { weight }) => 1 / weight) as string[] | null;
    return path?.map((key) => key.slice(1));
  }

  listHyperedges(): Hyperedge[] {
    return listHyperedges(this.#memory.graph);
  }

  /** The capabilities that span a tool. */
  listSpanning(tool: string): string[] {
    this.#keyOf(tool);
    return listSpanning(this.#memory.graph, tool);
  }

  getGraphSnapshot(options: { view: "definition" | "invocation"; trace?: string }): GraphView {
    if (options.view === "invocation") return buildInvocationView(this.#memory.calls.list(options.trace));
    return buildDefinitionView(this.#memory.graph, (id) => this.getCommunity(id)?.id);
  }

  /** What followed what in earlier runs. */
  get paths(): PathCounts {
    return this.#memory.paths;
  }

  /** What tools returned in earlier runs. */
  get types(): LearnedTypes {
    return this.#memory.types;
  }

  /** Where calls got their inputs from in earlier runs. */
  get sources(): ArgumentSources {
    return this.#memory.sources;
  }

  snapshot(): EngineSnapshot {
    const { graph, paths, types, calls, sources } = this.#memory;
    return {
      version: 1,
      ...snapshotGraph(graph),
      paths: paths.toState(),
      types: types.toState(),
      calls: calls.toState(),
      sources: sources.toState(),
    };
  }

  static restore(snapshot: EngineSnapshot, options: EngineOptions = {}): GraphRAGEngine {
    const engine = new GraphRAGEngine(options);
    restoreGraph(engine.#memory.graph, snapshot);
    engine.#memory.paths.restore(snapshot.paths);
    engine.#memory.types.restore(snapshot.types);
    engine.#memory.calls.restore(snapshot.calls);
    engine.#memory.sources.restore(snapshot.sources);
    engine.#derived.noteAll();
    return engine;
  }

  #keyOf(id: string): string {
    const key = keyOfNode(id);
    if (this.#memory.graph.hasNode(key)) return key;
    throw new GraphError(
      "GRAPH_NODE_NOT_FOUND",
      `The graph has no node ${JSON.stringify(id)}. Ask with hasNode first.`,
      { details: { id } },
    );
  }
}

function readStored({ from, to, type, source, observations }: StoredEdge): { fact: Fact; times: number } {
  const fact: Fact = { kind: "edge", from, to, type, source };
  checkFact(fact);
  const times = Math.max(1, observations ?? (source === "observed" ? OBSERVATIONS_TO_TRUST : 1));
  if (Number.isSafeInteger(times)) return { fact, times };
  const reason = "its observations are not a whole number";
  throw new GraphError("GRAPH_INVALID_FACT", `This edge cannot be loaded: ${reason}.`, {
    details: { from, to, reason },
  });
}
