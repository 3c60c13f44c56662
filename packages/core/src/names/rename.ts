import { PmlError } from "../model/error.js";
import { announce } from "../store/changes.js";
import type { StoreContext } from "../store/context.js";
import type { Queryable } from "../store/database/database.js";
import { assign, writeRename } from "./assign.js";
import { checkDisplayName } from "./display-name.js";
import { findRecord, type FoundRecord, readFullRecord } from "./find-record.js";
import { formatFqdn } from "./fqdn.js";
import { ensureFree } from "./free-name.js";
import { getOwnRecord } from "./own-record.js";
import type { CapabilityRecord } from "./record.js";
import { parseReference } from "./reference.js";
import { resolveReference } from "./resolve.js";
import { syncNames } from "./sync-names.js";
import { lockNames } from "./walls.js";

/**
 * Gives another name; the old one goes on working, as an alias of the record itself. What is unnamed gets its first
 * name. An old name cannot be renamed: of several who rename one name at once, one does, and the others hear of it.
 */
export async function rename(
  context: StoreContext,
  from: string,
  { to, by }: { to: string; by?: string },
): Promise<CapabilityRecord> {
  checkDisplayName(to);
  const reference = parseReference(from);
  if ((await findRecord(context.database, context, reference)) === undefined) {
    const { capability } = await resolveReference(context, reference);
    return assign(context, { capabilityId: capability.id, name: to, ...(by !== undefined && { renamedBy: by }) });
  }
  const fqdn = await context.database.transaction(async (transaction) => {
    await lockNames(transaction, context);
    const found = await getOwnRecord(transaction, context, from);
    if (found.viaAlias) throw alreadyRenamed(from, found.row.display_name);
    if (found.row.display_name === to) return found.row.id;
    await ensureFree(transaction, context, { name: to, except: found.row.id });
    return write(transaction, context, { row: found.row, to, by });
  });
  return readFullRecord(context, fqdn);
}

async function write(
  transaction: Queryable,
  context: StoreContext,
  { row, to, by }: { row: FoundRecord["row"]; to: string; by: string | undefined },
): Promise<string> {
  const { namespace, action } = checkDisplayName(to);
  const { org, project, owner, hash } = row;
  const fqdn = formatFqdn({ org, project, namespace, action, hash });
  await transaction.query(
    `update capability_records set id = $2, display_name = $3, namespace = $4, action = $5, updated_by = $6, updated_at = $7 where id = $1`,
    [row.id, fqdn, to, namespace, action, context.scope.actor, context.now()],
  );
  // A name that comes back is no alias any more.
  await transaction.query("delete from capability_aliases where target_fqdn = $1 and alias = $2", [fqdn, to]);
  await transaction.query(
    "insert into capability_aliases (alias, org, project, owner, target_fqdn, created_at) values ($1, $2, $3, $4, $5, $6)",
    [row.display_name, org, project, owner, fqdn, context.now()],
  );
  await syncNames(transaction, context, [row.capability_id]);
  await writeRename(transaction, context, {
    fqdn,
    capabilityId: row.capability_id,
    oldName: row.display_name,
    newName: to,
    by,
  });
  await announce(transaction, context, { table: "capability_records", id: fqdn });
  return fqdn;
}

function alreadyRenamed(from: string, now: string): PmlError {
  return new PmlError("PML_NAME_CHANGED", `"${from}" is called "${now}" by now. Rename that, if you still want to.`, {
    details: { from, now },
  });
}
