import { type CallEvent, type EdgeFact, type Fact, factsFromRun, type LearnedType } from "@pml/graph";

import type { NewDependency, NewToolDependency } from "../model/dependency.js";
import { type FindReads, listTypeFacts } from "./result-types.js";
import type { LoggedCall, RunLog } from "./run-log.js";

/** What one run teaches: facts for the graph, and the same as rows of the store. */
export interface Lesson {
  readonly facts: readonly Fact[];
  readonly toolDependencies: readonly NewToolDependency[];
  readonly capabilityDependencies: readonly NewDependency[];
  readonly path: readonly string[];
  readonly shapes: readonly { readonly tool: string; readonly type: LearnedType }[];
}

export interface LessonInput {
  readonly traceId: string;
  readonly capabilityId: string | undefined;
  readonly log: RunLog;
  /** Where the structure says that data flows, by node. */
  readonly flows: readonly { readonly from: string; readonly to: string }[];
  /** Nothing flows but there. */
  readonly flowsAreAll: boolean;
  readonly findReads: FindReads;
  /** The id of each capability that was called, by the name it was called by. */
  readonly capabilityIds: ReadonlyMap<string, string>;
}

/** Pure: the same run teaches the same. */
export function learnFromRun(input: LessonInput): Lesson {
  const { traceId, capabilityId, log, flows, flowsAreAll, capabilityIds, findReads } = input;
  const said = factsFromRun({
    trace: traceId,
    ...(capabilityId !== undefined && { capability: nodeOf(capabilityId) }),
    calls: log.calls.map((call) => describeCall(call, capabilityIds)),
    flows,
    flowsAreAll,
  });
  const facts = [...said.filter(({ kind }) => kind !== "type"), ...listTypeFacts(traceId, log.calls, findReads)];
  const edges = facts.filter((fact): fact is EdgeFact => fact.kind === "edge");
  return {
    facts,
    toolDependencies: edges.flatMap(toToolEdge),
    capabilityDependencies: edges.flatMap(toCapabilityEdge),
    path: facts.flatMap((fact) => (fact.kind === "path" ? fact.nodes : [])),
    shapes: facts.flatMap((fact) => (fact.kind === "type" ? [{ tool: fact.tool, type: fact.type }] : [])),
  };
}

const CAPABILITY = "capability:";

export function nodeOf(capabilityId: string): string {
  return CAPABILITY + capabilityId;
}

/** Undefined for a node that is a tool or an operation. */
export function capabilityOf(node: string): string | undefined {
  return node.startsWith(CAPABILITY) ? node.slice(CAPABILITY.length) : undefined;
}

function describeCall(call: LoggedCall, ids: ReadonlyMap<string, string>): CallEvent {
  const id = call.kind === "capability" ? ids.get(call.name) : undefined;
  return {
    id: call.id,
    ...(call.parentId !== undefined && { parentId: call.parentId }),
    name: call.kind === "capability" ? (id === undefined ? `cap:${call.name}` : nodeOf(id)) : call.name,
    ...(call.nodeId !== undefined && { nodeId: call.nodeId }),
    ...(call.iteration !== undefined && { iteration: call.iteration }),
    startMs: call.startMs,
    endMs: call.endMs,
    ...(call.early !== undefined && { durationMs: call.early.durationMs }),
    args: call.args,
    ...(call.success && { result: call.result }),
    success: call.success,
  };
}

/** What a capability contains stands in its structure; between tools and operations there are other edges. */
function toToolEdge({ from, to, type }: EdgeFact): NewToolDependency[] {
  const joinsTools = capabilityOf(from) === undefined && capabilityOf(to) === undefined;
  return joinsTools ? [{ fromToolId: from, toToolId: to, edgeType: type }] : [];
}

function toCapabilityEdge({ from, to, type }: EdgeFact): NewDependency[] {
  const [fromCapabilityId, toCapabilityId] = [capabilityOf(from), capabilityOf(to)];
  if (fromCapabilityId === undefined || toCapabilityId === undefined) return [];
  return [{ fromCapabilityId, toCapabilityId, edgeType: type }];
}
