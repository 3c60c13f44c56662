import type { CapabilitySource } from "../model/capability.js";
import { PmlError } from "../model/error.js";
import { checkText } from "../model/text.js";
import type { StoreContext } from "../store/context.js";
import type { Queryable, Row } from "../store/database/database.js";
import type { RecordRow } from "./record.js";
import { checkVersionTag, type Dated } from "./version.js";

/** One state of what a name stands for. */
export interface CapabilityVersion extends Dated {
  capabilityId: string;
  updatedBy: string;
  changeSummary: string | undefined;
  signature: string | undefined;
  verified: boolean;
  source: CapabilitySource;
}

interface VersionRow extends Row {
  version: number;
  version_tag: string | null;
  capability_id: string;
  updated_by: string;
  updated_at: Date;
  change_summary: string | null;
  signature: string | null;
  verified_at: Date | null;
  source: CapabilitySource;
}

export interface NewVersion {
  capabilityId: string;
  versionTag?: string | undefined;
  changeSummary?: string | undefined;
}

/** Newest first. */
export async function listVersions(queryable: Queryable, fqdn: string): Promise<CapabilityVersion[]> {
  const rows = await queryable.query<VersionRow>(
    `select v.*, w.signature, w.verified_at, w.source from capability_versions v
     join workflow_pattern w on w.pattern_id = v.capability_id where v.capability_fqdn = $1 order by v.version desc`,
    [fqdn],
  );
  return rows.map((row) => ({
    version: row.version,
    versionTag: row.version_tag ?? undefined,
    capabilityId: row.capability_id,
    updatedBy: row.updated_by,
    updatedAt: row.updated_at,
    changeSummary: row.change_summary ?? undefined,
    signature: row.signature ?? undefined,
    verified: row.verified_at !== null,
    source: row.source,
  }));
}

/** Makes it what the name stands for from now on. */
export async function addVersion(
  transaction: Queryable,
  context: StoreContext,
  { record, next }: { record: Pick<RecordRow, "id">; next: NewVersion },
): Promise<number> {
  const tag = next.versionTag === undefined ? null : checkVersionTag(next.versionTag);
  const summary = next.changeSummary === undefined ? null : checkText("The summary", next.changeSummary, 10_000);
  const { actor } = context.scope;
  const now = context.now();
  await refuseSecondTag(transaction, record.id, tag);
  const [row] = await transaction.query<{ version: number }>(
    `insert into capability_versions (id, capability_fqdn, version, version_tag, capability_id, updated_by, updated_at, change_summary)
     select $2, $1, coalesce(max(version), 0) + 1, $3, $4, $5, $6, $7 from capability_versions where capability_fqdn = $1
     returning version`,
    [record.id, context.newId(), tag, next.capabilityId, actor, now, summary],
  );
  const version = row?.version ?? 1;
  await transaction.query(
    `update capability_records set version = $2, version_tag = $3, capability_id = $4, updated_by = $5, updated_at = $6 where id = $1`,
    [record.id, version, tag, next.capabilityId, actor, now],
  );
  await unrelate(transaction, record.id);
  return version;
}

/** Versions of one thing share tools and intent, and neither follows the other nor serves in its place. */
async function unrelate(transaction: Queryable, fqdn: string): Promise<void> {
  const versions = "select capability_id from capability_versions where capability_fqdn = $1";
  await transaction.query(
    `delete from capability_dependency where edge_source = 'inferred' and edge_type in ('sequence', 'alternative')
       and from_capability_id in (${versions}) and to_capability_id in (${versions})`,
    [fqdn],
  );
}

/** Otherwise what `name@v1.2.0` means could change under those who rely on it. */
export async function refuseSecondTag(transaction: Queryable, fqdn: string, tag: string | null): Promise<void> {
  if (tag === null) return;
  const [taken] = await transaction.query<{ version: number }>(
    "select version from capability_versions where capability_fqdn = $1 and version_tag = $2",
    [fqdn, tag],
  );
  if (taken === undefined) return;
  throw new PmlError("PML_CONFLICT", `Version ${taken.version} is tagged ${tag} already. Choose another tag.`, {
    details: { versionTag: tag, version: taken.version },
  });
}
