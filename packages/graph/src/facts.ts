import { EDGE_SOURCES, EDGE_TYPES, type EdgeSource, type EdgeType } from "./edge.js";
import { GraphError } from "./error.js";
import { type ArgumentSource, isSource } from "./sources/argument-source.js";
import { isType, type LearnedType } from "./types/learned-type.js";

/**
 * What the graph can be told. `trace` names the run a fact was learned from; the facts of one trace are retracted
 * together when it is forgotten.
 */
export type Fact = NodeFact | EdgeFact | OutcomeFact | PathFact | TypeFact | CallFact | SourceFact;

interface Learned {
  readonly trace?: string;
}

/** The node is there, even if nothing is known about it. */
export interface NodeFact extends Learned {
  readonly kind: "node";
  readonly id: string;
}

export interface EdgeFact extends Learned {
  readonly kind: "edge";
  readonly from: string;
  readonly to: string;
  readonly type: EdgeType;
  readonly source: EdgeSource;
}

/** How one call of a node ended. */
export interface OutcomeFact extends Learned {
  readonly kind: "outcome";
  readonly node: string;
  readonly success: boolean;
  readonly durationMs: number;
  /** Which call of its run it was, from 0. */
  readonly position: number;
}

/** The tools and capabilities of one run in the order in which they began. */
export interface PathFact extends Learned {
  readonly kind: "path";
  readonly nodes: readonly string[];
}

/** What a tool returned once, as a type. */
export interface TypeFact extends Learned {
  readonly kind: "type";
  readonly tool: string;
  readonly type: LearnedType;
}

/** One call, for the invocation view. */
export interface CallFact extends Learned {
  readonly kind: "call";
  readonly id: string;
  readonly node: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly parent?: string;
  readonly success: boolean;
}

/** Where a subject, as a tool or a place in code, had its input from in a run; without a source, that it was there. */
export interface SourceFact extends Learned {
  readonly kind: "source";
  readonly subject: string;
  readonly source?: ArgumentSource;
}

/** Throws unless it can be folded in: facts may come from a file or from another process. */
export function checkFact(fact: Fact): void {
  if (typeof fact !== "object" || fact === null) throw invalid("a fact is an object", fact);
  if (fact.trace !== undefined && typeof fact.trace !== "string") throw invalid("its trace is not a string", fact);
  const check = Object.hasOwn(CHECKS, fact.kind) ? CHECKS[fact.kind] : undefined;
  if (check === undefined) throw invalid(`it is of the unknown kind ${JSON.stringify(fact.kind)}`, fact);
  const reason = check(fact as never);
  if (reason !== undefined) throw invalid(reason, fact);
}

const CHECKS: { [Kind in Fact["kind"]]: (fact: Extract<Fact, { kind: Kind }>) => string | undefined } = {
  node: ({ id }) => checkIds(id),
  edge: checkEdge,
  outcome: ({ node, success, durationMs, position }) =>
    checkIds(node) ?? checkOutcome(success) ?? checkNumbers(durationMs, position),
  path: ({ nodes }) => (Array.isArray(nodes) ? checkIds(...nodes) : "its nodes are not a list"),
  type: ({ tool, type }) => checkIds(tool) ?? (isType(type) ? undefined : "its type is none"),
  call: ({ id, node, startMs, endMs, parent = id, success }) =>
    checkIds(id, node, parent) ?? checkOutcome(success) ?? checkNumbers(startMs, endMs),
  source: ({ subject, source }) =>
    checkIds(subject) ?? (source === undefined || isSource(source) ? undefined : "its source is none"),
};

function checkEdge({ from, to, type, source }: EdgeFact): string | undefined {
  if (!EDGE_TYPES.includes(type)) return `${JSON.stringify(type)} is not a type of edge`;
  if (!EDGE_SOURCES.includes(source)) return `${JSON.stringify(source)} is not a source of edges`;
  return checkIds(from, to) ?? (from === to ? "an edge joins two nodes, not one with itself" : undefined);
}

function checkIds(...ids: readonly string[]): string | undefined {
  return ids.every((id) => typeof id === "string" && id !== "") ? undefined : "an id is a string that is not empty";
}

function checkOutcome(success: boolean): string | undefined {
  return typeof success === "boolean" ? undefined : "success is true or false";
}

function checkNumbers(...numbers: readonly number[]): string | undefined {
  return numbers.every((number) => Number.isFinite(number)) ? undefined : "its times are finite numbers";
}

function invalid(reason: string, fact: unknown): GraphError {
  const kind = (fact as Partial<Fact> | null)?.kind;
  return new GraphError("GRAPH_INVALID_FACT", `This fact cannot be folded in: ${reason}.`, {
    details: { kind, reason },
  });
}
