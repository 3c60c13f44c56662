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
import { visibleFrom } from "./capability-row.js";
import { announce } from "./changes.js";
import type { StoreContext } from "./context.js";
import type { Queryable, Row } from "./database/database.js";
import { observeEdge } from "./infer.js";

export type Direction = "from" | "to" | "both";

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

/** Stored once; adding it again is one more observation. */
export async function addDependency(context: StoreContext, given: NewDependency): Promise<CapabilityDependency> {
  const checked = checkDependency(given);
  const ends = [checked.fromCapabilityId, checked.toCapabilityId];
  const known = await listByIds(context, ends);
  const missing = ends.find((id) => !known.some((capability) => capability.id === id));
  if (missing !== undefined)
    throw new PmlError("PML_NOT_FOUND", `There is no capability ${missing}.`, { details: { id: missing } });
  const row = await context.database.transaction(async (transaction) => {
    const written = await writeDependency(transaction, context, checked);
    if (checked.edgeType === "contains") await warnOfCycle(transaction, context, checked);
    await announce(transaction, context, { table: "capability_dependency", id: checked.fromCapabilityId });
    return written;
  });
  return readDependency(row);
}

export async function writeDependency(
  transaction: Queryable,
  context: StoreContext,
  given: NewDependency,
): Promise<DependencyRow> {
  const source = given.edgeSource ?? "inferred";
  const rows = await transaction.query<DependencyRow>(
    `insert into capability_dependency as capability_dependency
       (from_capability_id, to_capability_id, edge_type, edge_source, confidence_score, created_at, last_observed)
     values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (from_capability_id, to_capability_id, edge_type) do update set ${observeEdge("capability_dependency", "1")}, last_observed = excluded.last_observed
     returning *`,
    [
      given.fromCapabilityId,
      given.toCapabilityId,
      given.edgeType,
      source,
      given.confidenceScore ?? SOURCE_CONFIDENCE[source],
      context.now(),
    ],
  );
  return rows[0] as DependencyRow;
}

/** Of all types when none is given. */
export async function updateDependency(
  context: StoreContext,
  edge: { from: string; to: string; type?: EdgeType },
  incrementBy = 1,
): Promise<void> {
  checkNumber("The increment", incrementBy, { min: 1, max: 1_000_000 });
  const rows = await context.database.query(
    `update capability_dependency set ${observeEdge("capability_dependency", "$4::int")}, last_observed = $5
     where from_capability_id = $1 and to_capability_id = $2 and ($3::text is null or edge_type = $3)
       and exists (select 1 from workflow_pattern where pattern_id = $1 and ${visibleFrom(6)}) returning 1 as found`,
    [...ends(edge), incrementBy, context.now(), ...scopeOf(context)],
  );
  if (rows.length === 0) throw noEdge(edge);
}

export async function removeDependency(
  context: StoreContext,
  edge: { from: string; to: string; type?: EdgeType },
): Promise<void> {
  const rows = await context.database.query(
    `delete from capability_dependency where from_capability_id = $1 and to_capability_id = $2 and ($3::text is null or edge_type = $3)
       and exists (select 1 from workflow_pattern where pattern_id = $1 and ${visibleFrom(4)}) returning 1 as found`,
    [...ends(edge), ...scopeOf(context)],
  );
  if (rows.length === 0) throw noEdge(edge);
}

export async function getDependencies(
  context: StoreContext,
  id: string,
  direction: Direction = "both",
): Promise<CapabilityDependency[]> {
  const rows = await context.database.query<DependencyRow>(
    `select d.* from capability_dependency d where ((from_capability_id = $4 and $5 in ('from', 'both')) or (to_capability_id = $4 and $5 in ('to', 'both')))
       and ${bothVisible} order by confidence_score desc, from_capability_id, to_capability_id, edge_type`,
    [...scopeOf(context), checkId("The id", id), direction],
  );
  return rows.map(readDependency);
}

/** Active capabilities for the same request by other means, the surest first. The edge is stored once and read both ways. */
export async function listAlternatives(
  context: StoreContext,
  id: string,
): Promise<{ capability: Capability; confidence: number }[]> {
  const edges = (await getDependencies(context, id)).filter(({ edgeType }) => edgeType === "alternative");
  const confidence = new Map(
    edges.map((edge) => [
      edge.fromCapabilityId === id ? edge.toCapabilityId : edge.fromCapabilityId,
      edge.confidenceScore,
    ]),
  );
  const capabilities = await listByIds(context, [...confidence.keys()], "active");
  return capabilities.map((capability) => ({ capability, confidence: confidence.get(capability.id) ?? 0 }));
}

export async function getDependenciesCount(context: StoreContext, id: string): Promise<number> {
  return (await getDependencies(context, id)).length;
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
  return { ...given, fromCapabilityId: from, toCapabilityId: to };
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

function ends({ from, to, type }: { from: string; to: string; type?: EdgeType }): unknown[] {
  return [checkId("The edge's start", from), checkId("The edge's end", to), type ?? null];
}

function scopeOf({ scope }: StoreContext): string[] {
  return [scope.org, scope.project, scope.actor];
}

function noEdge({ from, to }: { from: string; to: string }): PmlError {
  return new PmlError("PML_NOT_FOUND", `There is no dependency from ${from} to ${to}.`, { details: { from, to } });
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
