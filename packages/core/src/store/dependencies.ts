import type { Capability } from "../model/capability.js";
import {
  type CapabilityDependency,
  EDGE_SOURCES,
  EDGE_TYPES,
  type EdgeSource,
  type EdgeType,
  type NewDependency,
  SOURCE_CONFIDENCE,
} from "../model/dependency.js";
import { invalidInput, PmlError } from "../model/error.js";
import { checkId, checkNumber } from "../model/text.js";
import { listByIds } from "./capabilities.js";
import { ownedFrom, visibleFrom } from "./capability-row.js";
import { announce } from "./changes.js";
import type { StoreContext } from "./context.js";
import type { Queryable, Row } from "./database/database.js";
import { observeEdge } from "./infer.js";

const DIRECTIONS = ["from", "to", "both"] as const;
export type Direction = (typeof DIRECTIONS)[number];

interface DependencyRow extends Row {
  from_capability_id: string;
  to_capability_id: string;
  edge_type: EdgeType;
  edge_source: EdgeSource;
  observed_count: number;
  confidence_score: number;
  created_at: Date;
  last_observed: Date;
}

/** Stored once; adding it again is one more observation, or refused. */
export async function addDependency(
  context: StoreContext,
  given: NewDependency,
  again: "observe" | "refuse" = "observe",
): Promise<CapabilityDependency> {
  const checked = checkDependency(given);
  const ends = [checked.fromCapabilityId, checked.toCapabilityId];
  const known = await listByIds(context, ends);
  const missing = ends.find((id) => !known.some((capability) => capability.id === id));
  if (missing !== undefined)
    throw new PmlError("PML_NOT_FOUND", `There is no capability ${missing}.`, { details: { id: missing } });
  const row = await context.database.transaction(async (transaction) => {
    const written = await writeDependency(transaction, context, checked);
    // Thrown in here, it takes back the observation too.
    if (again === "refuse" && written !== undefined && written.observed_count > 1) throw taken(checked);
    await announce(transaction, context, { table: "capability_dependency", id: checked.fromCapabilityId });
    return written;
  });
  if (row === undefined) throw foreign(ends);
  return orient(readDependency(row), given.fromCapabilityId.toLowerCase(), "from");
}

/** Undefined where neither end is of this project: what others share is theirs to relate. */
export async function writeDependency(
  transaction: Queryable,
  context: StoreContext,
  given: NewDependency,
): Promise<DependencyRow | undefined> {
  const source = given.edgeSource ?? "inferred";
  const rows = await transaction.query<DependencyRow>(
    `insert into capability_dependency as capability_dependency
       (from_capability_id, to_capability_id, edge_type, edge_source, confidence_score, created_at, last_observed)
     select $4::uuid, $5::uuid, $6::text, $7::text, $8::float8, $9::timestamptz, $9::timestamptz
     where exists (select 1 from workflow_pattern where pattern_id in ($4::uuid, $5::uuid) and ${ownedFrom(1)})
     on conflict (from_capability_id, to_capability_id, edge_type)
       do update set ${observeEdge("capability_dependency", { by: "1" })}, last_observed = excluded.last_observed
     returning *`,
    [
      ...scopeOf(context),
      given.fromCapabilityId,
      given.toCapabilityId,
      given.edgeType,
      source,
      given.confidenceScore ?? SOURCE_CONFIDENCE[source],
      context.now(),
    ],
  );
  if (given.edgeType === "contains") await warnOfCycle(transaction, context, given);
  return rows[0];
}

/** Of all types when none is given. */
export async function updateDependency(
  context: StoreContext,
  edge: { from: string; to: string; type?: EdgeType },
  incrementBy = 1,
): Promise<void> {
  if (!Number.isInteger(checkNumber("The increment", incrementBy, { min: 1, max: 1_000_000 })))
    throw invalidInput("The increment must be a whole number.", { value: incrementBy });
  const change = observeEdge("capability_dependency", { by: "$7::int", given: "capability_dependency" });
  await changeEdges(context, edge, {
    sql: `update capability_dependency set ${change}, last_observed = $8::timestamptz`,
    parameters: [incrementBy, context.now()],
  });
}

export async function removeDependency(
  context: StoreContext,
  edge: { from: string; to: string; type?: EdgeType },
): Promise<void> {
  await changeEdges(context, edge, { sql: "delete from capability_dependency", parameters: [] });
}

async function changeEdges(
  context: StoreContext,
  edge: { from: string; to: string; type?: EdgeType },
  { sql, parameters }: { sql: string; parameters: readonly unknown[] },
): Promise<void> {
  const [from, to] = [checkId("The edge's start", edge.from), checkId("The edge's end", edge.to)];
  await context.database.transaction(async (transaction) => {
    const rows = await transaction.query(
      `${sql} where ((from_capability_id = $4 and to_capability_id = $5) or (edge_type = 'alternative' and from_capability_id = $5 and to_capability_id = $4))
         and ($6::text is null or edge_type = $6)
         and exists (select 1 from workflow_pattern where pattern_id in ($4::uuid, $5::uuid) and ${ownedFrom(1)}) returning 1 as found`,
      [...scopeOf(context), from, to, edge.type ?? null, ...parameters],
    );
    if (rows.length === 0) throw noEdge(edge);
    await announce(transaction, context, { table: "capability_dependency", id: from });
  });
}

