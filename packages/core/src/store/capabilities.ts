import type { Capability, NewCapability } from "../model/capability.js";
import { PmlError } from "../model/error.js";
import { hashSource } from "../model/identity.js";
import { signCapability } from "../model/signature.js";
import { checkId, checkIntent, checkText } from "../model/text.js";
import { type CapabilityRow, readCapability, visibleFrom, writeJson } from "./capability-row.js";
import { announce } from "./changes.js";
import type { StoreContext } from "./context.js";
import type { Queryable } from "./database/database.js";
import { inferFromTools } from "./infer.js";

export interface PutResult {
  capability: Capability;
  /** False when the same code was there already. */
  created: boolean;
}

export interface ListOptions {
  namespace?: string;
  namedOnly?: boolean;
  sortBy?: "name" | "usage" | "recent";
  limit?: number;
  offset?: number;
}

const ORDERS = {
  name: "name, pattern_id",
  usage: "usage_count desc, pattern_id",
  recent: "updated_at desc, pattern_id",
};

/** Stores what is not there yet, as a draft; by `hash`, the same code is stored once. */
export async function putCapability(
  context: StoreContext,
  given: NewCapability,
  status: "draft" | "active" = "draft",
): Promise<PutResult> {
  const intent = checkIntent(given.intent);
  for (const [what, text] of [
    ["A description", given.description],
    ["A name", given.name],
  ] as const)
    if (text !== undefined) checkText(what, text);
  if (given.source.type === "code") checkText("Code", given.source.code);
  const hash = given.hash ?? hashSource(given.source);
  const [vector] = await context.vectors.embed([intent]);
  const stored = await context.database.transaction(async (transaction) => {
    const id = await insert(transaction, context, { ...given, intent, hash, status });
    const row = id ?? (await findIdByHash(transaction, context, { hash, visibility: given.visibility }));
    if (id !== undefined && vector !== undefined) {
      await context.vectors.write(transaction, context.scope, [{ kind: "capability", ownerId: id, vector }]);
      await inferFromTools(transaction, context, id);
      await announce(transaction, context, { table: "workflow_pattern", id });
    }
    return { id: row, created: id !== undefined };
  });
  if (stored.created && vector !== undefined)
    await context.vectors.remember(context.scope, [{ kind: "capability", ownerId: stored.id, vector }]);
  return { capability: await getCapability(context, stored.id), created: stored.created };
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

export async function findByHash(context: StoreContext, hash: string): Promise<Capability | undefined> {
  const { org, project, actor } = context.scope;
  const [row] = await context.database.query<CapabilityRow>(
    `select * from workflow_pattern where code_hash = $4 and ${visibleFrom(1)} order by (org = $1 and project = $2) desc limit 1`,
    [org, project, actor, checkText("The hash", hash, 200)],
  );
  return row && readCapability(row);
}

export async function listCapabilities(context: StoreContext, options: ListOptions = {}): Promise<Capability[]> {
  const { namespace, namedOnly = false, sortBy = "name", limit = 100, offset = 0 } = options;
  const { org, project, actor } = context.scope;
  const rows = await context.database.query<CapabilityRow>(
    `select * from workflow_pattern where ${visibleFrom(1)} and ($4::text is null or starts_with(name, $4 || ':'))
       and (not $5::boolean or name is not null) order by ${ORDERS[sortBy]} limit $6 offset $7`,
    [org, project, actor, namespace ?? null, namedOnly, limit, offset],
  );
  return rows.map(readCapability);
}

export async function removeCapability(context: StoreContext, id: string): Promise<void> {
  const { org, project, actor } = context.scope;
  await context.database.transaction(async (transaction) => {
    // Whoever has the name in mind is not to get something else under it: the record stays, and keeps the name for a while.
    await transaction.query(
      "update capability_records set deleted_at = $4 where capability_id = $1 and org = $2 and project = $3 and deleted_at is null",
      [checkId("The id", id), org, project, context.now()],
    );
    const gone = await transaction.query(
      "delete from workflow_pattern where pattern_id = $1 and org = $2 and project = $3 and owner in ('', $4) returning pattern_id",
      [checkId("The id", id), org, project, actor],
    );
    if (gone.length === 0)
      throw new PmlError("PML_NOT_FOUND", `There is no capability ${id} here to remove.`, { details: { id } });
    await transaction.query(
      "delete from embedding where kind = 'capability' and org = $1 and project = $2 and owner_id = $3",
      [org, project, id],
    );
    await announce(transaction, context, { table: "workflow_pattern", id });
  });
  await context.vectors.refresh("capability", context.scope, id);
}

type Checked = NewCapability & { hash: string; status: "draft" | "active" };

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

async function findIdByHash(
  transaction: Queryable,
  context: StoreContext,
  given: { hash: string; visibility: NewCapability["visibility"] },
): Promise<string> {
  const { org, project } = context.scope;
  const [row] = await transaction.query<{ pattern_id: string }>(
    "select pattern_id from workflow_pattern where org = $1 and project = $2 and owner = $3 and code_hash = $4",
    [org, project, ownerOf(context, given.visibility ?? "project"), given.hash],
  );
  return row?.pattern_id ?? "";
}

/** What is private belongs to its actor, beside the same code of the project. */
function ownerOf({ scope }: StoreContext, visibility: string): string {
  return visibility === "private" ? scope.actor : "";
}
