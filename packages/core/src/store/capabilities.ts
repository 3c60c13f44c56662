import type { Capability, NewCapability } from "../model/capability.js";
import { invalidInput, PmlError } from "../model/error.js";
import { hashSource } from "../model/identity.js";
import { signCapability } from "../model/signature.js";
import { checkId, checkCount, checkNumber, checkText } from "../model/text.js";
import { type CapabilityRow, readCapability, visibleFrom, writeJson } from "./capability-row.js";
import { announce } from "./changes.js";
import { checkCapability } from "./check-capability.js";
import type { StoreContext } from "./context.js";
import type { Queryable } from "./database/database.js";
import { findSameRequest, inferAlternatives, inferFromCalls, inferFromTools } from "./infer.js";
import { findKnownHash, joinByShape } from "./known-code.js";
import type { NewVector } from "./vectors/vector-table.js";

export interface PutResult {
  capability: Capability;
  /** False when the same code was there already. */
  created: boolean;
  /** It is code of another hash, of the same shape and for the same request: its literals became an example. */
  joined: boolean;
}

export interface ListOptions {
  namespace?: string;
  namedOnly?: boolean;
  status?: Capability["status"];
  minUsage?: number;
  /** From 0 to 1; leaves out what has never been used. */
  minSuccessRate?: number;
  /** Leave out versions that a name no longer stands for. */
  currentOnly?: boolean;
  sortBy?: "name" | "usage" | "recent";
  limit?: number;
  offset?: number;
}

const STATUSES: readonly Capability["status"][] = ["draft", "active", "degraded"];
const ORDERS = {
  name: "name, pattern_id",
  usage: "usage_count desc, pattern_id",
  recent: "updated_at desc, pattern_id",
};

/**
 * Stores what is not there yet, as a draft; by `hash`, the same code is stored once. A `version` is what a name is to stand
 * for: a draft too, but this very code, and never an example of another. What is `learned` rests on its runs, and on nobody's
 * word.
 */
export async function putCapability(
  context: StoreContext,
  given: NewCapability,
  as: "draft" | "active" | "version" | "learned" = "draft",
): Promise<PutResult> {
  const status = as === "active" ? "active" : "draft";
  const vouched = as === "learned" ? undefined : status;
  const checked = { ...checkCapability(given), hash: given.hash ?? hashSource(given.source), status, vouched } as const;
  const vector = (await context.vectors.embed([checked.intent]))[0] as Float32Array;
  const others = await findSameRequest(context, vector);
  const { visibility = "project" } = checked;
  const owner = ownerOf(context, visibility);
  const vectorOf = (ownerId: string): NewVector => ({ kind: "capability", ownerId, vector, owner, visibility });
  const stored = await context.database.transaction(async (transaction): Promise<Stored> => {
    const known = await findKnown(transaction, context, { given: checked, vector, isExact: as === "version" });
    if (known !== undefined) {
      if (vouched !== undefined && !known.joined) await vouch(transaction, known.id, vouched);
      if (as === "active" && !known.joined) await activateDraft(transaction, context, known.id);
      return { ...known, created: false };
    }
    const id = await insert(transaction, context, checked);
    // Another process may have been first between the look and the insert.
    if (id === undefined)
      return { ...((await findKnownHash(transaction, context, checked.hash)) as KnownCode), created: false };
    await context.vectors.table.write(transaction, context.scope, [vectorOf(id)]);
    await inferFromTools(transaction, context, id);
    await inferAlternatives(transaction, context, { id, others });
    await inferFromCalls(transaction, context, { id, called: listCalls(checked) });
    await announce(transaction, context, { table: "workflow_pattern", id });
    return { id, created: true, joined: false };
  });
  if (stored.created) await context.vectors.remember(context.scope, [vectorOf(stored.id)]);
  const { id, ...how } = stored;
  return { capability: await getCapability(context, id), ...how };
}

/** It stays now, also without the runs that it was learned from. */
async function vouch(transaction: Queryable, id: string, vouched: "draft" | "active"): Promise<void> {
  await transaction.query(
    "update workflow_pattern set vouched = $2 where pattern_id = $1 and vouched is distinct from 'active'",
    [id, vouched],
  );
}

