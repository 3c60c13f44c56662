import type { RunEvent } from "@pml/sandbox";

import type { TraceTask } from "../model/trace.js";

/** What one run did, gathered from its events. */
export interface RunLog {
  /** Calls of tools and capabilities, and operations, in the order in which they began. */
  readonly calls: readonly LoggedCall[];
  /** Nodes of the code's own structure in the order in which they were reached; what capabilities did inside is theirs. */
  readonly executedPath: readonly string[];
  readonly decisions: readonly { readonly nodeId: string; readonly outcome: string }[];
  readonly hint: { readonly name: string; readonly description: string } | undefined;
}

export interface LoggedCall {
  readonly kind: "tool" | "capability" | "operation";
  readonly id: string;
  /** The capability call around it; none for a step of the code itself. */
  readonly parentId: string | undefined;
  readonly name: string;
  readonly nodeId: string | undefined;
  readonly iteration: readonly number[] | undefined;
  readonly args: unknown;
  readonly startMs: number;
  endMs: number;
  success: boolean;
  result: unknown;
  error: string | undefined;
  /** When it was really made, where that was before it was asked for. */
  early?: { readonly startMs: number; readonly durationMs: number; readonly savedMs: number };
}

/** More calls than this are counted by the sandbox, but a trace of them would teach nothing new. */
const MOST_CALLS = 5000;

/** Folds events into a log, one by one. */
export function createRunLog(traceId: string): { observe(event: RunEvent): void; read(): RunLog } {
  const calls = new Map<string, LoggedCall>();
  const executedPath: string[] = [];
  const decisions: { nodeId: string; outcome: string }[] = [];
  let hint: RunLog["hint"];

  function start(event: Extract<RunEvent, { type: "tool_start" | "capability_start" }>): void {
    if (event.parentTraceId === traceId && event.nodeId !== undefined) executedPath.push(event.nodeId);
    if (calls.size < MOST_CALLS) calls.set(event.traceId, openCall(event, traceId));
  }

  return {
    observe(event) {
      if (event.type === "tool_start" || event.type === "capability_start") start(event);
      if (event.type === "tool_end" || event.type === "capability_end") endCall(calls.get(event.traceId), event);
      if (event.type === "capability_hint") hint = { name: event.name, description: event.description };
      if (event.type !== "decision" || event.traceId !== traceId || event.nodeId === undefined) return;
      executedPath.push(event.nodeId);
      decisions.push({ nodeId: event.nodeId, outcome: event.outcome });
    },
    read: () => ({ calls: [...calls.values()], executedPath, decisions, hint }),
  };
}

/** The calls as a trace keeps them: operations have neither arguments nor results, and stand in the path alone. */
export function listTasks({ calls }: RunLog): TraceTask[] {
  const ids = nameCalls(calls);
  return calls
    .filter(({ kind }) => kind !== "operation")
    .map((call) => ({
      taskId: ids.get(call.id) ?? call.id,
      tool: call.kind === "capability" ? `cap:${call.name}` : call.name,
      ...(call.parentId !== undefined && { parentId: ids.get(call.parentId) ?? call.parentId }),
      ...(call.nodeId !== undefined && { nodeId: call.nodeId }),
      ...(call.iteration !== undefined && { iteration: call.iteration }),
      args: call.args,
      ...(call.success && { result: call.result }),
      success: call.success,
      ...(call.error !== undefined && { error: call.error }),
      startedAtMs: call.early?.startMs ?? call.startMs,
      durationMs: call.early?.durationMs ?? call.endMs - call.startMs,
      ...(call.early !== undefined && { savedMs: call.early.savedMs }),
    }));
}

/** Each call by its place in the code: node and turn, through the capabilities around it, as `n2/n1[0]`. */
function nameCalls(calls: readonly LoggedCall[]): Map<string, string> {
  const ids = new Map<string, string>();
  const taken = new Map<string, number>();
  for (const { id, parentId, nodeId = "call", iteration = [] } of calls) {
    const within = parentId === undefined ? "" : `${ids.get(parentId) ?? parentId}/`;
    const place = `${within}${nodeId}${iteration.length === 0 ? "" : `[${iteration.join(".")}]`}`;
    const times = taken.get(place) ?? 0;
    taken.set(place, times + 1);
    ids.set(id, times === 0 ? place : `${place}~${times}`);
  }
  return ids;
}

function openCall(event: Extract<RunEvent, { type: "tool_start" | "capability_start" }>, traceId: string): LoggedCall {
  const name = event.type === "tool_start" ? event.tool : event.capability;
  return {
    kind: event.type === "capability_start" ? "capability" : name.startsWith("code:") ? "operation" : "tool",
    id: event.traceId,
    parentId: event.parentTraceId === traceId ? undefined : event.parentTraceId,
    name,
    nodeId: event.nodeId,
    iteration: event.iteration,
    args: event.args,
    startMs: event.ts,
    endMs: event.ts,
    success: false,
    result: undefined,
    error: undefined,
  };
}

function endCall(
  call: LoggedCall | undefined,
  event: Extract<RunEvent, { type: "tool_end" | "capability_end" }>,
): void {
  if (call === undefined) return;
  call.endMs = event.ts;
  call.success = event.success;
  call.result = event.result;
  call.error = event.error?.message;
}
