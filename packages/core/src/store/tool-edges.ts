import {
  EDGE_SOURCES,
  EDGE_TYPES,
  type EdgeSource,
  type EdgeType,
  type NewToolDependency,
  SOURCE_CONFIDENCE,
  type ToolDependency,
} from "../model/dependency.js";
import { invalidInput } from "../model/error.js";
import { checkNumber } from "../model/text.js";
import { checkToolId } from "../model/tool.js";
import type { NewTrace } from "../model/trace.js";
import type { StoreContext } from "./context.js";
import type { Queryable, Row } from "./database/database.js";
import { observeEdge } from "./infer.js";
import { sortBy } from "./sort-by.js";

/** How often a tool was called, and how that went. */
export interface ToolUsage {
  toolId: string;
  calls: number;
  failures: number;
  averageDurationMs: number;
  lastUsedAt: Date;
}

interface ToolEdgeRow extends Row {
  from_tool_id: string;
  to_tool_id: string;
  edge_type: EdgeType;
  edge_source: EdgeSource;
  observed_count: number;
  confidence_score: number;
  created_at: Date;
  last_observed: Date;
}

export async function listToolDependencies(
  { database, scope }: StoreContext,
  minConfidence = 0,
): Promise<ToolDependency[]> {
  const rows = await database.query<ToolEdgeRow>(
    `select * from tool_dependency where org = $1 and project = $2 and confidence_score >= $3
     order by from_tool_id, to_tool_id, edge_type`,
    [scope.org, scope.project, checkNumber("The least confidence", minConfidence, { min: 0, max: 1 })],
  );
  return rows.map((row) => ({
    fromToolId: row.from_tool_id,
    toToolId: row.to_tool_id,
    edgeType: row.edge_type,
    edgeSource: row.edge_source,
    observedCount: row.observed_count,
    confidenceScore: row.confidence_score,
    createdAt: row.created_at,
    lastObserved: row.last_observed,
  }));
}

export async function listToolUsage({ database, scope }: StoreContext): Promise<ToolUsage[]> {
  return database.query<Row & ToolUsage>(
    `select tool_id as "toolId", calls, failures, total_duration_ms / calls as "averageDurationMs", last_used_at as "lastUsedAt"
     from tool_usage where org = $1 and project = $2 and calls > 0 order by calls desc, tool_id`,
    [scope.org, scope.project],
  );
}

/** One call of something that is no task of a run: a capability called as a tool, a tool of an adapter. */
export interface ToolUse {
  toolId: string;
  success: boolean;
  durationMs: number;
}

export async function observeToolUse(context: StoreContext, { toolId, success, durationMs }: ToolUse): Promise<void> {
  const tasks = [{ taskId: "", tool: checkToolId(toolId), success, startedAtMs: 0, durationMs }];
  const trace = { tasks, success, startedAt: context.now(), durationMs };
  await context.database.transaction((transaction) => countTools(transaction, context, trace));
}

/** Adds the calls of a trace, or with -1 takes them off again. */
export async function countTools(
  transaction: Queryable,
  { scope }: StoreContext,
  trace: Pick<NewTrace, "tasks" | "startedAt"> & { times?: 1 | -1 },
): Promise<void> {
  const rows = sumUp(trace);
  if (rows.length === 0) return;
  await transaction.query(
    `insert into tool_usage as used (org, project, tool_id, calls, failures, total_duration_ms, last_used_at)
     select $1, $2, tool, calls, failures, "durationMs", $4::timestamptz
     from json_to_recordset($3::json) as given (tool text, calls int, failures int, "durationMs" float8)
     on conflict (org, project, tool_id) do update set calls = used.calls + excluded.calls, failures = used.failures + excluded.failures,
       total_duration_ms = greatest(0, used.total_duration_ms + excluded.total_duration_ms), last_used_at = greatest(used.last_used_at, excluded.last_used_at)`,
    [scope.org, scope.project, JSON.stringify(rows), trace.startedAt],
  );
}

interface ToolSums {
  tool: string;
  calls: number;
  failures: number;
  durationMs: number;
}

function sumUp({ tasks = [], times = 1 }: Pick<NewTrace, "tasks"> & { times?: 1 | -1 }): ToolSums[] {
  const used = new Map<string, ToolSums>();
  for (const { tool, success, durationMs } of tasks) {
    const sum = used.get(tool) ?? { tool, calls: 0, failures: 0, durationMs: 0 };
    used.set(tool, {
      tool,
      calls: sum.calls + times,
      failures: sum.failures + (success ? 0 : times),
      durationMs: sum.durationMs + times * durationMs,
    });
  }
  return sortBy([...used.values()], ({ tool }) => tool);
}

/** Each is one more observation of an edge that may be there. They come sorted, as whoever else writes them does. */
export async function writeToolEdges(
  transaction: Queryable,
  { scope, now }: StoreContext,
  edges: readonly NewToolDependency[],
): Promise<void> {
  if (edges.length === 0) return;
  const rows = edges.map(({ fromToolId, toToolId, edgeType, edgeSource = "inferred", confidenceScore }) => ({
    from_id: fromToolId,
    to_id: toToolId,
    type: edgeType,
    source: edgeSource,
    confidence: confidenceScore ?? SOURCE_CONFIDENCE[edgeSource],
  }));
  await transaction.query(
    `insert into tool_dependency as tool_dependency
       (org, project, from_tool_id, to_tool_id, edge_type, edge_source, confidence_score, created_at, last_observed)
     select $1, $2, from_id, to_id, type, source, confidence, $4::timestamptz, $4::timestamptz
     from json_to_recordset($3::json) as given (from_id text, to_id text, type text, source text, confidence float8)
     on conflict (org, project, from_tool_id, to_tool_id, edge_type) do update set ${observeEdge("tool_dependency", { by: "1" })}, last_observed = excluded.last_observed`,
    [scope.org, scope.project, JSON.stringify(rows), now()],
  );
}

export function checkToolEdge(edge: NewToolDependency): NewToolDependency {
  checkToolId(edge.fromToolId);
  checkToolId(edge.toToolId);
  if (!EDGE_TYPES.includes(edge.edgeType)) throw invalidInput(`"${String(edge.edgeType)}" is no type of edge.`);
  if (edge.edgeSource !== undefined && !EDGE_SOURCES.includes(edge.edgeSource))
    throw invalidInput(`"${String(edge.edgeSource)}" is no source of an edge.`);
  if (edge.confidenceScore !== undefined) checkNumber("The confidence", edge.confidenceScore, { min: 0, max: 1 });
  return edge;
}
