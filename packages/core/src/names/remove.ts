import { announce } from "../store/changes.js";
import type { StoreContext } from "../store/context.js";
import { removeCapability } from "../store/remove-capability.js";
import { reservedUntil } from "./find-record.js";
import { getOwnRecord } from "./own-record.js";
import { syncNames } from "./sync-names.js";
import { lockNames } from "./walls.js";

export interface Removal {
  fqdn: string;
  name: string;
  /** Until then nobody else gets the name, nor any of its old ones. */
  reservedUntil: Date;
}

/** Deletes a name and every version that no other name uses. Traces stay. */
export async function remove(context: StoreContext, name: string): Promise<Removal> {
  const { row, orphans } = await context.database.transaction(async (transaction) => {
    await lockNames(transaction, context);
    const { row } = await getOwnRecord(transaction, context, name);
    const used = await transaction.query<{ id: string; shared: boolean }>(
      `select v.capability_id as id, exists (select 1 from capability_versions o join capability_records r on r.id = o.capability_fqdn
         where o.capability_id = v.capability_id and o.capability_fqdn <> $1 and r.deleted_at is null) as shared
       from capability_versions v where v.capability_fqdn = $1 group by v.capability_id`,
      [row.id],
    );
    await transaction.query("update capability_records set deleted_at = $2 where id = $1", [row.id, context.now()]);
    await syncNames(
      transaction,
      context,
      used.map(({ id }) => id),
    );
    await announce(transaction, context, { table: "capability_records", id: row.id });
    return { row, orphans: used.filter(({ shared }) => !shared).map(({ id }) => id) };
  });
  for (const id of orphans) await removeCapability(context, id);
  return { fqdn: row.id, name: row.display_name, reservedUntil: reservedUntil(context.now()) };
}
