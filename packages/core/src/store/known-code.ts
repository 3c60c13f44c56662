import type { NewCapability } from "../model/capability.js";
import { checkId } from "../model/text.js";
import { writeJson } from "./capability-row.js";
import type { StoreContext } from "./context.js";
import type { Queryable, Row } from "./database/database.js";

/** Code of the same shape that joined a capability, with the literals it had in place of the capability's defaults. */
export interface CapabilityExample {
  intent: string;
  literals: Record<string, unknown>;
  createdAt: Date;
}

/** At this probability and above, two intents are one request and code of one shape is one capability. */
const SAME_REQUEST_FROM = 0.9;
const MAX_EXAMPLES_SHOWN = 20;

type Given = NewCapability & { hash: string };

/** The capability that this very code is, or has joined. Code of the project is not stored again for one actor. */
export async function findKnownHash(
  transaction: Queryable,
  { scope }: StoreContext,
  hash: string,
): Promise<{ id: string; joined: boolean } | undefined> {
  const [row] = await transaction.query<{ id: string; joined: boolean }>(
    `select pattern_id as id, false as joined from workflow_pattern where org = $1 and project = $2 and owner in ('', $3) and code_hash = $4
     union all select capability_id, true from capability_example where org = $1 and project = $2 and owner in ('', $3) and code_hash = $4
     order by joined limit 1`,
    [scope.org, scope.project, scope.actor, hash],
  );
  return row;
}

/**
 * The capability that code of a known shape joins: one whose intent is the same request. Its literals are kept as an
 * example and its defaults stay, so what reads never becomes what deletes.
 */
export async function joinByShape(
  transaction: Queryable,
  context: StoreContext,
  { given, owner, vector }: { given: Given; owner: string; vector: Float32Array },
): Promise<string | undefined> {
  if (given.shape === undefined) return undefined;
  const { org, project } = context.scope;
  // Two processes that store the same shape at once do so one after the other, or both would find nothing to join.
  await transaction.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    [org, project, given.shape].join(),
  ]);
  const rows = await transaction.query<{ id: string }>(
    "select pattern_id::text as id from workflow_pattern where org = $1 and project = $2 and owner = $3 and shape = $4",
    [org, project, owner, given.shape],
  );
  const ids = rows.map(({ id }) => id);
  const [nearest] = await context.vectors.table.compare(
    transaction,
    { kind: "capability", scope: context.scope, ids },
    vector,
  );
  if (nearest === undefined || context.vectors.calibrate(nearest.cosine) < SAME_REQUEST_FROM) return undefined;
  await transaction.query(
    `insert into capability_example (capability_id, org, project, owner, code_hash, intent, literals, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (org, project, owner, code_hash) do nothing`,
    [nearest.id, org, project, owner, given.hash, given.intent, writeJson(listLiterals(given)), context.now()],
  );
  return nearest.id;
}

/** Newest first. */
export async function listExamples({ database }: StoreContext, id: string): Promise<CapabilityExample[]> {
  const rows = await database.query<Row & { intent: string; literals: Record<string, unknown>; created_at: Date }>(
    `select intent, literals, created_at from capability_example where capability_id = $1
     order by created_at desc, code_hash limit ${MAX_EXAMPLES_SHOWN}`,
    [checkId("The id", id)],
  );
  return rows.map(({ intent, literals, created_at: createdAt }) => ({ intent, literals, createdAt }));
}

/** The literals that were lifted are the defaults of the parameters they became. */
function listLiterals({ parameters }: Pick<NewCapability, "parameters">): Record<string, unknown> {
  const { properties = {} } = (parameters ?? {}) as { properties?: Record<string, { default?: unknown }> };
  const found = Object.entries(properties).filter(([, schema]) => schema?.default !== undefined);
  return Object.fromEntries(found.map(([name, schema]) => [name, schema.default]));
}
