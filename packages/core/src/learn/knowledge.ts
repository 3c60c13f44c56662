import {
  type ContextKey,
  createThresholds,
  type EdgeType,
  type EdgeSource,
  type Fact,
  GraphRAGEngine,
  type LearnedType,
  type StoredEdge,
  type ThresholdOptions,
  type ThresholdOutcome,
  type Thresholds,
  type ThresholdSnapshot,
} from "@pml/graph";

import type { StoreContext } from "../store/context.js";
import type { Queryable, Row } from "../store/database/database.js";
import type { TraceRow } from "../store/forget/trace-row.js";
import { listSources } from "../store/learned-sources.js";
import { findLearnedState, putLearnedState, removeLearnedState } from "../store/learned-state.js";
import { listPaths, listShapes } from "../store/learned.js";
import type { Rested } from "../store/origins.js";
import { nodeOf } from "./lesson.js";
import { listRecentCalls } from "./recent-calls.js";

/** What one project has learned, in memory: its graph, and the thresholds its outcomes set. */
export interface Knowledge {
  readonly graph: GraphRAGEngine;
  /** Replaced with every outcome, by those that all processes have counted. */
  thresholds: Thresholds;
  readonly thresholdOptions: Partial<ThresholdOptions>;
}

/** Under this they are stored, and known as learned. */
export const THRESHOLDS = { kind: "adaptive_threshold", key: "all" } as const;

/** What the outcomes of automatic runs are counted for. */
export const SPECULATION = ["speculation"] as const;

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

async function loadThresholds(
  context: Pick<StoreContext, "scope"> & { database: Queryable },
  options: Partial<ThresholdOptions>,
): Promise<Thresholds> {
  const snapshot = (await findLearnedState(context, THRESHOLDS)) as ThresholdSnapshot | undefined;
  return createThresholds({ ...options, ...(snapshot !== undefined && { snapshot }) });
}

/**
 * Counts how a decision turned out beside all that was counted before, by other processes too: they take turns. Gives the
 * thresholds that hold once the transaction has ended.
 */
export async function countOutcome(
  context: Pick<StoreContext, "scope" | "now"> & { database: Queryable },
  { thresholdOptions }: Knowledge,
  { of, ...outcome }: { of: ContextKey } & ThresholdOutcome,
): Promise<Thresholds> {
  await lockThresholds(context);
  const thresholds = await loadThresholds(context, thresholdOptions);
  thresholds.observe(of, outcome);
  await putLearnedState(context, THRESHOLDS, thresholds.snapshot());
  return thresholds;
}

/** Takes back how a run that is forgotten turned out. That it was wrong was said once; anything else said it was right. */
export async function retractOutcomes(
  context: Pick<StoreContext, "scope" | "now"> & { database: Queryable },
  { thresholdOptions }: Knowledge,
  { trace, rested }: { trace: Pick<TraceRow, "match_score" | "feedback">; rested: readonly Rested[] },
): Promise<void> {
  const times = rested.find(({ kind, key }) => kind === THRESHOLDS.kind && key === THRESHOLDS.key)?.times ?? 0;
  if (times === 0 || trace.match_score === null) return;
  await lockThresholds(context);
  const thresholds = await loadThresholds(context, thresholdOptions);
  const wrong = trace.feedback?.ok === false ? 1 : 0;
  for (let said = 0; said < times; said++)
    thresholds.retract(SPECULATION, { score: trace.match_score, wrong: said < wrong });
  const snapshot = thresholds.snapshot();
  await (snapshot.contexts.length === 0
    ? removeLearnedState(context, THRESHOLDS)
    : putLearnedState(context, THRESHOLDS, snapshot));
}

async function lockThresholds({
  database,
  scope,
}: Pick<StoreContext, "scope"> & { database: Queryable }): Promise<void> {
  const place = `${scope.org}\n${scope.project}`;
  await database.query("select pg_advisory_xact_lock(hashtextextended($1, 7163554))", [place]);
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
