import type { StoreContext } from "./context.js";
import type { Queryable, Row } from "./database/database.js";

/** An intent as somebody asked it, and what served it. */
export interface ServedIntent {
  id: string;
  intent: string;
  capabilityId: string;
  tools: string[];
  uses: number;
}

interface IntentRow extends Row {
  intent_id: string;
  intent: string;
  capability_id: string;
  tools: string[];
  uses: number;
}

/** What a run adds to what is known of intents. */
export interface NewServedIntent {
  intent: string;
  capabilityId: string;
  tools: readonly string[];
  vector: Float32Array;
}

/** The same words for the same capability are one intent, asked once more. Gives its id. */
export async function writeIntent(
  transaction: Queryable,
  context: StoreContext,
  { intent, capabilityId, tools, vector }: NewServedIntent,
): Promise<string> {
  const { org, project } = context.scope;
  const [row] = await transaction.query<{ intent_id: string; uses: number }>(
    `insert into intent_memory as known (intent_id, org, project, intent, capability_id, tools, last_used_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (capability_id, md5(intent)) do update set uses = known.uses + 1, tools = excluded.tools, last_used_at = excluded.last_used_at
     returning intent_id, uses`,
    [context.newId(), org, project, intent, capabilityId, [...tools], context.now()],
  );
  const id = row?.intent_id ?? "";
  if (row?.uses === 1)
    await context.vectors.write(transaction, context.scope, [{ kind: "intent", ownerId: id, vector }]);
  return id;
}

/** In the order of the ids; those of other projects are left out. */
export async function listIntents(context: StoreContext, ids: readonly string[]): Promise<ServedIntent[]> {
  const rows = await context.database.query<IntentRow>(
    "select * from intent_memory where org = $1 and project = $2 and intent_id = any($3::uuid[])",
    [context.scope.org, context.scope.project, ids],
  );
  const byId = new Map(rows.map((row) => [row.intent_id, readIntent(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function readIntent(row: IntentRow): ServedIntent {
  return {
    id: row.intent_id,
    intent: row.intent,
    capabilityId: row.capability_id,
    tools: row.tools,
    uses: row.uses,
  };
}
