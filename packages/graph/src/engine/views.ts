import type { Edge, EdgeType } from "../edge.js";
import type { CallFact } from "../facts.js";
import type { NodeData } from "../node.js";
import { groupBy } from "../run/group-by.js";
import { listSuccessions } from "../run/successions.js";
import { type MemoryGraph, readEdge } from "./memory-graph.js";

/** A graph to draw. In the invocation view a node is one call, and `node` says of what. */
export interface GraphView {
  readonly view: "definition" | "invocation";
  readonly nodes: readonly (DefinitionNode | InvocationNode)[];
  readonly edges: readonly ViewEdge[];
}

export interface DefinitionNode extends NodeData {
  readonly community?: string;
}

export interface InvocationNode {
  readonly id: string;
  readonly node: string;
  readonly trace?: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly success: boolean;
}

export type ViewEdge = Pick<Edge, "from" | "to" | "type"> & Partial<Edge>;

const DEFINITION_TYPES = new Set<EdgeType>(["dependency", "provides", "contains", "alternative"]);

export function buildDefinitionView(graph: MemoryGraph, communityOf: (id: string) => string | undefined): GraphView {
  const nodes = graph.mapNodes((_, { id, kind, successes, failures, totalMs }): DefinitionNode => {
    const community = communityOf(id);
    return { id, kind, successes, failures, totalMs, ...(community === undefined ? {} : { community }) };
  });
  const edges = graph.filterEdges((_, { type }) => DEFINITION_TYPES.has(type)).map((key) => readEdge(graph, key));
  return { view: "definition", nodes, edges };
}

export function buildInvocationView(calls: readonly CallFact[]): GraphView {
  const nodes = calls.map(({ kind: _kind, parent: _parent, ...call }): InvocationNode => call);
  const known = new Set(calls.map(({ id }) => id));
  const contains = calls.flatMap(({ id, parent }): ViewEdge[] =>
    parent !== undefined && known.has(parent) ? [{ from: parent, to: id, type: "contains" }] : [],
  );
  const sequence = groupBy(calls, ({ trace, parent }) => JSON.stringify([trace, parent])).flatMap((siblings) =>
    listSuccessions(siblings).map(([before, after]): ViewEdge => ({ from: before.id, to: after.id, type: "sequence" })),
  );
  return { view: "invocation", nodes, edges: [...contains, ...sequence] };
}
