import type { GraphRAGEngine } from "../engine/engine.js";
import type { ToolSchemas } from "../provides/coverage.js";
import type { Dag, DagTask } from "../reconstruct/dag.js";
import type { JsonSchema } from "../types/type-to-schema.js";
import { inferEdges, type InferredEdge } from "./infer-edges.js";

export interface CandidateTool extends ToolSchemas {
  /** How likely it is what was meant, in [0, 1], from outside. */
  readonly score: number;
  readonly examples?: readonly unknown[];
}

/** A plan that served a like intent. */
export interface PastPlan {
  readonly id: string;
  readonly likeness: number;
  readonly tasks: readonly { readonly tool: string; readonly arguments?: Readonly<Record<string, unknown>> }[];
}

export interface DagRequest {
  readonly candidates: readonly CandidateTool[];
  readonly plans?: readonly PastPlan[];
  readonly mostTasks?: number;
  /** A tool has to be this likely to become a task. */
  readonly leastScore?: number;
  /** When each tool is thought to come, from outside: by where the request speaks of it, say. */
  readonly order?: ReadonlyMap<string, number>;
  /** Who feeds whom among the chosen tools, from outside, without circles; by default `inferEdges` says so. */
  readonly infer?: (tools: readonly string[]) => readonly InferredEdge[];
}

export interface ToolSchema {
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly requiredInputs: readonly string[];
  readonly optionalInputs: readonly string[];
  readonly outputSchema?: JsonSchema;
  readonly examples?: readonly unknown[];
}

export interface SuggestedDag {
  readonly dag: Dag;
  readonly confidence: number;
  readonly rationale: string;
  readonly dependencyPaths: readonly { readonly from: string; readonly to: string; readonly explanation: string }[];
  /** Tools that were likely too. */
  readonly alternatives: readonly string[];
  readonly toolSchemas: Readonly<Record<string, ToolSchema>>;
}

const DEFAULT_MOST_TASKS = 5;
const DEFAULT_LEAST_SCORE = 0.5;
const PLAN_COUNTS = 0.6;
const MOST_ALTERNATIVES = 3;

/** A plan for an intent: the tools that are likely by themselves or by like plans, and who feeds whom. Undefined if none is. */
export function suggestDag(engine: GraphRAGEngine, request: DagRequest): SuggestedDag | undefined {
  const { candidates, plans = [], mostTasks = DEFAULT_MOST_TASKS, leastScore = DEFAULT_LEAST_SCORE } = request;
  const ranked = candidates
    .map((tool) => ({ ...tool, score: combine(tool, plans) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const chosen = ranked.filter(({ score }) => score >= leastScore).slice(0, mostTasks);
  if (chosen.length === 0) return undefined;
  const edges =
    request.infer?.(chosen.map(({ id }) => id)) ??
    inferEdges(chosen, { engine, ...(request.order && { order: request.order }) });
  const ordered = orderByFlow(chosen, edges);
  return {
    dag: { tasks: buildTasks(ordered, edges, plans) },
    confidence: chosen.reduce((sum, { score }) => sum + score, 0) / chosen.length,
    rationale: describe(chosen, plans),
    dependencyPaths: edges.map(({ from, to, explanation }) => ({ from, to, explanation })),
    alternatives: ranked
      .filter((tool) => !chosen.includes(tool))
      .slice(0, MOST_ALTERNATIVES)
      .map(({ id }) => id),
    toolSchemas: Object.fromEntries(ordered.map((tool) => [tool.id, describeSchema(tool)])),
  };
}

/** Its own likeness, and how many of the like plans used it, by their likeness. */
function combine({ id, score }: CandidateTool, plans: readonly PastPlan[]): number {
  const total = plans.reduce((sum, { likeness }) => sum + likeness, 0);
  if (total === 0) return score;
  const using = plans.filter(({ tasks }) => tasks.some(({ tool }) => tool === id));
  return (1 - PLAN_COUNTS) * score + PLAN_COUNTS * (using.reduce((sum, { likeness }) => sum + likeness, 0) / total);
}

/** Sources first; among those that are ready, the likeliest. The edges have no circle. */
function orderByFlow(tools: readonly CandidateTool[], edges: readonly InferredEdge[]): CandidateTool[] {
  const ordered: CandidateTool[] = [];
  const waiting = [...tools];
  while (waiting.length > 0) {
    const ready = waiting.findIndex(
      ({ id }) => !edges.some(({ from, to }) => to === id && waiting.some((tool) => tool.id === from)),
    );
    ordered.push(...waiting.splice(Math.max(0, ready), 1));
  }
  return ordered;
}

function buildTasks(
  tools: readonly CandidateTool[],
  edges: readonly InferredEdge[],
  plans: readonly PastPlan[],
): DagTask[] {
  const ids = new Map(tools.map(({ id }, at) => [id, `t${at + 1}`]));
  return tools.map(({ id }) => {
    const incoming = edges.filter(({ to }) => to === id);
    const references = incoming.flatMap(({ from, fieldMapping }) =>
      fieldMapping.map(
        ({ fromField, toField }) => [toField, { $from: ids.get(from), path: readPath(fromField) }] as const,
      ),
    );
    const type = id.startsWith("capability:") ? "capability" : "mcp_tool";
    const dependsOn = [...new Set(incoming.map(({ from }) => ids.get(from) ?? ""))].sort();
    const args = { ...predictArguments(id, plans), ...Object.fromEntries(references) };
    return { id: ids.get(id) ?? "", tool: id, type, arguments: args, dependsOn, sideEffects: true, metadata: {} };
  });
}

/** As the plan most like this one had them; what it took from other tasks there means nothing here. */
function predictArguments(tool: string, plans: readonly PastPlan[]): Record<string, unknown> {
  const best = [...plans].sort((a, b) => b.likeness - a.likeness);
  const task = best.flatMap(({ tasks }) => tasks).find((each) => each.tool === tool && each.arguments !== undefined);
  const entries = Object.entries(task?.arguments ?? {});
  return Object.fromEntries(entries.filter(([, value]) => !JSON.stringify(value ?? null).includes('"$from"')));
}

/** `results[].id` is the `id` of the first of the results. */
function readPath(field: string): (string | number)[] {
  return field.split(/\.|(?=\[\])/).map((part) => (part === "[]" ? 0 : part));
}

function describe(chosen: readonly CandidateTool[], plans: readonly PastPlan[]): string {
  const tools = chosen.map(({ id }) => id).join(", ");
  const like = plans.filter(({ tasks }) => tasks.some(({ tool }) => chosen.some(({ id }) => id === tool))).length;
  return `${tools}: likely for this request${like === 0 ? "" : `, and used by ${like} earlier plans for requests like it`}.`;
}

function describeSchema({ description, inputSchema = {}, outputSchema, examples }: CandidateTool): ToolSchema {
  const properties = Object.keys((inputSchema["properties"] as object | undefined) ?? {});
  const required = Array.isArray(inputSchema["required"]) ? (inputSchema["required"] as string[]) : [];
  return {
    ...(description === undefined ? {} : { description }),
    inputSchema,
    requiredInputs: required,
    optionalInputs: properties.filter((name) => !required.includes(name)),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(examples === undefined ? {} : { examples }),
  };
}
