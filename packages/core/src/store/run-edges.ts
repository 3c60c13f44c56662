import { type NewDependency, type NewToolDependency, SOURCE_CONFIDENCE } from "../model/dependency.js";
import type { StoreContext } from "./context.js";
import type { Queryable } from "./database/database.js";
import { observeEdge } from "./infer.js";

interface EdgeInput {
  from: string;
  to: string;
  type: string;
  source: string;
  confidence: number;
}

const GIVEN =
  'json_to_recordset($1::json) as given ("from" text, "to" text, type text, source text, confidence float8)';

export function keyOfEdge(from: string, to: string, type: string): string {
  return `${from}|${to}|${type}`;
}

/** Each is one more observation of an edge that may be there. */
export async function writeToolEdges(
  transaction: Queryable,
  { scope, now }: StoreContext,
  edges: readonly NewToolDependency[],
): Promise<void> {
  const rows = edges.map((edge) => describeEdge(edge, edge.fromToolId, edge.toToolId));
  await transaction.query(
    `insert into tool_dependency as tool_dependency
       (org, project, from_tool_id, to_tool_id, edge_type, edge_source, confidence_score, created_at, last_observed)
     select $2, $3, given."from", given."to", type, source, confidence, $4::timestamptz, $4::timestamptz from ${GIVEN}
     on conflict (org, project, from_tool_id, to_tool_id, edge_type) do update set ${observeEdge("tool_dependency", "1")}, last_observed = excluded.last_observed`,
    [inOrder(rows), scope.org, scope.project, now()],
  );
}

export async function writeCapabilityEdges(
  transaction: Queryable,
  { now }: StoreContext,
  edges: readonly NewDependency[],
): Promise<void> {
  const rows = edges.map((edge) => describeEdge(edge, edge.fromCapabilityId, edge.toCapabilityId));
  await transaction.query(
    `insert into capability_dependency as capability_dependency
       (from_capability_id, to_capability_id, edge_type, edge_source, confidence_score, created_at, last_observed)
     select given."from"::uuid, given."to"::uuid, type, source, confidence, $2::timestamptz, $2::timestamptz from ${GIVEN}
     on conflict (from_capability_id, to_capability_id, edge_type) do update set ${observeEdge("capability_dependency", "1")}, last_observed = excluded.last_observed`,
    [inOrder(rows), now()],
  );
}

function describeEdge(edge: NewToolDependency | NewDependency, from: string, to: string): EdgeInput {
  const source = edge.edgeSource ?? "inferred";
  return { from, to, type: edge.edgeType, source, confidence: edge.confidenceScore ?? SOURCE_CONFIDENCE[source] };
}

/** Each once: a statement may touch a row one time. In one order, so that two runs never wait for each other in a ring. */
function inOrder(rows: readonly EdgeInput[]): string {
  const unique = new Map(rows.map((row) => [keyOfEdge(row.from, row.to, row.type), row]));
  return JSON.stringify([...unique.keys()].sort().map((key) => unique.get(key)));
}
