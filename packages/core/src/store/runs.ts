import type { NewDependency, NewToolDependency } from "../model/dependency.js";
import { PmlError } from "../model/error.js";
import { NOTHING_LEARNED, observeWay, type CapabilityLearning } from "../model/learning.js";
import { checkId, checkIntent, checkNumber, checkText } from "../model/text.js";
import { checkToolId } from "../model/tool.js";
import type { NewTrace, RunRecord } from "../model/trace.js";
import { visibleFrom } from "./capability-row.js";
import { announce } from "./changes.js";
import type { StoreContext } from "./context.js";
import type { Queryable } from "./database/database.js";
import { checkDependency } from "./dependencies.js";
import { writeIntent } from "./intents.js";
import { writePath, writeShapes } from "./learned.js";
import { keyOfEdge, writeCapabilityEdges, writeToolEdges } from "./run-edges.js";
import { writeTaskResults } from "./task-results.js";
import { countTools } from "./tool-usage.js";
import { insertTrace } from "./traces.js";
import { removeWorkflow } from "./workflows.js";

/** So many failures in a row take a capability out of what runs by itself. */
const DEGRADED_AFTER = 3;

/** What a run leaves behind, in one transaction: trace, statistics, edges, results, and what each rests on. */
export async function recordRun(context: StoreContext, run: RunRecord): Promise<{ traceId: string }> {
  const trace = { ...checkTrace(run.trace), id: run.trace.id ?? context.newId() };
  const tools = (run.toolDependencies ?? []).map(checkToolEdge);
  const capabilities = (run.capabilityDependencies ?? []).map(checkDependency);
  const [vector] = run.served === undefined ? [] : await context.vectors.embed([checkIntent(run.served.intent)]);
  const intentId = await context.database.transaction(async (transaction) => {
    await insertTrace(transaction, context, trace);
    // Rows that others write too are taken in one order everywhere, so that two runs never wait for each other in a ring.
    if (trace.capabilityId !== undefined && run.counts !== false)
      await countRun(transaction, context, { ...run, trace });
    await countTools(transaction, context, trace);
    const learned = await writeLearned(transaction, context, { ...run, vector, tools, capabilities });
    await writeOrigins(transaction, trace.id, learned.keys);
    await writeTaskResults(transaction, context, run);
    if (run.endsWorkflow && trace.workflowId !== undefined) await removeWorkflow(transaction, trace.workflowId);
    await announce(transaction, context, { table: "execution_trace", id: trace.id });
    return learned.intentId;
  });
  if (intentId !== undefined && vector !== undefined)
    await context.vectors.remember(context.scope, [{ kind: "intent", ownerId: intentId, vector }]);
  return { traceId: trace.id };
}

interface Lesson extends RunRecord {
  vector: Float32Array | undefined;
  tools: readonly NewToolDependency[];
  capabilities: readonly NewDependency[];
}

/** Everything learned that is a row of its own, and under which key. */
async function writeLearned(
  transaction: Queryable,
  context: StoreContext,
  { tools, capabilities, path, shapes, served, vector, trace }: Lesson,
): Promise<{ keys: [kind: string, key: string][]; intentId?: string }> {
  const keys: [string, string][] = [];
  const note = (kind: string, ...found: string[]): void => {
    for (const key of found) keys.push([kind, key]);
  };
  if (tools.length > 0) {
    await writeToolEdges(transaction, context, tools);
    note("tool_dependency", ...tools.map((edge) => keyOfEdge(edge.fromToolId, edge.toToolId, edge.edgeType)));
  }
  if (capabilities.length > 0) {
    await writeCapabilityEdges(transaction, context, capabilities);
    note(
      "capability_dependency",
      ...capabilities.map((e) => keyOfEdge(e.fromCapabilityId, e.toCapabilityId, e.edgeType)),
    );
  }
  if (path !== undefined && path.length > 0) note("path", await writePath(transaction, context, path));
  if (shapes !== undefined && shapes.length > 0) note("type", ...(await writeShapes(transaction, context, shapes)));
  if (served === undefined || vector === undefined || trace.capabilityId === undefined) return { keys };
  const intentId = await writeIntent(transaction, context, { ...served, capabilityId: trace.capabilityId, vector });
  note("intent", intentId);
  return { keys, intentId };
}

/** Counted in the statement, so that runs of several processes add up. */
async function countRun(transaction: Queryable, context: StoreContext, { trace, taken }: RunRecord): Promise<void> {
  const { org, project, actor } = context.scope;
  const clean = trace.success && trace.allCallsSucceeded !== false;
  const [row] = await transaction.query<{ learning: CapabilityLearning | null }>(
    `update workflow_pattern set usage_count = usage_count + 1,
       success_count = success_count + case when $5::boolean then 1 else 0 end,
       failure_count = failure_count + case when $5::boolean then 0 else 1 end,
       consecutive_failures = case when $5::boolean then 0 else consecutive_failures + 1 end,
       status = case when $6::boolean then 'active'
                     when not $5::boolean and status = 'active' and consecutive_failures + 1 >= ${DEGRADED_AFTER} then 'degraded' else status end,
       total_duration_ms = total_duration_ms + $7::float8, last_used_at = greatest(last_used_at, $8::timestamptz), updated_at = $9
     where pattern_id = $4 and ${visibleFrom(1)} returning learning`,
    [org, project, actor, trace.capabilityId, trace.success, clean, trace.durationMs, trace.startedAt, context.now()],
  );
  if (row === undefined)
    throw new PmlError("PML_NOT_FOUND", `There is no capability ${trace.capabilityId}.`, {
      details: { id: trace.capabilityId },
    });
  if (taken === undefined) return;
  // The statement above holds the row until the transaction ends, so nobody else folds into it meanwhile.
  const learning = observeWay(row.learning ?? NOTHING_LEARNED, taken);
  await transaction.query("update workflow_pattern set learning = $2 where pattern_id = $1", [
    trace.capabilityId,
    JSON.stringify(learning),
  ]);
}

async function writeOrigins(
  transaction: Queryable,
  traceId: string,
  keys: readonly [kind: string, key: string][],
): Promise<void> {
  if (keys.length === 0) return;
  const rows = keys.map(([kind, key]) => ({ kind, key }));
  await transaction.query(
    `insert into learned_from (kind, learned_key, trace_id)
     select kind, key, $1 from json_to_recordset($2::json) as given (kind text, key text) on conflict do nothing`,
    [traceId, JSON.stringify(rows)],
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
