import type { CapabilityStatus } from "../../model/capability.js";
import { type CapabilityLearning, NOTHING_LEARNED, observeWay } from "../../model/learning.js";
import { type CountedRun, foldRuns, type Standing } from "../../model/run-history.js";
import { visibleFrom } from "../capability-row.js";
import type { StoreContext } from "../context.js";
import type { Queryable, Row } from "../database/database.js";
import type { Rested } from "../origins.js";
import { inherit, type PreparedHeir } from "./heir.js";
import { takeBackName } from "./take-back-name.js";
import type { TraceRow } from "./trace-row.js";

interface CountsRow extends Row {
  pattern_id: string;
  code_hash: string;
  usage_count: number;
  success_count: number;
  vouched: CapabilityStatus | null;
  learning: CapabilityLearning | null;
}

interface RunRow extends Row {
  success: boolean;
  all_calls_succeeded: boolean;
  feedback: { ok: boolean; at?: string } | null;
  started_at: Date;
  duration_ms: number;
}

/** Leaves a capability with what its other runs say of it. The trace is gone by now. */
export async function retractFromCapability(
  transaction: Queryable,
  context: StoreContext,
  { trace, rested, heir }: { trace: TraceRow; rested: readonly Rested[]; heir: PreparedHeir | undefined },
): Promise<void> {
  const { org, project, actor } = context.scope;
  const [row] = await transaction.query<CountsRow>(
    `select * from workflow_pattern where pattern_id = $4::uuid and ${visibleFrom(1)} for update`,
    [org, project, actor, trace.capability_id],
  );
  if (row === undefined) return;
  if (trace.counted) await uncount(transaction, context, { row, trace });
  if (rested.some(({ kind }) => kind === "capability_learning")) await unlearn(transaction, row, trace);
  await retractExample(transaction, { id: row.pattern_id, hash: trace.work_hash });
  if (heir?.capabilityId === row.pattern_id) await inherit(transaction, context, heir);
  const { work, started_at: since } = trace;
  await takeBackName(transaction, context, { capabilityId: row.pattern_id, name: work?.name, since });
}

async function uncount(
  transaction: Queryable,
  context: StoreContext,
  { row, trace }: { row: CountsRow; trace: TraceRow },
): Promise<void> {
  const runs = await transaction.query<RunRow>(
    "select success, all_calls_succeeded, feedback, started_at, duration_ms from execution_trace where capability_id = $1 and counted",
    [row.pattern_id],
  );
  const failed = isFailure(trace);
  const lastUsedAt = runs.map(({ started_at }) => started_at.getTime()).sort((a, b) => b - a)[0];
  const { status, consecutiveFailures } = foldRuns(runs.map(readRun), startOf(row, { trace, runs }));
  await transaction.query(
    `update workflow_pattern set usage_count = usage_count - 1, success_count = success_count - $2::int,
       failure_count = failure_count - $3::int, total_duration_ms = case when usage_count = 1 then 0 else greatest(0, total_duration_ms - $4::float8) end,
       consecutive_failures = $5, status = $6, last_used_at = $7, updated_at = $8 where pattern_id = $1`,
    [
      row.pattern_id,
      failed ? 0 : 1,
      failed ? 1 : 0,
      trace.duration_ms,
      consecutiveFailures,
      status,
      lastUsedAt === undefined ? null : new Date(lastUsedAt),
      context.now(),
    ],
  );
}

function isFailure({ success, feedback }: Pick<RunRow, "success" | "feedback">): boolean {
  return !success || feedback?.ok === false;
}

/** Before the runs that are still known. Of those that retention removed, there is left how many succeeded. */
function startOf(
  { success_count, vouched }: CountsRow,
  { trace, runs }: { trace: TraceRow; runs: readonly RunRow[] },
): Standing {
  const known = [trace, ...runs].filter((run) => !isFailure(run)).length;
  return { status: vouched ?? (success_count > known ? "active" : "draft"), consecutiveFailures: 0 };
}

function readRun({ success, all_calls_succeeded, feedback, started_at, duration_ms }: RunRow): CountedRun {
  const endedAtMs = started_at.getTime() + duration_ms;
  return {
    success,
    clean: success && all_calls_succeeded,
    endedAtMs,
    rejectedAtMs: feedback?.ok === false ? Date.parse(feedback.at ?? "") || endedAtMs : undefined,
  };
}

async function unlearn(transaction: Queryable, row: CountsRow, trace: TraceRow): Promise<void> {
  const { executed_path: nodes, decisions, success, duration_ms: durationMs } = trace;
  const learning = observeWay(row.learning ?? NOTHING_LEARNED, { nodes, decisions, success, durationMs }, -1);
  const isEmpty = learning.paths.length + learning.decisions.length === 0;
  await transaction.query("update workflow_pattern set learning = $2 where pattern_id = $1", [
    row.pattern_id,
    isEmpty ? null : JSON.stringify(learning),
  ]);
}

/** Literals that only this run had are no example any more; those of others are as the first of these gave them. */
async function retractExample(
  transaction: Queryable,
  { id, hash }: { id: string; hash: string | null },
): Promise<void> {
  if (hash === null) return;
  const [next] = await transaction.query<{ intent: string | null; started_at: Date }>(
    `select intent, started_at from execution_trace where capability_id = $1 and work_hash = $2 order by started_at, trace_id limit 1`,
    [id, hash],
  );
  if (next === undefined)
    await transaction.query("delete from capability_example where capability_id = $1 and code_hash = $2", [id, hash]);
  else
    await transaction.query(
      "update capability_example set intent = coalesce($3, intent), created_at = $4 where capability_id = $1 and code_hash = $2",
      [id, hash, next.intent, next.started_at],
    );
}
