import type { Queryable } from "../store/database/database.js";

/**
 * Writes into capabilities the name of the oldest record that points at them, so that search shows it. Emptied first: a
 * name that passes from one row to another must not stand in both while it does.
 */
export async function syncNames(transaction: Queryable, capabilityIds: readonly string[]): Promise<void> {
  await transaction.query("update workflow_pattern set name = null where pattern_id = any($1::uuid[])", [
    capabilityIds,
  ]);
  await transaction.query(
    `update workflow_pattern w set name = (
       select r.display_name from capability_records r where r.capability_id = w.pattern_id and r.deleted_at is null
       order by r.created_at, r.id limit 1) where pattern_id = any($1::uuid[])`,
    [capabilityIds],
  );
}