/** What somebody vouches for need not prove itself first. */
async function activateDraft(transaction: Queryable, context: StoreContext, id: string): Promise<void> {
  const rows = await transaction.query(
    "update workflow_pattern set status = 'active', updated_at = $2 where pattern_id = $1 and status = 'draft' returning 1 as changed",
    [id, context.now()],
  );
  if (rows.length > 0) await announce(transaction, context, { table: "workflow_pattern", id });
}

type KnownCode = { id: string; joined: boolean };
type Stored = KnownCode & { created: boolean };

async function findKnown(
  transaction: Queryable,
  context: StoreContext,
  { given, vector, isExact }: { given: Checked; vector: Float32Array; isExact: boolean },
): Promise<KnownCode | undefined> {
  const known = await findKnownHash(transaction, context, given.hash);
  if (known !== undefined && !(isExact && known.joined)) return known;
  if (isExact) return undefined;
  const owner = ownerOf(context, given.visibility ?? "project");
  const id = await joinByShape(transaction, context, { given, owner, vector });
  return id === undefined ? undefined : { id, joined: true };
}

export async function getCapability(context: StoreContext, id: string): Promise<Capability> {
  const found = await findCapability(context, id);
  if (found === undefined)
    throw new PmlError("PML_NOT_FOUND", `There is no capability ${checkId("The id", id)}.`, { details: { id } });
  return found;
}

export async function findCapability(context: StoreContext, id: string): Promise<Capability | undefined> {
  const [found] = await listByIds(context, [checkId("The id", id)]);
  return found;
}

/**
 * In the order of the ids; those that are not there, or may not be seen, are left out. With a status, so are old versions of
 * what has a name: they are part of its history.
 */