/** An alternative holds both ways: it is found from either end, and shown as seen from there. */
export async function getDependencies(
  context: StoreContext,
  id: string,
  direction: Direction = "both",
): Promise<CapabilityDependency[]> {
  const asked = checkId("The id", id);
  if (!DIRECTIONS.includes(direction))
    throw invalidInput(`"${String(direction)}" is no direction. Directions are ${DIRECTIONS.join(", ")}.`);
  const rows = await context.database.query<DependencyRow>(
    `select d.* from capability_dependency d where ((from_capability_id = $4 and ($5 in ('from', 'both') or edge_type = 'alternative'))
       or (to_capability_id = $4 and ($5 in ('to', 'both') or edge_type = 'alternative')))
       and ${bothVisible} order by confidence_score desc, from_capability_id, to_capability_id, edge_type`,
    [...scopeOf(context), asked, direction],
  );
  return rows.map((row) => orient(readDependency(row), asked, direction));
}

/** How many each has, both ways, as `getDependencies` would give them. */
export async function listDependencyCounts(
  context: StoreContext,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await context.database.query<{ id: string; count: number }>(
    `select asked.id::text as id, count(*)::int as count from unnest($4::uuid[]) as asked (id)
       join capability_dependency d on asked.id in (d.from_capability_id, d.to_capability_id)
     where ${bothVisible} group by asked.id`,
    [...scopeOf(context), [...new Set(ids.map((id) => checkId("The id", id)))]],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

export async function getDependenciesCount(context: StoreContext, id: string): Promise<number> {
  return (await getDependencies(context, id)).length;
}

/** Active capabilities that serve the same request in another way, surest first: what to offer when this one fails. */
export async function listAlternatives(context: StoreContext, id: string): Promise<Capability[]> {
  const edges = await getDependencies(context, id, "from");
  const ids = edges.filter(({ edgeType }) => edgeType === "alternative").map(({ toCapabilityId }) => toCapabilityId);
  return listByIds(context, ids, "active");
}

export async function getAllDependencies(context: StoreContext, minConfidence = 0): Promise<CapabilityDependency[]> {
  const rows = await context.database.query<DependencyRow>(
    `select d.* from capability_dependency d where confidence_score >= $4 and ${bothVisible} order by from_capability_id, to_capability_id, edge_type`,
    [...scopeOf(context), checkNumber("The least confidence", minConfidence, { min: 0, max: 1 })],
  );
  return rows.map(readDependency);
}

export function checkDependency(given: NewDependency): NewDependency {
  const [from, to] = [
    checkId("The edge's start", given.fromCapabilityId),
    checkId("The edge's end", given.toCapabilityId),
  ];
  if (from === to) throw invalidInput("A capability cannot depend on itself.", { id: from });
  if (!EDGE_TYPES.includes(given.edgeType))
    throw invalidInput(`"${String(given.edgeType)}" is no type of edge. Types are ${EDGE_TYPES.join(", ")}.`);
  if (given.edgeSource !== undefined && !EDGE_SOURCES.includes(given.edgeSource))
    throw invalidInput(`"${String(given.edgeSource)}" is no source of an edge.`);
  if (given.confidenceScore !== undefined) checkNumber("The confidence", given.confidenceScore, { min: 0, max: 1 });
  // An alternative is one edge whichever end it is told from: two processes that tell it from both ends agree on its key.
  const turned = given.edgeType === "alternative" && from > to;
  return { ...given, fromCapabilityId: turned ? to : from, toCapabilityId: turned ? from : to };
}

/** An alternative as seen from one of its ends. */
function orient(edge: CapabilityDependency, id: string, direction: Direction): CapabilityDependency {
  const { fromCapabilityId: from, toCapabilityId: to } = edge;
  const turned = edge.edgeType === "alternative" && (direction === "to" ? to !== id : from !== id);
  return turned ? { ...edge, fromCapabilityId: to, toCapabilityId: from } : edge;
}

const visibleEnd = (column: string): string =>
  `exists (select 1 from workflow_pattern where pattern_id = d.${column} and ${visibleFrom(1)})`;
const bothVisible = `${visibleEnd("from_capability_id")} and ${visibleEnd("to_capability_id")}`;

/** Two that contain each other may both have been seen, but that is worth a look. */
async function warnOfCycle(transaction: Queryable, context: StoreContext, edge: NewDependency): Promise<void> {
  const rows = await transaction.query(
    `with recursive inside (id) as (
       select $2::uuid union select to_capability_id from capability_dependency join inside on from_capability_id = id where edge_type = 'contains')
     select 1 as found from inside where id = $1`,
    [edge.fromCapabilityId, edge.toCapabilityId],
  );
  if (rows.length > 0)
    context.warn("Capabilities contain each other in a circle.", {
      from: edge.fromCapabilityId,
      to: edge.toCapabilityId,
    });
}

function scopeOf({ scope }: StoreContext): string[] {
  return [scope.org, scope.project, scope.actor];
}

function noEdge({ from, to }: { from: string; to: string }): PmlError {
  return new PmlError("PML_NOT_FOUND", `There is no dependency from ${from} to ${to}.`, { details: { from, to } });
}

function taken({ fromCapabilityId: from, toCapabilityId: to, edgeType }: NewDependency): PmlError {
  const message = `There is a ${edgeType} from ${from} to ${to} already. Leave it, or remove it first.`;
  return new PmlError("PML_CONFLICT", message, { details: { from, to, edgeType } });
}

function foreign(ids: readonly string[]): PmlError {
  const message = "Neither capability is of this project. Relate one of your own to what others share.";
  return new PmlError("PML_NOT_FOUND", message, { details: { ids } });
}

function readDependency(row: DependencyRow): CapabilityDependency {
  return {
    fromCapabilityId: row.from_capability_id,
    toCapabilityId: row.to_capability_id,
    edgeType: row.edge_type,
    edgeSource: row.edge_source,
    observedCount: row.observed_count,
    confidenceScore: row.confidence_score,
    createdAt: row.created_at,
    lastObserved: row.last_observed,
  };
}
