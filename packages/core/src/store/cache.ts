import type { CacheConfig } from "../model/capability.js";
import type { StoreContext } from "./context.js";
import type { Row } from "./database/database.js";

/** A result that was kept for the same capability with the same arguments. */
export interface CachedResult {
  result: unknown;
  hitCount: number;
}

export type InvalidationTrigger = "tool_schema_change" | "tool_removed" | "failures" | "manual" | "daily";

export interface Invalidation {
  trigger: InvalidationTrigger;
  toolId: string | undefined;
  capabilityId: string | undefined;
  entries: number;
  at: Date;
}

/** Counts the hit in the same statement. */
export async function findCached(
  { database, now }: StoreContext,
  capabilityId: string,
  paramsHash: string,
): Promise<CachedResult | undefined> {
  const [row] = await database.query<{ result: unknown; hit_count: number }>(
    `update capability_cache set hit_count = hit_count + 1 where capability_id = $1 and params_hash = $2 and expires_at > $3
     returning result, hit_count`,
    [capabilityId, paramsHash, now()],
  );
  return row && { result: row.result ?? undefined, hitCount: row.hit_count };
}

export async function putCached(
  context: StoreContext,
  entry: {
    capabilityId: string;
    traceId: string;
    paramsHash: string;
    result: unknown;
    ttlSeconds: number;
    maxEntries: number;
  },
): Promise<void> {
  const now = context.now();
  await context.database.query(
    `insert into capability_cache (id, capability_id, params_hash, result, created_at, expires_at, trace_id)
     values ($1, $2, $3, $4, $5, $6, (select trace_id from execution_trace where trace_id = $7))
     on conflict (capability_id, params_hash) do update set result = excluded.result, created_at = excluded.created_at, expires_at = excluded.expires_at, trace_id = excluded.trace_id`,
    [
      context.newId(),
      entry.capabilityId,
      entry.paramsHash,
      entry.result === undefined ? null : JSON.stringify(entry.result),
      now,
      new Date(now.getTime() + entry.ttlSeconds * 1000),
      entry.traceId,
    ],
  );
  await context.database.query(
    `delete from capability_cache where capability_id = $1 and id not in
       (select id from capability_cache where capability_id = $1 order by created_at desc, id limit $2)`,
    [entry.capabilityId, entry.maxEntries],
  );
}

export interface InvalidationCause {
  trigger: InvalidationTrigger;
  /** What rests on this tool, through the capabilities that are called too. */
  toolId?: string | undefined;
  capabilityId?: string | undefined;
  /** Kept before this only. */
  before?: Date;
  /** What a capability without a `cacheConfig` of its own is invalidated on. */
  invalidateOn?: CacheConfig["invalidateOn"];
  /** Thrown out of memory for the same cause: counted with the rest. */
  dropped?: number;
}

/** Removes what rests on a tool, or belongs to a capability, and writes down that it did. */
export async function invalidateCached(context: StoreContext, cause: InvalidationCause): Promise<number> {
  const { trigger, toolId = null, capabilityId = null, before = null, dropped = 0 } = cause;
  const { org, project } = context.scope;
  return context.database.transaction(async (transaction) => {
    const gone = await transaction.query(REMOVE, [
      org,
      project,
      toolId,
      capabilityId,
      before,
      trigger === "tool_schema_change",
      JSON.stringify(cause.invalidateOn ?? ["tool_schema_change"]),
    ]);
    const entries = gone.length + dropped;
    // A new day is no news where nothing was kept.
    if (entries === 0 && trigger === "daily") return 0;
    await transaction.query(
      `insert into cache_invalidation_log (id, org, project, trigger_type, tool_id, capability_id, entries_invalidated, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [context.newId(), org, project, trigger, toolId, capabilityId, entries, context.now()],
    );
    return entries;
  });
}

/** A capability rests on the tools of those it calls as well. One that is invalidated on other things keeps its results. */
const REMOVE = `with recursive resting (id) as (
    select pattern_id from workflow_pattern where ($3::text is null or $3 = any(tools_used)) and ($4::uuid is null or pattern_id = $4)
    union select from_capability_id from capability_dependency join resting on to_capability_id = id
      where edge_type = 'contains' and $3::text is not null)
  delete from capability_cache using workflow_pattern where pattern_id = capability_id and org = $1 and project = $2
    and capability_id in (select id from resting) and ($5::timestamptz is null or capability_cache.created_at < $5)
    and (not $6::boolean or coalesce(cache_config::jsonb -> 'invalidateOn', $7::jsonb) @> '["tool_schema_change"]')
  returning id`;

export async function listInvalidations({ database, scope }: StoreContext): Promise<Invalidation[]> {
  const rows = await database.query<
    Row & {
      trigger_type: InvalidationTrigger;
      tool_id: string | null;
      capability_id: string | null;
      entries_invalidated: number;
      created_at: Date;
    }
  >("select * from cache_invalidation_log where org = $1 and project = $2 order by created_at, id", [
    scope.org,
    scope.project,
  ]);
  return rows.map((row) => ({
    trigger: row.trigger_type,
    toolId: row.tool_id ?? undefined,
    capabilityId: row.capability_id ?? undefined,
    entries: row.entries_invalidated,
    at: row.created_at,
  }));
}
