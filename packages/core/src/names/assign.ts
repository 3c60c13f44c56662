import { PmlError } from "../model/error.js";
import type { Visibility } from "../model/scope.js";
import { checkId } from "../model/text.js";
import type { CapabilityRow } from "../store/capability-row.js";
import { announce } from "../store/changes.js";
import type { StoreContext } from "../store/context.js";
import type { Queryable } from "../store/database/database.js";
import { checkDisplayName, unnamed } from "./display-name.js";
import { readFullRecord } from "./find-record.js";
import { formatFqdn, formatHome, hashRecord } from "./fqdn.js";
import { ensureFree } from "./free-name.js";
import type { CapabilityRecord } from "./record.js";
import { syncNames } from "./sync-names.js";
import { checkTags } from "./tags.js";
import { addVersion } from "./versions.js";
import { lockNames } from "./walls.js";

export interface Assignment {
  capabilityId: string;
  name: string;
  tags?: readonly string[];
  versionTag?: string;
  changeSummary?: string;
  /** That of the capability when not given. */
  visibility?: Exclude<Visibility, "private">;
  /** FQDNs, for a record that was made from another. Only such a one may share its capability. */
  parentId?: string;
  forkedFrom?: string;
  renamedBy?: string;
}

/** Gives a capability of this project its first name. Giving it the same again changes nothing. */
export async function assign(context: StoreContext, assignment: Assignment): Promise<CapabilityRecord> {
  checkDisplayName(assignment.name);
  checkId("The id", assignment.capabilityId);
  const fqdn = await context.database.transaction(async (transaction) => {
    await lockNames(transaction, context);
    const row = await getOwnRow(transaction, context, assignment.capabilityId);
    const before = await findLiveName(transaction, row.pattern_id);
    if (before?.display_name === assignment.name) return before.id;
    if (before !== undefined && assignment.forkedFrom === undefined) throw alreadyNamed(before.display_name);
    return create(transaction, context, { assignment, row });
  });
  return readFullRecord(context, fqdn);
}

async function create(
  transaction: Queryable,
  context: StoreContext,
  { assignment, row }: { assignment: Assignment; row: OwnRow },
): Promise<string> {
  const { name, capabilityId } = assignment;
  await ensureFree(transaction, context, { name });
  const fqdn = await insertRecord(transaction, context, { assignment, row });
  await addVersion(transaction, context, { record: { id: fqdn }, next: assignment });
  await syncNames(transaction, context, [capabilityId]);
  const oldName = assignment.forkedFrom === undefined ? unnamed(row.code_hash) : null;
  await writeRename(transaction, context, { fqdn, capabilityId, oldName, newName: name, by: assignment.renamedBy });
  await announce(transaction, context, { table: "capability_records", id: fqdn });
  return fqdn;
}

type OwnRow = CapabilityRow & { owner: string };

/** Only a project's own capabilities are named in it. */
export async function getOwnRow(transaction: Queryable, { scope }: StoreContext, id: string): Promise<OwnRow> {
  const [row] = await transaction.query<OwnRow>(
    "select * from workflow_pattern where pattern_id = $1 and org = $2 and project = $3 and owner = any(array['', $4])",
    [id, scope.org, scope.project, scope.actor],
  );
  if (row === undefined)
    throw new PmlError("PML_NOT_FOUND", `There is no capability ${id} in this project.`, { details: { id } });
  return row;
}

async function findLiveName(
  transaction: Queryable,
  id: string,
): Promise<{ id: string; display_name: string } | undefined> {
  const [row] = await transaction.query<{ id: string; display_name: string }>(
    "select id, display_name from capability_records where capability_id = $1 and deleted_at is null order by created_at limit 1",
    [id],
  );
  return row;
}

async function insertRecord(
  transaction: Queryable,
  context: StoreContext,
  { assignment, row }: { assignment: Assignment; row: OwnRow },
): Promise<string> {
  const { namespace, action, name } = checkDisplayName(assignment.name);
  const { org, project, actor } = context.scope;
  const now = context.now();
  const home = formatHome({ org, project });
  // Two records that began alike, the first renamed since, still need two hashes.
  for (let salt = 0; ; salt++) {
    const hash = hashRecord({ home, owner: row.owner, name, codeHash: row.code_hash, salt });
    const values: Record<string, unknown> = {
      id: formatFqdn({ org, project, namespace, action, hash }),
      capability_id: assignment.capabilityId,
      display_name: name,
      org,
      project,
      owner: row.owner,
      namespace,
      action,
      hash,
      created_by: actor,
      created_at: now,
      updated_by: actor,
      updated_at: now,
      parent_id: assignment.parentId ?? null,
      forked_from: assignment.forkedFrom ?? null,
      tags: checkTags(assignment.tags ?? []),
      visibility: row.visibility === "private" ? "private" : (assignment.visibility ?? row.visibility),
    };
    const columns = Object.keys(values);
    const inserted = await transaction.query<{ id: string }>(
      `insert into capability_records (${columns.join(", ")}) values (${columns.map((_, index) => `$${index + 1}`).join(", ")})
       on conflict (org, project, hash) do nothing returning id`,
      Object.values(values),
    );
    if (inserted[0] !== undefined) return inserted[0].id;
  }
}

export async function writeRename(
  transaction: Queryable,
  context: StoreContext,
  rename: { fqdn: string; capabilityId: string; oldName: string | null; newName: string; by: string | undefined },
): Promise<void> {
  await transaction.query(
    `insert into capability_rename_history (id, capability_fqdn, capability_id, old_name, new_name, renamed_by, renamed_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      context.newId(),
      rename.fqdn,
      rename.capabilityId,
      rename.oldName,
      rename.newName,
      rename.by ?? context.scope.actor,
      context.now(),
    ],
  );
}

function alreadyNamed(name: string): PmlError {
  return new PmlError("PML_CONFLICT", `This capability is called "${name}" already. Rename or fork that.`, {
    details: { name },
  });
}
