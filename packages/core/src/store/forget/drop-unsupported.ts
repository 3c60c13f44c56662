import { ownedFrom } from "../capability-row.js";
import type { StoreContext } from "../context.js";
import type { Queryable, Row } from "../database/database.js";
import { type RemovedVector, removeVectors } from "../remove-capability.js";
import { sortBy } from "../sort-by.js";

interface Supported extends Row {
  id: string;
  /** Somebody vouched for it, or it was built upon, or runs that retention removed spoke for it. */
  stays: boolean;
  traces: string[];
}

/** Of these capabilities, those go that neither a run nor a person speaks for any more. */
export async function dropUnsupported(
  transaction: Queryable,
  context: StoreContext,
  ids: readonly string[],
): Promise<{ removed: string[]; remaining: { capabilityId: string; traces: string[] }[]; left: RemovedVector[] }> {
  const { org, project, actor } = context.scope;
  const rows = await transaction.query<Supported>(
    `select pattern_id::text as id, ${STAYS} as stays, array(select trace_id::text from learned_from join execution_trace using (trace_id)
         where kind = 'workflow_pattern' and learned_key = pattern_id::text and execution_trace.org = $1 and execution_trace.project = $2
           and execution_trace.owner in ('', $3) order by started_at desc, trace_id) as traces
     from workflow_pattern w where pattern_id = any($4::uuid[]) and ${ownedFrom(1)}`,
    [org, project, actor, ids],
  );
  const ordered = sortBy(rows, ({ id }) => id);
  const removed = ordered.filter(({ stays }) => !stays).map(({ id }) => id);
  const left: RemovedVector[] = [];
  for (const id of removed) left.push(...(await remove(transaction, context, id)));
  const remaining = ordered.filter(({ stays }) => stays).map(({ id, traces }) => ({ capabilityId: id, traces }));
  return { removed, remaining, left };
}

const STAYS = `(vouched is not null
  or exists (select 1 from learned_from where kind = 'workflow_pattern' and learned_key = w.pattern_id::text)
  or usage_count > 0
  or exists (select 1 from capability_versions v join capability_versions o using (capability_fqdn)
    where v.capability_id = w.pattern_id and o.capability_id <> w.pattern_id))`;

/** Its names are not reserved: they came from the run, and go with it. */
async function remove(transaction: Queryable, context: StoreContext, id: string): Promise<RemovedVector[]> {
  await transaction.query("delete from capability_records where capability_id = $1", [id]);
  await transaction.query("delete from workflow_pattern where pattern_id = $1", [id]);
  return removeVectors(transaction, context, id);
}
