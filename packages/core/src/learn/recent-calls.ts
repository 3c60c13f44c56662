import { type CallFact, DEFAULT_ENGINE_OPTIONS } from "@pml/graph";

import type { TraceResolution, TraceTask } from "../model/trace.js";
import type { StoreContext } from "../store/context.js";
import type { Row } from "../store/database/database.js";
import { nodeOf } from "./lesson.js";

type KeptCall = Pick<TraceTask, "taskId" | "parentId" | "tool" | "success" | "startedAtMs" | "durationMs">;

interface TraceCalls extends Row {
  trace_id: string;
  calls: KeptCall[] | null;
  resolutions: TraceResolution[] | null;
}

/** The calls of the latest runs, for the invocation view: the graph of a memory that was opened again has none of its own. */
export async function listRecentCalls({ database, scope }: StoreContext): Promise<CallFact[]> {
  // Arguments and results are most of a trace, and not needed here.
  const rows = await database.query<TraceCalls>(
    `select trace_id, resolutions, (select json_agg(json_build_object('taskId', t->'taskId', 'parentId', t->'parentId', 'tool', t->'tool',
        'success', t->'success', 'startedAtMs', t->'startedAtMs', 'durationMs', t->'durationMs')) from json_array_elements(tasks) t) as calls
     from execution_trace where org = $1 and project = $2 and owner in ('', $3) order by started_at desc, trace_id limit $4`,
    [scope.org, scope.project, scope.actor, DEFAULT_ENGINE_OPTIONS.mostRecentTraces],
  );
  return rows.reverse().flatMap((row) => (row.calls ?? []).filter(hasTimes).map((call) => readCall(row, call)));
}

/** A trace may have been stored by a host, and what cannot be drawn must not keep a memory from opening. */
function hasTimes({ success, startedAtMs, durationMs }: KeptCall): boolean {
  return typeof success === "boolean" && Number.isFinite(startedAtMs) && Number.isFinite(durationMs);
}

/** A task's id says where in its run it stands, so the run's goes before it. */
function readCall({ trace_id: trace, resolutions }: TraceCalls, call: KeptCall): CallFact {
  const { taskId, parentId, tool, success, startedAtMs: startMs, durationMs } = call;
  const called = tool.startsWith("cap:") ? tool.slice("cap:".length) : undefined;
  const resolution = (resolutions ?? []).find((each) => each.called === called);
  return {
    kind: "call",
    trace,
    id: `${trace}/${taskId}`,
    node: resolution === undefined ? tool : nodeOf(resolution.capabilityId),
    startMs,
    endMs: startMs + durationMs,
    success,
    ...(parentId != null && { parent: `${trace}/${parentId}` }),
  };
}
