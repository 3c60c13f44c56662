import { PmlError } from "../../model/error.js";
import { checkId } from "../../model/text.js";
import type { LearnedThing } from "../../model/trace.js";
import { announce } from "../changes.js";
import type { StoreContext } from "../context.js";
import type { Queryable, Row } from "../database/database.js";
import type { Rested } from "../origins.js";
import { takeBackIntents } from "../past-intents.js";
import { forgetVectors, type RemovedVector } from "../remove-capability.js";
import { countTools } from "../tool-edges.js";
import { dropUnsupported } from "./drop-unsupported.js";
import type { PreparedHeir } from "./heir.js";
import { retractCounts } from "./retract-counts.js";
import { retractFromCapability } from "./retract-from-capability.js";
import type { TraceRow } from "./trace-row.js";

/** What became of what rested on a trace. */
export interface Forgotten {
  traceId: string;
  /** All that it had taught, now as if it had not. */
  retracted: LearnedThing[];
  /** Capabilities that nothing else spoke for. They are gone, and so are their names. */
  removed: string[];
  /** Capabilities that stay, as these traces speak for them; none where somebody vouched for it. */
  remaining: { capabilityId: string; traces: string[] }[];
}

export interface Forgetting {
  traceId: string;
  /** The run whose work takes the place of this one's in its capability, where this one's is what it holds. */
  heir: PreparedHeir | undefined;
  /** What else rests on it, beyond the store. */
  also: (transaction: Queryable, rested: readonly Rested[]) => Promise<void>;
}

/** Takes a run back, and everything it taught, in one transaction. */
export async function forgetTrace(context: StoreContext, { traceId, heir, also }: Forgetting): Promise<Forgotten> {
  const id = checkId("The trace's id", traceId);
  const vectors: RemovedVector[] = [];
  const forgotten = await context.database.transaction(async (transaction) => {
    const trace = await takeTrace(transaction, context, id);
    const rested = await listRested(transaction, id);
    await retractCounts(transaction, context, rested);
    const { org, project } = context.scope;
    const intents = await takeBackIntents(transaction, context, id);
    vectors.push(...intents.map((ownerId) => ({ kind: "intent" as const, org, project, ownerId })));
    await removeTrace(transaction, context, trace);
    await retractFromCapability(transaction, context, { trace, rested, heir });
    const { removed, remaining, left } = await dropUnsupported(transaction, context, listIds(rested));
    vectors.push(...left);
    await countTools(transaction, context, { tasks: trace.tasks, startedAt: trace.started_at, times: -1 });
    const { scope } = context;
    await transaction.query("delete from tool_usage where org = $1 and project = $2 and calls <= 0", [
      scope.org,
      scope.project,
    ]);
    await also(transaction, rested);
    await announceAll(transaction, context, { id, intents, capabilities: [...listIds(rested), ...removed] });
    return { traceId: id, retracted: rested.map(({ kind, key }) => ({ kind, key })), removed, remaining };
  });
  await forgetVectors(context, vectors);
  if (heir !== undefined && !forgotten.removed.includes(heir.capabilityId))
    await context.vectors.refresh("capability", [{ ...context.scope, ownerId: heir.capabilityId }]);
  return forgotten;
}

async function takeTrace(transaction: Queryable, { scope }: StoreContext, id: string): Promise<TraceRow> {
  const [row] = await transaction.query<TraceRow>(
    "select * from execution_trace where org = $1 and project = $2 and owner in ('', $3) and trace_id = $4 for update",
    [scope.org, scope.project, scope.actor, id],
  );
  if (row === undefined) throw new PmlError("PML_NOT_FOUND", `There is no trace ${id}.`, { details: { id } });
  return row;
}

function listRested(transaction: Queryable, id: string): Promise<Rested[]> {
  return transaction.query<Row & Rested>(
    "select kind, learned_key as key, times from learned_from where trace_id = $1 order by kind, learned_key",
    [id],
  );
}

/** With it go what is noted as resting on it, and the answers it left in the cache. */
async function removeTrace(transaction: Queryable, { scope }: StoreContext, trace: TraceRow): Promise<void> {
  if (trace.workflow_id !== null)
    await transaction.query("delete from task_result where workflow_id = $1 and org = $2 and project = $3", [
      trace.workflow_id,
      scope.org,
      scope.project,
    ]);
  await transaction.query("update execution_trace set parent_trace_id = null where parent_trace_id = $1", [
    trace.trace_id,
  ]);
  await transaction.query("delete from execution_trace where trace_id = $1", [trace.trace_id]);
}

function listIds(rested: readonly Rested[]): string[] {
  return rested.filter(({ kind }) => kind === "workflow_pattern").map(({ key }) => key);
}

async function announceAll(
  transaction: Queryable,
  context: StoreContext,
  { id, intents, capabilities }: { id: string; intents: readonly string[]; capabilities: readonly string[] },
): Promise<void> {
  await announce(transaction, context, { table: "execution_trace", id });
  for (const each of intents) await announce(transaction, context, { table: "intent_memory", id: each });
  for (const each of new Set(capabilities))
    await announce(transaction, context, { table: "workflow_pattern", id: each });
}
