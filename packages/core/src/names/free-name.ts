import { PmlError } from "../model/error.js";
import type { StoreContext } from "../store/context.js";
import type { Queryable } from "../store/database/database.js";
import { reservedUntil } from "./find-record.js";
import type { RecordRow } from "./record.js";

type Holder = RecordRow & { is_alias: boolean };

/**
 * Throws if the name is taken, be it by a record, an old name or one deleted lately, of the project or of the actor. What
 * another actor keeps private is not seen, and so does not stand in the way. `except` may have it as an old name of its
 * own. Asked behind the lock of names; before it only to save the work for nothing.
 */
export async function ensureFree(
  transaction: Queryable,
  context: StoreContext,
  { name, except }: { name: string; except?: string },
): Promise<void> {
  const { org, project, actor } = context.scope;
  const holders = await transaction.query<Holder>(
    `select r.*, found.is_alias from (
       select id, false as is_alias from capability_records where org = $1 and project = $2 and owner = any(array['', $3]) and display_name = $4
       union all
       select target_fqdn, true from capability_aliases where org = $1 and project = $2 and owner = any(array['', $3]) and alias = $4
     ) found join capability_records r on r.id = found.id`,
    [org, project, actor, name],
  );
  for (const holder of holders) {
    if (holder.is_alias && holder.id === except) continue;
    if (holder.deleted_at === null || reservedUntil(holder.deleted_at) > context.now()) throw taken(name, holder);
    await transaction.query("delete from capability_records where id = $1", [holder.id]);
  }
}

function taken(name: string, holder: Holder): PmlError {
  const why =
    holder.deleted_at !== null
      ? `was deleted and is reserved until ${reservedUntil(holder.deleted_at).toISOString().slice(0, 10)}`
      : holder.is_alias
        ? `is an old name of "${holder.display_name}"`
        : "is taken";
  return new PmlError("PML_NAME_TAKEN", `The name "${name}" ${why}. Choose another.`, {
    details: { name, holder: holder.display_name },
  });
}
