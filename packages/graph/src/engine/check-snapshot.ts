import { EDGE_SOURCES, EDGE_TYPES, type EdgeCounts, type EdgeType } from "../edge.js";
import { GraphError } from "../error.js";
import { checkFact } from "../facts.js";
import { isSource } from "../sources/argument-source.js";
import { isType } from "../types/learned-type.js";
import type { EngineSnapshot } from "./engine-snapshot.js";

/** Throws unless everything in it can be restored: a snapshot may come from a file that something else wrote. */
export function checkSnapshot(snapshot: EngineSnapshot): void {
  if (typeof snapshot !== "object" || snapshot === null || snapshot.version !== 1)
    throw invalid("it is not of version 1");
  for (const part of ["nodes", "edges", "paths", "types", "calls", "sources"] as const) {
    if (!Array.isArray(snapshot[part])) throw invalid(`its ${part} are not a list`);
  }
  const ids = new Set<string>();
  for (const node of snapshot.nodes as readonly unknown[]) ids.add(checkNode(node));
  if (ids.size < snapshot.nodes.length) throw invalid("a node is in it twice");
  for (const edge of snapshot.edges as readonly unknown[]) checkEdge(edge, ids);
  for (const entry of snapshot.paths as readonly unknown[]) checkPath(entry);
  for (const entry of snapshot.types as readonly unknown[]) checkTypes(entry);
  for (const entry of snapshot.calls as readonly unknown[]) checkCalls(entry);
  for (const entry of snapshot.sources as readonly unknown[]) checkSources(entry);
}

function checkNode(node: unknown): string {
  const { id, mentions, successes, failures, totalMs } = (node ?? {}) as Record<string, unknown>;
  const counted = [successes, failures].every(isCount) && isCount(mentions) && mentions > 0;
  if (isId(id) && counted && Number.isFinite(totalMs)) return id;
  throw invalid(`the node ${show(id)} has no id or counts that are none`);
}

function checkEdge(edge: unknown, ids: ReadonlySet<string>): void {
  const [from, to, type, counts] = Array.isArray(edge) ? (edge as unknown[]) : [];
  const joins = ids.has(from as string) && ids.has(to as string) && from !== to;
  if (!joins || !EDGE_TYPES.includes(type as EdgeType))
    throw invalid(`the edge ${show([from, to, type])} has no nodes or an unknown type`);
  const times = EDGE_SOURCES.map((source) => (counts as EdgeCounts | undefined)?.[source]);
  if (!times.every(isCount) || times.every((count) => count === 0))
    throw invalid(`the edge ${show([from, to, type])} has counts that are none`);
}

function checkPath(entry: unknown): void {
  const [context, next] = Array.isArray(entry) ? (entry as unknown[]) : [];
  // The empty id stands for the start of a run.
  if (!Array.isArray(context) || !context.every((id) => typeof id === "string") || !arePairs(next, isId))
    throw invalid(`of its paths, ${show(context)} is none`);
}

function checkTypes(entry: unknown): void {
  const [tool, shapes] = Array.isArray(entry) ? (entry as unknown[]) : [];
  if (!isId(tool) || !arePairs(shapes, (shape) => isType(shape))) throw invalid(`the type of ${show(tool)} is none`);
}

function checkCalls(entry: unknown): void {
  const [trace, calls] = Array.isArray(entry) ? (entry as unknown[]) : [];
  if (typeof trace !== "string" || !Array.isArray(calls)) throw invalid(`the calls of ${show(trace)} are not a list`);
  for (const call of calls) {
    if ((call as { kind?: unknown } | null)?.kind !== "call") throw invalid(`of ${show(trace)}, a call is none`);
    checkFact(call);
  }
}

function checkSources(entry: unknown): void {
  const [subject, sources] = Array.isArray(entry) ? (entry as unknown[]) : [];
  if (!isId(subject) || !arePairs(sources, (source) => source === null || isSource(source)))
    throw invalid(`the sources of ${show(subject)} are none`);
}

function arePairs(value: unknown, isFirst: (first: unknown) => boolean): boolean {
  return (
    Array.isArray(value) &&
    value.every((pair) => Array.isArray(pair) && isFirst(pair[0]) && isCount(pair[1]) && pair[1] > 0)
  );
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 200) ?? "undefined";
}

function invalid(reason: string): GraphError {
  return new GraphError("GRAPH_INVALID_SNAPSHOT", `This is not a snapshot of a graph: ${reason}.`, {
    details: { reason },
  });
}
