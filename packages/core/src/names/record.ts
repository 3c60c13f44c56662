import type { CacheConfig } from "../model/capability.js";
import type { Visibility } from "../model/scope.js";
import type { Row } from "../store/database/database.js";

/** All that is known of a name. What it runs is the capability of its current version. */
export interface CapabilityRecord {
  fqdn: string;
  displayName: string;
  namespace: string;
  action: string;
  org: string;
  project: string;
  /** Of the current version. */
  capabilityId: string;
  description: string | undefined;
  createdBy: string;
  createdAt: Date;
  version: number;
  versionTag: string | undefined;
  updatedBy: string;
  updatedAt: Date;
  /** Seconds; undefined when nothing is cached, or it is kept until told otherwise. A view of `cacheConfig`. */
  ttl: number | undefined;
  cachePolicy: "none" | "memoize" | "persistent";
  /** FQDN of what it was made from. */
  parentId: string | undefined;
  forkedFrom: string | undefined;
  /** Old names, which still lead here. */
  aliases: string[];
  /** A replay of the current version has passed. */
  verified: boolean;
  signature: string | undefined;
  /** Over all versions. */
  usageCount: number;
  successRate: number | undefined;
  averageDurationMs: number | undefined;
  tags: string[];
  visibility: Visibility;
}

export interface RecordRow extends Row {
  id: string;
  capability_id: string | null;
  display_name: string;
  org: string;
  project: string;
  owner: string;
  namespace: string;
  action: string;
  hash: string;
  created_by: string;
  created_at: Date;
  version: number;
  version_tag: string | null;
  updated_by: string;
  updated_at: Date;
  parent_id: string | null;
  forked_from: string | null;
  tags: string[];
  visibility: Visibility;
  deleted_at: Date | null;
}

export interface FullRecordRow extends RecordRow {
  capability_id: string;
  description: string | null;
  signature: string | null;
  verified_at: Date | null;
  cache_config: Partial<CacheConfig> | null;
  aliases: string[];
  usage_count: number;
  success_count: number;
  failure_count: number;
  total_duration_ms: number;
}

/** Columns of a `FullRecordRow`, where `r` is the record and `w` its capability. */
export const FULL_RECORD = `r.*, w.description, w.signature, w.verified_at, w.cache_config,
  (select coalesce(array_agg(a.alias order by a.created_at, a.alias), '{}') from capability_aliases a where a.target_fqdn = r.id) as aliases,
  used.usage_count, used.success_count, used.failure_count, used.total_duration_ms`;

/** What `FULL_RECORD` is selected from. */
export const FROM_RECORDS = `capability_records r join workflow_pattern w on w.pattern_id = r.capability_id
  cross join lateral (
    select coalesce(sum(u.usage_count), 0)::int as usage_count, coalesce(sum(u.success_count), 0)::int as success_count,
      coalesce(sum(u.failure_count), 0)::int as failure_count, coalesce(sum(u.total_duration_ms), 0)::float8 as total_duration_ms
    from workflow_pattern u where u.pattern_id in (select v.capability_id from capability_versions v where v.capability_fqdn = r.id)
  ) used`;

const DEFAULT_TTL_SECONDS = 1800;

export function readRecord(row: FullRecordRow): CapabilityRecord {
  const counted = row.success_count + row.failure_count;
  return {
    fqdn: row.id,
    displayName: row.display_name,
    namespace: row.namespace,
    action: row.action,
    org: row.org,
    project: row.project,
    capabilityId: row.capability_id,
    description: row.description ?? undefined,
    createdBy: row.created_by,
    createdAt: row.created_at,
    version: row.version,
    versionTag: row.version_tag ?? undefined,
    updatedBy: row.updated_by,
    updatedAt: row.updated_at,
    ...viewCache(row.cache_config ?? {}),
    parentId: row.parent_id ?? undefined,
    forkedFrom: row.forked_from ?? undefined,
    aliases: row.aliases,
    verified: row.verified_at !== null,
    signature: row.signature ?? undefined,
    usageCount: row.usage_count,
    successRate: counted === 0 ? undefined : row.success_count / counted,
    averageDurationMs: row.usage_count === 0 ? undefined : row.total_duration_ms / row.usage_count,
    tags: row.tags,
    visibility: row.visibility,
  };
}

/** A record's time to live is said in the words of names; what is obeyed is the capability's `cacheConfig`. */
function viewCache(config: Partial<CacheConfig>): Pick<CapabilityRecord, "ttl" | "cachePolicy"> {
  const { cacheable = true, keyStrategy = "params_hash", ttlSeconds = DEFAULT_TTL_SECONDS, invalidateOn = [] } = config;
  if (!cacheable || keyStrategy === "none") return { ttl: undefined, cachePolicy: "none" };
  if (invalidateOn.includes("manual_only")) return { ttl: undefined, cachePolicy: "persistent" };
  return { ttl: ttlSeconds, cachePolicy: "memoize" };
}
