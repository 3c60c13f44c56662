import type { NewCapability } from "../../model/capability.js";
import { signCapability } from "../../model/signature.js";
import { checkId } from "../../model/text.js";
import type { TraceWork } from "../../model/trace.js";
import { ownedFrom, writeJson } from "../capability-row.js";
import { checkCapability } from "../check-capability.js";
import type { StoreContext } from "../context.js";
import type { Queryable, Row } from "../database/database.js";
import { findSameRequest, inferAlternatives } from "../infer.js";
import { moveLater } from "./move-later.js";

/** The run whose work a capability is, once the run that it was learned from first is forgotten. */
export interface Heir {
  capabilityId: string;
  intent: string;
  work: TraceWork;
  startedAt: Date;
  createdBy: string;
}

export interface PreparedHeir extends Heir {
  given: NewCapability;
  vector: Float32Array;
  /** Capabilities for the same request. */
  others: readonly string[];
}

/** None where the trace is not what its capability was learned from first, or somebody vouched for that. */
export async function findHeir({ database, scope }: StoreContext, traceId: string): Promise<Heir | undefined> {
  const [row] = await database.query<
    Row & { id: string; intent: string; work: TraceWork; started_at: Date; created_by: string; is_later: boolean }
  >(
    `select w.pattern_id::text as id, coalesce(h.intent, w.intent) as intent, h.work, h.started_at, h.created_by,
       (h.work_hash <> w.code_hash or h.started_at >= t.started_at) as is_later
     from execution_trace t
       join (select * from workflow_pattern where vouched is null and ${ownedFrom(1)}) w on w.pattern_id = t.capability_id
       join execution_trace h on h.capability_id = w.pattern_id and h.trace_id <> t.trace_id and h.org = w.org and h.project = w.project
     where t.trace_id = $4 and t.org = $1 and t.project = $2 and t.work_hash = w.code_hash and h.work_hash is not null
       and w.usage_count <= (select count(*) from execution_trace c where c.capability_id = w.pattern_id and c.counted)
     order by (h.work_hash = w.code_hash) desc, h.started_at, h.trace_id limit 1`,
    [scope.org, scope.project, scope.actor, checkId("The trace's id", traceId)],
  );
  if (row === undefined || !row.is_later) return undefined;
  const { id: capabilityId, intent, work, started_at: startedAt, created_by: createdBy } = row;
  return { capabilityId, intent, work, startedAt, createdBy };
}

/** What takes time is done before the transaction. */
export async function prepareHeir(context: StoreContext, heir: Heir, given: NewCapability): Promise<PreparedHeir> {
  const checked = checkCapability(given);
  const vector = (await context.vectors.embed([checked.intent]))[0] as Float32Array;
  return { ...heir, given: checked, vector, others: await findSameRequest(context, vector) };
}

/** The capability becomes what it would be had this run been the first. */
export async function inherit(transaction: Queryable, context: StoreContext, heir: PreparedHeir): Promise<void> {
  const { capabilityId: id, given, work, startedAt, createdBy, others, vector } = heir;
  const [before] = await transaction.query<{ intent: string; created_at: Date; owner: string; visibility: "project" }>(
    "select intent, created_at, owner, visibility from workflow_pattern where pattern_id = $1",
    [id],
  );
  if (before === undefined) return;
  const values = {
    code_hash: work.hash,
    intent: given.intent,
    description: given.description ?? null,
    source: writeJson(given.source),
    parameterised_code: given.parameterisedCode ?? null,
    structure: writeJson(given.structure),
    parameters: writeJson(given.parameters),
    permissions: writeJson(given.permissions),
    signature: signCapability(given),
    tools_used: [...new Set(given.toolsUsed ?? [])],
    created_by: createdBy,
  };
  await transaction.query("delete from capability_example where capability_id = $1 and code_hash = $2", [
    id,
    work.hash,
  ]);
  await moveLater(transaction, context, { id, from: before.created_at, to: startedAt });
  await transaction.query(
    `update workflow_pattern set ${Object.keys(values)
      .map((column, at) => `${column} = $${at + 2}`)
      .join(", ")} where pattern_id = $1`,
    [id, ...Object.values(values)],
  );
  const { owner, visibility } = before;
  await context.vectors.table.write(transaction, context.scope, [
    { kind: "capability", ownerId: id, vector, owner, visibility },
  ]);
  if (before.intent !== given.intent) await inferAlternativesAnew(transaction, context, { id, others });
}

async function inferAlternativesAnew(
  transaction: Queryable,
  context: StoreContext,
  { id, others }: { id: string; others: readonly string[] },
): Promise<void> {
  await transaction.query(
    `delete from capability_dependency where $1 in (from_capability_id, to_capability_id) and edge_type = 'alternative'
       and edge_source = 'inferred' and observed_count = 1`,
    [id],
  );
  await inferAlternatives(transaction, context, { id, others });
}
