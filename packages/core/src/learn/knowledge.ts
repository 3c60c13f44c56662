import {
  type EdgeType,
  type EdgeSource,
  type Fact,
  GraphRAGEngine,
  type LearnedType,
  type StoredEdge,
  type ThresholdOptions,
  type Thresholds,
} from "@pml/graph";

import type { StoreContext } from "../store/context.js";
import type { Row } from "../store/database/database.js";
import { listSources } from "../store/learned-sources.js";
import { listPaths, listShapes } from "../store/learned.js";
import { nodeOf } from "./lesson.js";
import { loadThresholds } from "./outcomes.js";
import { listRecentCalls } from "./recent-calls.js";

/** What one project has learned, in memory: its graph, and the thresholds its outcomes set. */
export interface Knowledge {
  readonly graph: GraphRAGEngine;
  /** Replaced with every outcome, by those that all processes have counted. */
  thresholds: Thresholds;
  readonly thresholdOptions: Partial<ThresholdOptions>;
}

/** Everything of a project that was learned before, from the store. */
export async function loadKnowledge(
  context: StoreContext,
  options: Partial<ThresholdOptions> = {},
): Promise<Knowledge> {
  const graph = new GraphRAGEngine();
  graph.load([...(await listToolEdges(context)), ...(await listCapabilityEdges(context))]);
  graph.observe(await listSpans(context));
  graph.observe(await listRecentCalls(context));
  for (const { nodes, times } of await listPaths(context)) graph.paths.observe(nodes, times);
  for (const { tool, type, times } of await listShapes(context)) graph.types.observe(tool, type as LearnedType, times);
  for (const { subject, source, runs } of await listSources(context)) graph.sources.observe(subject, source, runs);
  return { graph, thresholds: await loadThresholds(context, options), thresholdOptions: options };
}

interface EdgeRow extends Row {
  from: string;
  to: string;
  edge_type: EdgeType;
  edge_source: EdgeSource;
  confidence_score: number;
  observed_count: number;
}

async function listToolEdges({ database, scope }: StoreContext): Promise<StoredEdge[]> {
  const rows = await database.query<EdgeRow>(
    `select from_tool_id as "from", to_tool_id as "to", edge_type, edge_source, confidence_score, observed_count
     from tool_dependency where org = $1 and project = $2`,
    [scope.org, scope.project],
  );
  return rows.map(readEdge);
}

async function listCapabilityEdges({ database, scope }: StoreContext): Promise<StoredEdge[]> {
  const rows = await database.query<EdgeRow>(
    `select d.from_capability_id as "from", d.to_capability_id as "to", d.edge_type, d.edge_source, d.confidence_score, d.observed_count
     from capability_dependency d join workflow_pattern on pattern_id = d.from_capability_id where org = $1 and project = $2`,
    [scope.org, scope.project],
  );
  return rows.map((row) => readEdge({ ...row, from: nodeOf(row.from), to: nodeOf(row.to) }));
}

/** A capability spans its tools, and how its runs went. */
async function listSpans({ database, scope }: StoreContext): Promise<Fact[]> {
  const rows = await database.query<Row & { pattern_id: string; tools_used: string[] }>(
    "select pattern_id, tools_used from workflow_pattern where org = $1 and project = $2 and status <> 'draft'",
    [scope.org, scope.project],
  );
  return rows.flatMap(({ pattern_id, tools_used }) => spanFacts(pattern_id, tools_used));
}

/** The facts that a capability is there and uses these tools. */
export function spanFacts(capabilityId: string, tools: readonly string[]): Fact[] {
  const from = nodeOf(capabilityId);
  const edges = tools.map((to): Fact => ({ kind: "edge", from, to, type: "contains", source: "inferred" }));
  return [{ kind: "node", id: from }, ...edges];
}

function readEdge(row: EdgeRow): StoredEdge {
  return {
    from: row.from,
    to: row.to,
    type: row.edge_type,
    source: row.edge_source,
    confidence: row.confidence_score,
    observations: row.observed_count,
  };
}
