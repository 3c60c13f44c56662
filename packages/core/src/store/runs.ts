import type { NewDependency, NewToolDependency } from "../model/dependency.js";
import { invalidInput, PmlError } from "../model/error.js";
import { type CapabilityLearning, NOTHING_LEARNED, observeWay } from "../model/learning.js";
import { DEGRADED_AFTER } from "../model/run-history.js";
import { checkId, checkIntent, checkNumber, checkText } from "../model/text.js";
import { checkToolId } from "../model/tool.js";
import type { LearnedThing, NewTrace, RunRecord } from "../model/trace.js";
import { visibleFrom } from "./capability-row.js";
import { announce } from "./changes.js";
import type { StoreContext } from "./context.js";
import type { Queryable } from "./database/database.js";
import { checkDependency, writeDependency } from "./dependencies.js";
import { writeSources } from "./learned-sources.js";
import { writePath, writeShapes } from "./learned.js";
import { writeOrigins } from "./origins.js";
import { preparePastIntent, writePastIntent } from "./past-intents.js";
import { sortBy } from "./sort-by.js";
import { writeTaskResults } from "./task-results.js";
import { checkToolEdge, countTools, writeToolEdges } from "./tool-edges.js";
import { insertTrace } from "./traces.js";
import { removeWorkflow } from "./workflows.js";

/** What a run leaves behind, in one transaction: trace, statistics, edges, results, and what each rests on. */
export async function recordRun(context: StoreContext, run: RunRecord): Promise<{ traceId: string }> {
  const trace = checkTrace(run.trace);
  const traceId = trace.id ?? context.newId();
  const checked = {
    toolDependencies: sortBy((run.toolDependencies ?? []).map(checkToolEdge), keyOfToolEdge),
    capabilityDependencies: sortBy((run.capabilityDependencies ?? []).map(checkDependency), keyOfEdge),
  };
  const past = run.pastIntent === undefined ? undefined : await preparePastIntent(context, run.pastIntent);
  const vectors = await context.database.transaction(async (transaction) => {
    const { capabilityId, workflowId } = trace;
    const counted = capabilityId !== undefined && run.counts !== false;
    // Sent without waiting for each other's answers: the database does them in this order all the same.
    const [learned, intent] = await settle([
      writeLearned(transaction, context, { run, checked }),
      past && writePastIntent(transaction, context, { ...past, capabilityId }),
      insertTrace(transaction, context, { ...trace, id: traceId, counted }),
      counted && countRun(transaction, context, { ...run, trace }),
      countTools(transaction, context, trace),
      writeTaskResults(transaction, context, run),
      run.endsWorkflow === true &&
        workflowId !== undefined &&
        removeWorkflow({ ...context, database: transaction }, workflowId),
      announce(transaction, context, { table: "execution_trace", id: traceId }),
    ]);
    const rested = [...learned, ...(intent ? [intent.learned] : []), ...(run.learned ?? [])];
    await writeOrigins(transaction, traceId, [...rested, ...listCapabilitiesOf(run, counted)]);
    return intent?.vectors ?? [];
  });
  await context.vectors.remember(context.scope, vectors);
  return { traceId };
}

/** A run speaks for the capability it ran, and for all that its code may call. */
function listCapabilitiesOf({ trace, taken }: RunRecord, counted: boolean): LearnedThing[] {
  const { capabilityId, resolutions = [] } = trace;
  const own = capabilityId === undefined ? [] : [capabilityId.toLowerCase()];
  const ids = new Set([...own, ...resolutions.map((each) => each.capabilityId)]);
  const taught = counted && taken !== undefined ? own : [];
  return [
    ...[...ids].map((key) => ({ kind: "workflow_pattern", key })),
    ...taught.map((key) => ({ kind: "capability_learning", key })),
  ];
}

/** Waits for all, also where one fails: what is still on its way must not come after the end of the transaction. */
async function settle<const Work extends readonly unknown[]>(
  work: Work,
): Promise<{ -readonly [At in keyof Work]: Awaited<Work[At]> }> {
  const settled = await Promise.allSettled(work);
  const reasons = settled.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
  // Once one statement has failed, all that come after it are refused: what they say is not why.
  if (reasons.length > 0) throw reasons.find((reason) => !isAftermath(reason)) ?? reasons[0];
  return settled.map((each) => (each.status === "fulfilled" ? each.value : undefined)) as never;
}

/** SQLSTATE 25P02: an earlier statement of the transaction has failed. */
function isAftermath(reason: unknown): boolean {
  return reason instanceof PmlError && reason.details["sqlState"] === "25P02";
}

