import type { GraphRAGEngine } from "../engine/engine.js";
import { type FieldMapping, computeCoverage, type ToolSchemas } from "../provides/coverage.js";

/** Data that is thought to go from one step to another, and why. */
export interface InferredEdge {
  readonly from: string;
  readonly to: string;
  /** In [0, 1]. */
  readonly score: number;
  readonly explanation: string;
  readonly fieldMapping: readonly FieldMapping[];
}

export interface InferOptions {
  readonly engine?: GraphRAGEngine;
  /** Schemas alone have to be this sure. */
  readonly leastScore?: number;
}

const DEFAULT_LEAST_SCORE = 0.5;
const OBSERVED_COUNTS = 0.6;

/** Between the given tools, who feeds whom: seen in runs, or fitting by schema. Never a circle. */
export function inferEdges(tools: readonly ToolSchemas[], options: InferOptions = {}): InferredEdge[] {
  const { engine, leastScore = DEFAULT_LEAST_SCORE } = options;
  const found = tools.flatMap((from) =>
    tools.flatMap((to) => (from.id === to.id ? [] : (inferEdge(from, to, engine) ?? []))),
  );
  const sure = found.filter(({ score }) => score >= leastScore).sort((a, b) => b.score - a.score || compare(a, b));
  return withoutCircles(sure);
}

function inferEdge(from: ToolSchemas, to: ToolSchemas, engine: GraphRAGEngine | undefined): InferredEdge | undefined {
  const fits = computeCoverage(from, to);
  const seen = engine?.findEdgeData(from.id, to.id, "dependency");
  if (fits === undefined && seen === undefined) return undefined;
  const score = Math.min(1, (fits?.score ?? 0) + (seen === undefined ? 0 : OBSERVED_COUNTS * seen.weight));
  const best = [...(fits?.fieldMapping ?? [])].sort((a, b) => b.score - a.score)[0];
  const why = [
    ...(seen === undefined ? [] : [`in ${seen.observations} earlier runs it took its data from there`]),
    ...(best === undefined ? [] : [best.reason]),
  ];
  return { from: from.id, to: to.id, score, explanation: why.join("; "), fieldMapping: fits?.fieldMapping ?? [] };
}

/** The surest first; an edge that would close a circle with surer ones is left out. */
function withoutCircles(edges: readonly InferredEdge[]): InferredEdge[] {
  const next = new Map<string, string[]>();
  return edges.filter(({ from, to }) => {
    if (reaches(next, to, from)) return false;
    next.set(from, [...(next.get(from) ?? []), to]);
    return true;
  });
}

function reaches(next: ReadonlyMap<string, readonly string[]>, start: string, goal: string): boolean {
  const seen = new Set([start]);
  for (const id of seen) for (const each of next.get(id) ?? []) seen.add(each);
  return seen.has(goal);
}

function compare(a: InferredEdge, b: InferredEdge): number {
  return a.from === b.from ? (a.to < b.to ? -1 : 1) : a.from < b.from ? -1 : 1;
}