export async function listByIds(
  context: StoreContext,
  ids: readonly string[],
  status?: Capability["status"],
): Promise<Capability[]> {
  const { org, project, actor } = context.scope;
  const rows = await context.database.query<CapabilityRow>(
    `select * from workflow_pattern where pattern_id = any($4::uuid[]) and ${visibleFrom(1)} and ($5::text is null or (status = $5 and not superseded))`,
    [org, project, actor, ids, status ?? null],
  );
  const byId = new Map(rows.map((row) => [row.pattern_id, readCapability(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Those that do the same but for the values written into them. */
export async function listByShapes(context: StoreContext, shapes: readonly string[]): Promise<Capability[]> {
  const { org, project, actor } = context.scope;
  const rows = await context.database.query<CapabilityRow>(
    `select * from workflow_pattern where shape = any($4::text[]) and ${visibleFrom(1)} order by pattern_id`,
    [org, project, actor, shapes],
  );
  return rows.map(readCapability);
}

export async function findByHash(context: StoreContext, hash: string): Promise<Capability | undefined> {
  const { org, project, actor } = context.scope;
  const [row] = await context.database.query<CapabilityRow>(
    `select * from workflow_pattern where code_hash = $4 and ${visibleFrom(1)} order by (org = $1 and project = $2) desc limit 1`,
    [org, project, actor, checkText("The hash", hash, 200)],
  );
  return row && readCapability(row);
}

/** By one of these display names in the project itself, or by one that it had. */
export async function findByName(context: StoreContext, names: readonly string[]): Promise<Capability | undefined> {
  const { org, project, actor } = context.scope;
  const [row] = await context.database.query<CapabilityRow>(
    `select * from workflow_pattern where ${visibleFrom(1)} and ((name = any($4::text[]) and org = $1 and project = $2)
       or pattern_id in (select r.capability_id from capability_aliases a join capability_records r on r.id = a.target_fqdn
         where a.alias = any($4::text[]) and a.org = $1 and a.project = $2 and a.owner in ('', $3) and r.deleted_at is null))
     order by (name = any($4::text[])) desc nulls last, pattern_id limit 1`,
    [org, project, actor, names.map((name) => name.replaceAll("\0", ""))],
  );
  return row && readCapability(row);
}

export async function listCapabilities(context: StoreContext, options: ListOptions = {}): Promise<Capability[]> {
  const { sortBy = "name" } = options;
  const limit = checkCount("The limit", options.limit ?? 100, { min: 0, max: 1_000_000 });
  const offset = checkCount("The offset", options.offset ?? 0, { min: 0, max: Number.MAX_SAFE_INTEGER });
  if (!Object.hasOwn(ORDERS, sortBy)) throw invalidInput(`There is no order "${String(sortBy)}".`);
  const rows = await context.database.query<CapabilityRow>(
    `select * from workflow_pattern where ${PASSES} order by ${ORDERS[sortBy]} limit $10 offset $11`,
    [...filterParameters(context, options), limit, offset],
  );
  return rows.map(readCapability);
}

/** How many `listCapabilities` would give without a limit. */
export async function countCapabilities(context: StoreContext, options: ListOptions = {}): Promise<number> {
  const rows = await context.database.query<{ count: number }>(
    `select count(*)::int as count from workflow_pattern where ${PASSES}`,
    filterParameters(context, options),
  );
  return rows[0]?.count ?? 0;
}

const PASSES = `${visibleFrom(1)} and ($4::text is null or starts_with(name, $4 || ':'))
  and (not $5::boolean or name is not null) and ($6::text is null or status = $6) and usage_count >= $7
  and ($8::float8 is null or success_count >= $8 * nullif(success_count + failure_count, 0))
  and (not $9::boolean or not superseded)`;

function filterParameters({ scope }: StoreContext, options: ListOptions): unknown[] {
  const { namespace, namedOnly = false, status, minUsage = 0, minSuccessRate, currentOnly = false } = options;
  if (namespace !== undefined) checkText("The namespace", namespace);
  if (status !== undefined && !STATUSES.includes(status))
    throw invalidInput(`"${String(status)}" is no status. Statuses are ${STATUSES.join(", ")}.`);
  checkCount("The least usage", minUsage, { min: 0, max: 2 ** 31 - 1 });
  if (minSuccessRate !== undefined) checkNumber("The least success rate", minSuccessRate, { min: 0, max: 1 });
  const { org, project, actor } = scope;
  const rate = minSuccessRate ?? null;
  return [org, project, actor, namespace ?? null, namedOnly, status ?? null, minUsage, rate, currentOnly];
}

type Vouched = "draft" | "active" | undefined;
type Checked = NewCapability & { hash: string; status: "draft" | "active"; vouched: Vouched };

async function insert(transaction: Queryable, context: StoreContext, given: Checked): Promise<string | undefined> {
  const { org, project, actor } = context.scope;
  const visibility = given.visibility ?? "project";
  const now = context.now();
  const values: Record<string, unknown> = {
    pattern_id: context.newId(),
    org,
    project,
    owner: ownerOf(context, visibility),
    visibility,
    code_hash: given.hash,
    shape: given.shape ?? null,
    name: given.name ?? null,
    intent: given.intent,
    description: given.description ?? null,
    source: writeJson(given.source),
    parameterised_code: given.parameterisedCode ?? null,
    structure: writeJson(given.structure),
    parameters: writeJson(given.parameters),
    permissions: writeJson(given.permissions),
    cache_config: writeJson(given.cacheConfig),
    signature: signCapability(given),
    tools_used: [...new Set(given.toolsUsed ?? [])],
    status: given.status,
    vouched: given.vouched ?? null,
    created_by: actor,
    created_at: now,
    updated_at: now,
  };
  const columns = Object.keys(values);
  const rows = await transaction.query<{ pattern_id: string }>(
    `insert into workflow_pattern (${columns.join(", ")}) values (${columns.map((_, index) => `$${index + 1}`).join(", ")})
     on conflict (org, project, owner, code_hash) do nothing returning pattern_id`,
    Object.values(values),
  );
  return rows[0]?.pattern_id;
}

/** The capabilities that its analysis says it calls. */
function listCalls({ permissions }: Pick<NewCapability, "permissions">): string[] {
  const { capabilities } = (permissions ?? {}) as { capabilities?: unknown };
  return Array.isArray(capabilities) ? capabilities.filter((name) => typeof name === "string") : [];
}

/** What is private belongs to its actor, beside the same code of the project. */
function ownerOf({ scope }: StoreContext, visibility: string): string {
  return visibility === "private" ? scope.actor : "";
}
