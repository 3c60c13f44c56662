import type { NewToolDependency } from "../model/dependency.js";
import { SOURCE_CONFIDENCE } from "../model/dependency.js";
import { PmlError } from "../model/error.js";
import { checkId, checkIntent, checkNumber, checkText } from "../model/text.js";
import { checkToolId } from "../model/tool.js";
import type { NewTrace, RunRecord } from "../model/trace.js";
import { visibleFrom } from "./capability-row.js";
import { announce } from "./changes.js";
import type { StoreContext } from "./context.js";
import type { Queryable } from "./database/database.js";
import { checkDependency, writeDependency } from "./dependencies.js";
import { observeEdge } from "./infer.js";
import { writeTaskResults } from "./task-results.js";
import { insertTrace } from "./traces.js";

/** So many failures in a row take a capability out of what runs by itself. */
const DEGRADED_AFTER = 3;

/** What a run leaves behind, in one transaction: trace, statistics, edges, results, and what each rests on. */
export async function recordRun(context: StoreContext, run: RunRecord): Promise<{ traceId: string }> {
  const trace = checkTrace(run.trace);
  const traceId = trace.id ?? context.newId();
  const tools = (run.toolDependencies ?? []).map(checkToolEdge);
  const capabilities = (run.capabilityDependencies ?? []).map(checkDependency);
  await context.database.transaction(async (transaction) => {
    await insertTrace(transaction, context, { ...trace, id: traceId });
    // Rows that others write too are taken in one order everywhere, so that two runs never wait for each other in a ring.
    if (trace.capabilityId !== undefined && run.counts !== false) await countRun(transaction, context, trace);
    await countTools(transaction, context, trace);
    for (const edge of sortBy(tools, (each) => `${each.fromToolId}\n${each.toToolId}\n${each.edgeType}`)) {
      await writeToolEdge(transaction, context, edge);
      await writeOrigin(transaction, {
        kind: "tool_dependency",
        key: `${edge.fromToolId}|${edge.toToolId}|${edge.edgeType}`,
        traceId,
      });
    }
    for (const edge of sortBy(
      capabilities,
      (each) => `${each.fromCapabilityId}${each.toCapabilityId}${each.edgeType}`,
    )) {
      await writeDependency(transaction, context, edge);
      await writeOrigin(transaction, {
        kind: "capability_dependency",
        key: `${edge.fromCapabilityId}|${edge.toCapabilityId}|${edge.edgeType}`,
        traceId,
      });
    }
    await writeTaskResults(transaction, context, run);
    await announce(transaction, context, { table: "execution_trace", id: traceId });
  });
  return { traceId };
}

/** Counted in the statement, so that runs of several processes add up. */
async function countRun(transaction: Queryable, context: StoreContext, trace: NewTrace): Promise<void> {
  const { org, project, actor } = context.scope;
  const clean = trace.success && trace.allCallsSucceeded !== false;
  const rows = await transaction.query(
    `update workflow_pattern set usage_count = usage_count + 1,
       success_count = success_count + case when $5::boolean then 1 else 0 end,
       failure_count = failure_count + case when $5::boolean then 0 else 1 end,
       consecutive_failures = case when $5::boolean then 0 else consecutive_failures + 1 end,
       status = case when $6::boolean then 'active'
                     when not $5::boolean and status = 'active' and consecutive_failures + 1 >= ${DEGRADED_AFTER} then 'degraded' else status end,
       total_duration_ms = total_duration_ms + $7::float8, last_used_at = greatest(last_used_at, $8::timestamptz), updated_at = $9
     where pattern_id = $4 and ${visibleFrom(1)} returning 1 as found`,
    [org, project, actor, trace.capabilityId, trace.success, clean, trace.durationMs, trace.startedAt, context.now()],
  );
  if (rows.length === 0)
    throw new PmlError("PML_NOT_FOUND", `There is no capability ${trace.capabilityId}.`, {
      details: { id: trace.capabilityId },
    });
}

async function countTools(transaction: Queryable, { scope }: StoreContext, trace: NewTrace): Promise<void> {
  const used = new Map<string, { calls: number; failures: number; durationMs: number }>();
  for (const { tool, success, durationMs } of trace.tasks ?? []) {
    const sum = used.get(tool) ?? { calls: 0, failures: 0, durationMs: 0 };
    used.set(tool, {
      calls: sum.calls + 1,
      failures: sum.failures + (success ? 0 : 1),
      durationMs: sum.durationMs + durationMs,
    });
  }
  for (const [tool, { calls, failures, durationMs }] of sortBy([...used], ([name]) => name))
    await transaction.query(
      `insert into tool_usage as used (org, project, tool_id, calls, failures, total_duration_ms, last_used_at) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (org, project, tool_id) do update set calls = used.calls + excluded.calls, failures = used.failures + excluded.failures,
         total_duration_ms = used.total_duration_ms + excluded.total_duration_ms, last_used_at = greatest(used.last_used_at, excluded.last_used_at)`,
      [scope.org, scope.project, tool, calls, failures, durationMs, trace.startedAt],
    );
}

async function writeToolEdge(transaction: Queryable, context: StoreContext, edge: NewToolDependency): Promise<void> {
  const source = edge.edgeSource ?? "inferred";
  const { org, project } = context.scope;
  await transaction.query(
    `insert into tool_dependency as tool_dependency
       (org, project, from_tool_id, to_tool_id, edge_type, edge_source, confidence_score, created_at, last_observed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
     on conflict (org, project, from_tool_id, to_tool_id, edge_type) do update set ${observeEdge("tool_dependency", "1")}, last_observed = excluded.last_observed`,
    [
      org,
      project,
      edge.fromToolId,
      edge.toToolId,
      edge.edgeType,
      source,
      edge.confidenceScore ?? SOURCE_CONFIDENCE[source],
      context.now(),
    ],
  );
}

async function writeOrigin(
  transaction: Queryable,
  { kind, key, traceId }: { kind: string; key: string; traceId: string },
): Promise<void> {
  await transaction.query(
    "insert into learned_from (kind, learned_key, trace_id) values ($1, $2, $3) on conflict do nothing",
    [kind, key, traceId],
  );
}

function checkTrace(trace: NewTrace): NewTrace {
  if (trace.intent !== undefined) checkIntent(trace.intent);
  for (const id of [trace.id, trace.capabilityId, trace.parentTraceId, trace.workflowId])
    if (id !== undefined) checkId("An id of the trace", id);
  if (trace.error !== undefined) checkText("The trace's error", trace.error);
  checkNumber("The trace's duration", trace.durationMs, { min: 0, max: Number.MAX_SAFE_INTEGER });
  for (const { tool } of trace.tasks ?? []) checkToolId(tool);
  return trace;
}

function checkToolEdge(edge: NewToolDependency): NewToolDependency {
  checkToolId(edge.fromToolId);
  checkToolId(edge.toToolId);
  if (edge.confidenceScore !== undefined) checkNumber("The confidence", edge.confidenceScore, { min: 0, max: 1 });
  return edge;
}

function sortBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...items].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}
