import { PmlError } from "../model/error.js";
import { announce } from "../store/changes.js";
import type { StoreContext } from "../store/context.js";
import { getOwnRow } from "./assign.js";
import { getRecordRow } from "./find-record.js";
import { parseReference } from "./reference.js";
import { syncNames } from "./sync-names.js";
import { addVersion, type NewVersion } from "./versions.js";
import { lockNames } from "./walls.js";

/** Lets a record point at a capability, unless it points at another than `before` by now. */
export async function pointAt(
  context: StoreContext,
  { fqdn, before }: { fqdn: string; before: string },
  next: NewVersion,
): Promise<string> {
  return context.database.transaction(async (transaction) => {
    await lockNames(transaction, context);
    // Read again behind the lock: it may have been renamed or removed since, which its hash survives.
    const { row } = await getRecordRow(transaction, context, parseReference(fqdn));
    if (row.capability_id !== before) throw changedMeanwhile(row.display_name);
    await getOwnRow(transaction, context, next.capabilityId);
    await addVersion(transaction, context, { record: row, next });
    await syncNames(transaction, context, [row.capability_id, next.capabilityId]);
    await announce(transaction, context, { table: "capability_records", id: row.id });
    return row.id;
  });
}

function changedMeanwhile(name: string): PmlError {
  return new PmlError("PML_CONFLICT", `"${name}" was changed by somebody else meanwhile. Look at it, and try again.`, {
    details: { name },
  });
}
