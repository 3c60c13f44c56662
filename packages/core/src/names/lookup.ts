import type { StoreContext } from "../store/context.js";
import type { Row } from "../store/database/database.js";
import { getRecordRow, readFullRecord } from "./find-record.js";
import type { CapabilityRecord } from "./record.js";
import { parseReference } from "./reference.js";
import { listVersions } from "./versions.js";
import { scopeParameters, SEEN } from "./walls.js";

/** The record behind a display name, old name, FQDN or id. */
export async function lookup(context: StoreContext, name: string): Promise<CapabilityRecord> {
  const { row } = await getRecordRow(context.database, context, parseReference(name));
  return readFullRecord(context, row.id);
}

export interface Whois {
  record: CapabilityRecord;
  intent: string;
  /** JSON Schema. */
  parameters: unknown;
  permissions: unknown;
  toolsUsed: string[];
  lastUsedAt: Date | undefined;
  versions: { version: number; versionTag: string | undefined; updatedBy: string; updatedAt: Date }[];
  renames: { from: string | undefined; to: string; by: string; at: Date }[];
  /** FQDNs of what was made from it, as far as this scope may see them. */
  forks: string[];
}

interface Content extends Row {
  intent: string;
  parameters: unknown;
  permissions: unknown;
  tools_used: string[];
  last_used_at: Date | null;
}

interface RenameRow extends Row {
  old_name: string | null;
  new_name: string;
  renamed_by: string;
  renamed_at: Date;
}

/** Everything there is to say of a record. */
export async function whois(context: StoreContext, name: string): Promise<Whois> {
  const record = await lookup(context, name);
  const { database } = context;
  const [content] = await database.query<Content>(
    "select intent, parameters, permissions, tools_used, last_used_at from workflow_pattern where pattern_id = $1",
    [record.capabilityId],
  );
  const renames = await database.query<RenameRow>(
    "select * from capability_rename_history where capability_fqdn = $1 order by renamed_at, id",
    [record.fqdn],
  );
  const versions = await listVersions(database, record.fqdn);
  return {
    record,
    intent: content?.intent ?? "",
    parameters: content?.parameters ?? undefined,
    permissions: content?.permissions ?? undefined,
    toolsUsed: content?.tools_used ?? [],
    lastUsedAt: content?.last_used_at ?? undefined,
    versions: versions.map(({ version, versionTag, updatedBy, updatedAt }) => ({
      version,
      versionTag,
      updatedBy,
      updatedAt,
    })),
    renames: renames.map((each) => ({
      from: each.old_name ?? undefined,
      to: each.new_name,
      by: each.renamed_by,
      at: each.renamed_at,
    })),
    forks: await listForks(context, record.fqdn),
  };
}

/** By hash, which an FQDN keeps through renames. */
async function listForks({ database, scope }: StoreContext, fqdn: string): Promise<string[]> {
  const hash = fqdn.slice(fqdn.lastIndexOf(".") + 1);
  const rows = await database.query<{ id: string }>(
    `select r.id from capability_records r where r.forked_from like '%.' || $4 and r.deleted_at is null
       and ${SEEN}
     order by r.id`,
    [...scopeParameters(scope), hash],
  );
  return rows.map(({ id }) => id);
}
