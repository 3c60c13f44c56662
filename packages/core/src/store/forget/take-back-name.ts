import type { StoreContext } from "../context.js";
import type { Queryable } from "../database/database.js";

/**
 * A name that only the forgotten run gave, and nothing has used since: nobody runs it by a name, no other code calls it, and
 * no other run asked for the name.
 */
export async function takeBackName(
  transaction: Queryable,
  { scope }: StoreContext,
  { capabilityId, name, since }: { capabilityId: string; name: string | undefined; since: Date },
): Promise<void> {
  if (name === undefined) return;
  const runs = await transaction.query<{
    capability_id: string | null;
    mode: string | null;
    work: { name?: string } | null;
  }>(
    `select capability_id::text, mode, work from learned_from join execution_trace using (trace_id)
     where kind = 'workflow_pattern' and learned_key = $1`,
    [capabilityId],
  );
  const isUsed = runs.some((run) => run.capability_id !== capabilityId || run.work === null || run.work.name === name);
  if (isUsed) return;
  const gone = await transaction.query(
    `delete from capability_records r where capability_id = $1 and display_name = $4 and org = $2 and project = $3
       and version = 1 and created_at >= $5 and (select count(*) from capability_versions where capability_fqdn = r.id) <= 1
       and not exists (select 1 from capability_aliases where target_fqdn = r.id)
       and not exists (select 1 from capability_records o where o.capability_id = $1 and o.id <> r.id)
     returning id`,
    [capabilityId, scope.org, scope.project, name, since],
  );
  if (gone.length > 0)
    await transaction.query("update workflow_pattern set name = null where pattern_id = $1", [capabilityId]);
}
