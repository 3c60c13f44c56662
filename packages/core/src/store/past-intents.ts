import { createHash } from "node:crypto";

import { checkIntent, checkCount } from "../model/text.js";
import { checkToolId } from "../model/tool.js";
import type { LearnedThing, RunRecord, StoredPastIntent } from "../model/trace.js";
import { announce } from "./changes.js";
import type { StoreContext } from "./context.js";
import type { Queryable, Row } from "./database/database.js";
import type { NewVector } from "./vectors/vector-table.js";

interface PastIntentRow extends Row {
  intent_id: string;
  intent: string;
  capability_id: string | null;
  tools: string[];
  uses: number;
  last_used_at: Date;
}

const PAGE = 200;

/** An intent with its vector, on its way into the memory. */
interface PreparedIntent {
  intent: string;
  toolIds: string[];
  vector: Float32Array;
}

export async function preparePastIntent(
  context: StoreContext,
  given: NonNullable<RunRecord["pastIntent"]>,
): Promise<PreparedIntent> {
  const intent = checkIntent(given.intent);
  const vector = (await context.vectors.embed([intent]))[0] as Float32Array;
  return { intent, toolIds: [...new Set(given.toolIds.map(checkToolId))], vector };
}

/** The same intent served by the same capability is one row with one use more; the tools are those of the last time. */
export async function writePastIntent(
  transaction: Queryable,
  context: StoreContext,
  { intent, toolIds, vector, capabilityId }: PreparedIntent & { capabilityId: string | undefined },
): Promise<{ learned: LearnedThing; vectors: NewVector[] }> {
  const { org, project } = context.scope;
  const hash = createHash("sha256").update(intent).digest("hex");
  const [row] = await transaction.query<{ id: string; uses: number; owner: string }>(
    `insert into intent_memory as known (intent_id, org, project, intent, intent_hash, capability_id, tools, last_used_at, owner)
     values ($1, $2, $3, $4, $5, $6, $7, $8, coalesce((select owner from workflow_pattern where pattern_id = $6::uuid), ''))
     on conflict (org, project, intent_hash, capability_id) do update
       set uses = known.uses + 1, tools = excluded.tools, last_used_at = greatest(known.last_used_at, excluded.last_used_at)
     returning intent_id::text as id, uses, owner`,
    [context.newId(), org, project, intent, hash, capabilityId ?? null, toolIds, context.now()],
  );
  const { id = "", uses = 1, owner = "" } = row ?? {};
  const vectors: NewVector[] = uses === 1 ? [{ kind: "intent", ownerId: id, vector, owner }] : [];
  await context.vectors.table.write(transaction, context.scope, vectors);
  if (vectors.length > 0) await announce(transaction, context, { table: "intent_memory", id });
  return { learned: { kind: "intent_memory", key: id }, vectors };
}

/**
 * A run that was wrong, or is to be forgotten, served no intent: that it did is taken back, or the same words would lead there
 * again. Gives those that nothing else served.
 */
export async function takeBackIntents(
  transaction: Queryable,
  { scope }: StoreContext,
  traceId: string,
): Promise<string[]> {
  const rows = await transaction.query<{ id: string; uses: number }>(
    `with gone as (delete from learned_from where trace_id = $3 and kind = 'intent_memory' returning learned_key)
     update intent_memory set uses = uses - 1 from gone where org = $1 and project = $2 and intent_id::text = learned_key
     returning intent_id::text as id, uses`,
    [scope.org, scope.project, traceId],
  );
  const gone = rows.filter(({ uses }) => uses <= 0).map(({ id }) => id);
  if (gone.length === 0) return [];
  await transaction.query("delete from intent_memory where intent_id = any($1::uuid[])", [gone]);
  await transaction.query(
    "delete from embedding where kind = 'intent' and org = $1 and project = $2 and owner_id = any($3::text[])",
    [scope.org, scope.project, gone],
  );
  return gone;
}

/** These, without their vectors; those that the scope may not see are left out. */
export async function listPastIntentsById(
  { database, scope }: StoreContext,
  ids: readonly string[],
): Promise<Omit<StoredPastIntent, "vector">[]> {
  const rows = await database.query<PastIntentRow>(
    "select * from intent_memory where org = $1 and project = $2 and owner in ('', $3) and intent_id = any($4::uuid[])",
    [scope.org, scope.project, scope.actor, ids],
  );
  return rows.map(readPastIntent);
}

/** The ids of all intents that these served, by capability; those that the scope may not see are left out. */
export async function listServedIntents(
  { database, scope }: StoreContext,
  capabilityIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await database.query<{ capability: string; ids: string[] }>(
    `select capability_id::text as capability, array_agg(intent_id::text order by intent_id) as ids from intent_memory
     where org = $1 and project = $2 and owner in ('', $3) and capability_id = any($4::uuid[]) group by capability_id`,
    [scope.org, scope.project, scope.actor, capabilityIds],
  );
  return new Map(rows.map(({ capability, ids }) => [capability, ids]));
}

/** The latest first, with their vectors. */
export async function listPastIntents(context: StoreContext, limit = 1000): Promise<StoredPastIntent[]> {
  return addVectors(context, await listLatest(context, limit));
}

/** As `listPastIntents`, a few at a time: the host's event loop goes on between them. */
export async function* readPastIntents(context: StoreContext, limit: number): AsyncGenerator<StoredPastIntent> {
  const latest = await listLatest(context, limit);
  for (let start = 0; start < latest.length; start += PAGE)
    yield* await addVectors(context, latest.slice(start, start + PAGE));
}

function listLatest({ database, scope }: StoreContext, limit: number): Promise<PastIntentRow[]> {
  return database.query<PastIntentRow>(
    `select * from intent_memory where org = $1 and project = $2 and owner in ('', $3) order by last_used_at desc, intent_id limit $4`,
    [scope.org, scope.project, scope.actor, checkCount("The limit", limit, { min: 1, max: 1_000_000 })],
  );
}

async function addVectors(context: StoreContext, rows: readonly PastIntentRow[]): Promise<StoredPastIntent[]> {
  const ids = rows.map((row) => row.intent_id);
  const vectors = await context.vectors.find("intent", context.scope, ids);
  return rows.flatMap((row) => {
    const vector = vectors.get(row.intent_id);
    if (vector === undefined) return [];
    return [{ ...readPastIntent(row), vector }];
  });
}

function readPastIntent(row: PastIntentRow): Omit<StoredPastIntent, "vector"> {
  const { intent_id: id, intent, capability_id, tools: toolIds, uses, last_used_at: lastUsedAt } = row;
  return { id, intent, capabilityId: capability_id ?? undefined, toolIds, uses, lastUsedAt };
}
