import { announce } from "../store/changes.js";
import type { StoreContext } from "../store/context.js";
import type { Queryable } from "../store/database/database.js";

const LIVE = "r.capability_id = w.pattern_id and r.deleted_at is null";

/**
 * Writes into capabilities what search has to know of the records that point at them: the name of the oldest, who may
 * see the widest, and whether all have moved on. Emptied first: a name that passes from one row to another must not stand
 * in both while it does.
 */
export async function syncNames(
  transaction: Queryable,
  context: StoreContext,
  capabilityIds: readonly string[],
): Promise<void> {
  await transaction.query("update workflow_pattern set name = null where pattern_id = any($1::uuid[])", [
    capabilityIds,
  ]);
  await transaction.query(
    `update workflow_pattern w set
       name = (select r.display_name from capability_records r where ${LIVE} order by r.created_at, r.id limit 1),
       visibility = coalesce((select r.visibility from capability_records r where ${LIVE}
         order by array_position(array['public', 'org', 'project', 'private'], r.visibility) limit 1), visibility),
       superseded = not exists (select 1 from capability_records r where ${LIVE})
         and exists (select 1 from capability_versions v join capability_records r on r.id = v.capability_fqdn
           where v.capability_id = w.pattern_id and r.deleted_at is null)
     where pattern_id = any($1::uuid[])`,
    [capabilityIds],
  );
  await syncVectors(transaction, context, capabilityIds);
}

/** Who may see a capability stands beside its vector too. Search in memory has to hear of it, in this process as well. */
async function syncVectors(
  transaction: Queryable,
  context: StoreContext,
  capabilityIds: readonly string[],
): Promise<void> {
  const moved = await transaction.query<{ id: string }>(
    `update embedding e set visibility = w.visibility from workflow_pattern w
     where w.pattern_id = any($1::uuid[]) and e.kind = 'capability' and e.org = w.org and e.project = w.project
       and e.owner_id = w.pattern_id::text and e.visibility <> w.visibility returning e.owner_id as id`,
    [capabilityIds],
  );
  for (const { id } of moved)
    await announce(transaction, { ...context, origin: "" }, { table: "workflow_pattern", id });
}
