import { PmlError } from "../model/error.js";
import { checkId, checkCount } from "../model/text.js";
import type { NewTrace, Trace } from "../model/trace.js";
import { writeJson } from "./capability-row.js";
import type { StoreContext } from "./context.js";
import type { Queryable, Row } from "./database/database.js";

interface TraceRow extends Row {
  trace_id: string;
  capability_id: string | null;
  parent_trace_id: string | null;
  workflow_id: string | null;
  intent: string | null;
  success: boolean;
  all_calls_succeeded: boolean;
  error: string | null;
  args: unknown;
  result: unknown;
  executed_path: string[];
  decisions: Trace["decisions"];
  tasks: Trace["tasks"];
  work: Trace["work"] | null;
  recording: unknown;
  resolutions: Trace["resolutions"] | null;
  mode: string | null;
  match_score: number | null;
  feedback: Trace["feedback"] | null;
  started_at: Date;
  duration_ms: number;
  created_by: string;
}

const MOST_LISTED = 10_000_000;

export interface TraceQuery {
  capabilityId?: string;
  limit?: number;
  offset?: number;
}

/** The run of what is private is its owner's alone, also once the capability is gone. */
export async function insertTrace(
  transaction: Queryable,
  context: StoreContext,
  trace: NewTrace & { id: string; counted: boolean },
): Promise<void> {
  const { org, project, actor } = context.scope;
  const json = {
    args: writeJson(trace.args),
    result: writeJson(trace.result),
    executed_path: JSON.stringify(trace.executedPath ?? []),
    decisions: JSON.stringify(trace.decisions ?? []),
    tasks: JSON.stringify(trace.tasks ?? []),
    work: writeJson(trace.work),
    recording: writeJson(trace.recording),
    resolutions: writeJson(trace.resolutions),
  };
  const values: Record<string, unknown> = {
    trace_id: trace.id,
    org,
    project,
    capability_id: trace.capabilityId ?? null,
    parent_trace_id: trace.parentTraceId ?? null,
    workflow_id: trace.workflowId ?? null,
    intent: trace.intent ?? null,
    success: trace.success,
    all_calls_succeeded: trace.allCallsSucceeded ?? trace.success,
    error: trace.error ?? null,
    ...json,
    work_hash: trace.work?.hash ?? null,
    mode: trace.mode ?? null,
    match_score: trace.match ?? null,
    counted: trace.counted,
    bytes: Object.values(json).reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), 0),
    started_at: trace.startedAt,
    duration_ms: trace.durationMs,
    created_by: actor,
  };
  const columns = Object.keys(values);
  const owner = `select owner from workflow_pattern where pattern_id = $${columns.indexOf("capability_id") + 1}::uuid`;
  await transaction.query(
    `insert into execution_trace (owner, ${columns.join(", ")})
     values (coalesce((${owner}), ''), ${columns.map((_, index) => `$${index + 1}`).join(", ")})`,
    Object.values(values),
  );
}

/** Newest first. */
export async function listTraces({ database, scope }: StoreContext, query: TraceQuery = {}): Promise<Trace[]> {
  const { capabilityId } = query;
  const limit = checkCount("The limit", query.limit ?? 100, { min: 0, max: MOST_LISTED });
  const offset = checkCount("The offset", query.offset ?? 0, { min: 0, max: Number.MAX_SAFE_INTEGER });
  const rows = await database.query<TraceRow>(
    `select * from execution_trace where org = $1 and project = $2 and owner in ('', $3) and ($4::uuid is null or capability_id = $4)
     order by started_at desc, trace_id limit $5 offset $6`,
    [
      scope.org,
      scope.project,
      scope.actor,
      capabilityId === undefined ? null : checkId("The id", capabilityId),
      limit,
      offset,
    ],
  );
  return rows.map(readTrace);
}

export async function getTrace(context: StoreContext, id: string): Promise<Trace> {
  const trace = await findTrace(context, id);
  if (trace === undefined) throw new PmlError("PML_NOT_FOUND", `There is no trace ${id}.`, { details: { id } });
  return trace;
}

export async function findTrace({ database, scope }: StoreContext, id: string): Promise<Trace | undefined> {
  const [row] = await database.query<TraceRow>(
    "select * from execution_trace where org = $1 and project = $2 and owner in ('', $3) and trace_id = $4",
    [scope.org, scope.project, scope.actor, checkId("The id", id)],
  );
  return row && readTrace(row);
}

function readTrace(row: TraceRow): Trace {
  return {
    id: row.trace_id,
    capabilityId: row.capability_id ?? undefined,
    parentTraceId: row.parent_trace_id ?? undefined,
    workflowId: row.workflow_id ?? undefined,
    intent: row.intent ?? undefined,
    success: row.success,
    allCallsSucceeded: row.all_calls_succeeded,
    error: row.error ?? undefined,
    args: row.args ?? undefined,
    result: row.result ?? undefined,
    executedPath: row.executed_path,
    decisions: row.decisions,
    tasks: row.tasks,
    work: row.work ?? undefined,
    recording: row.recording ?? undefined,
    resolutions: row.resolutions ?? [],
    mode: row.mode ?? undefined,
    match: row.match_score ?? undefined,
    feedback: row.feedback ?? undefined,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    createdBy: row.created_by,
  };
}