/** Returns what now rests on the run. */
async function writeLearned(
  transaction: Queryable,
  context: StoreContext,
  {
    run,
    checked,
  }: { run: RunRecord; checked: Required<Pick<RunRecord, "toolDependencies" | "capabilityDependencies">> },
): Promise<LearnedThing[]> {
  const parts = await settle([
    writeEdges(transaction, context, checked),
    writePath(transaction, context, run.path ?? []),
    writeShapes(transaction, context, run.shapes ?? []),
    writeSources(transaction, context, run.sources ?? []),
  ]);
  return parts.flat();
}

async function writeEdges(
  transaction: Queryable,
  context: StoreContext,
  run: Required<Pick<RunRecord, "toolDependencies" | "capabilityDependencies">>,
): Promise<LearnedThing[]> {
  await writeToolEdges(transaction, context, run.toolDependencies);
  await refuseUnseen(transaction, context, run.capabilityDependencies);
  for (const edge of run.capabilityDependencies) await writeDependency(transaction, context, edge);
  return [
    ...run.toolDependencies.map((edge) => ({ kind: "tool_dependency", key: keyOfToolEdge(edge) })),
    ...run.capabilityDependencies.map((edge) => ({ kind: "capability_dependency", key: keyOfEdge(edge) })),
  ];
}

/** What a scope cannot see it cannot relate, any more than what is not there. */
async function refuseUnseen(
  transaction: Queryable,
  { scope }: StoreContext,
  edges: readonly NewDependency[],
): Promise<void> {
  const ids = [...new Set(edges.flatMap(({ fromCapabilityId, toCapabilityId }) => [fromCapabilityId, toCapabilityId]))];
  if (ids.length === 0) return;
  const rows = await transaction.query<{ id: string }>(
    `select pattern_id::text as id from workflow_pattern where pattern_id = any($4::uuid[]) and ${visibleFrom(1)}`,
    [scope.org, scope.project, scope.actor, ids],
  );
  const missing = ids.find((id) => !rows.some((row) => row.id === id));
  if (missing === undefined) return;
  throw new PmlError("PML_CONFLICT", `An edge of the run leads to a capability that is not there: ${missing}.`, {
    details: { id: missing },
  });
}

function keyOfToolEdge({ fromToolId, toToolId, edgeType }: NewToolDependency): string {
  return `${fromToolId}|${toToolId}|${edgeType}`;
}

function keyOfEdge({ fromCapabilityId, toCapabilityId, edgeType }: NewDependency): string {
  return `${fromCapabilityId}|${toCapabilityId}|${edgeType}`;
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

function checkTrace(trace: NewTrace): NewTrace {
  if (trace.intent !== undefined) checkIntent(trace.intent);
  for (const id of [trace.id, trace.capabilityId, trace.parentTraceId, trace.workflowId])
    if (id !== undefined) checkId("An id of the trace", id);
  if (trace.error !== undefined) checkText("The trace's error", trace.error);
  if (trace.mode !== undefined) checkText("The trace's mode", trace.mode, 100);
  if (trace.match !== undefined) checkNumber("The trace's match", trace.match, { min: 0, max: 1 });
  checkNumber("The trace's duration", trace.durationMs, { min: 0, max: Number.MAX_SAFE_INTEGER });
  if (!(trace.startedAt instanceof Date) || Number.isNaN(trace.startedAt.getTime()))
    throw invalidInput("The trace's start must be a date.");
  if (typeof trace.success !== "boolean") throw invalidInput("Whether the run succeeded must be true or false.");
  for (const { tool, durationMs } of trace.tasks ?? []) {
    checkToolId(tool);
    checkNumber("A task's duration", durationMs, { min: 0, max: Number.MAX_SAFE_INTEGER });
  }
  return trace;
}

/** A run that had counted as a success was none. */
export async function countRejected(transaction: Queryable, context: StoreContext, id: string): Promise<void> {
  const { org, project, actor } = context.scope;
  await transaction.query(
    `update workflow_pattern set success_count = greatest(0, success_count - 1), failure_count = failure_count + 1,
       consecutive_failures = consecutive_failures + 1,
       status = case when status = 'active' and consecutive_failures + 1 >= ${DEGRADED_AFTER} then 'degraded' else status end,
       updated_at = $5
     where pattern_id = $4 and ${visibleFrom(1)}`,
    [org, project, actor, id, context.now()],
  );
  await announce(transaction, context, { table: "workflow_pattern", id });
}
