import type { GraphRAGEngine } from "../engine/engine.js";
import { type FieldMapping, computeCoverage, type ToolSchemas } from "../provides/coverage.js";
import { roleOf } from "../provides/tool-role.js";

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
  /** When each tool is thought to come, from outside: by where a request speaks of it, say. Equal means unknown. */
  readonly order?: ReadonlyMap<string, number>;
}

const DEFAULT_LEAST_SCORE = 0.5;
const OBSERVED_COUNTS = 0.6;
const WITH_ROLES = 1.2;
const AGAINST_ROLES = 0.45;
/** Data seldom flows against the order of a request; of several sources, the one spoken of last is the likeliest. */
const AGAINST_ORDER = 0.6;
const PER_STEP_APART = 0.03;
const UNKNOWN_SCORE = 0.4;
/** Seen once, and never the other way round. */
const LEAST_SEEN = 0.5;

/** Between the given tools, who feeds whom: seen in runs, or fitting by schema. Never a circle. */
export function inferEdges(tools: readonly ToolSchemas[], options: InferOptions = {}): InferredEdge[] {
  const { leastScore = DEFAULT_LEAST_SCORE, order } = options;
  const found = tools.flatMap((from) =>
    tools.flatMap((to) => (from.id === to.id ? [] : (inferEdge(from, to, options.engine) ?? []))),
  );
  const sure = found.filter(({ score, fieldMapping }) => score >= (fieldMapping.length > 0 ? leastScore : LEAST_SEEN));
  const ranked = sure.map((edge) => ({ edge, rank: edge.score * weighOrder(edge, order) }));
  ranked.sort((a, b) => b.rank - a.rank || compare(a.edge, b.edge));
  const edges = ranked.map(({ edge }) => edge);
  // Without an order, sources that fit alike are told apart by nothing.
  const flow = withoutCircles(order === undefined ? edges : withOneSource(edges));
  return order === undefined ? flow : withRequestOrder(withoutShortcuts(flow), tools, order);
}

/** What was seen to flow from a to c is mostly what flowed through b, where b stands between the two. */
function withoutShortcuts(edges: readonly InferredEdge[]): InferredEdge[] {
  return edges.filter((edge) => {
    if (edge.fieldMapping.length > 0) return true;
    const others = edges.filter((other) => other !== edge);
    const next = new Map<string, string[]>();
    for (const { from, to } of others) next.set(from, [...(next.get(from) ?? []), to]);
    return !reaches(next, edge.from, edge.to);
  });
}

/** Tools of which nothing is known, neither schemas nor runs, keep the order of the request. */
function withRequestOrder(
  edges: readonly InferredEdge[],
  tools: readonly ToolSchemas[],
  order: ReadonlyMap<string, number>,
): InferredEdge[] {
  const blank = tools.filter(
    ({ inputSchema, outputSchema }) => inputSchema === undefined && outputSchema === undefined,
  );
  const known = new Map(edges.map(({ from, to }) => [to, from]));
  const sorted = [...blank].sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  const added = sorted.flatMap(({ id: to }, at): InferredEdge[] => {
    const from = sorted[at - 1]?.id;
    if (from === undefined || known.has(to)) return [];
    return [{ from, to, score: UNKNOWN_SCORE, explanation: "the request speaks of it next", fieldMapping: [] }];
  });
  return withoutCircles([...edges, ...added]);
}

function weighOrder({ from, to }: InferredEdge, order: ReadonlyMap<string, number> | undefined): number {
  const [first, second] = [order?.get(from), order?.get(to)];
  if (first === undefined || second === undefined) return 1;
  const near = Math.max(0.5, 1 - PER_STEP_APART * Math.abs(second - first));
  return near * (first > second ? AGAINST_ORDER : 1);
}

/** An input takes its data from one place: the surest that is left. What was seen in runs needs no input to show for it. */
function withOneSource(edges: readonly InferredEdge[]): InferredEdge[] {
  const filled = new Set<string>();
  return edges.filter(({ to, fieldMapping }) => {
    const inputs = fieldMapping.map(({ toField }) => JSON.stringify([to, toField]));
    const open = inputs.filter((input) => !filled.has(input));
    for (const input of open) filled.add(input);
    return inputs.length === 0 || open.length > 0;
  });
}

function inferEdge(from: ToolSchemas, to: ToolSchemas, engine: GraphRAGEngine | undefined): InferredEdge | undefined {
  const fits = computeCoverage(from, to);
  const seen = engine?.findEdgeData(from.id, to.id, "dependency");
  if (fits === undefined && seen === undefined) return undefined;
  const back = engine?.findEdgeData(to.id, from.id, "dependency");
  const share = (seen?.observations ?? 0) / ((seen?.observations ?? 0) + (back?.observations ?? 0) + 1);
  // Where no schema speaks, having been seen to is all there is to go by.
  const score = fits ? Math.min(1, fits.score * weighRoles(from, to) + OBSERVED_COUNTS * share) : share;
  const best = [...(fits?.fieldMapping ?? [])].sort((a, b) => b.score - a.score)[0];
  const why = [
    ...(seen === undefined ? [] : [`in ${seen.observations} earlier runs it took its data from there`]),
    ...(best === undefined ? [] : [best.reason]),
  ];
  return { from: from.id, to: to.id, score, explanation: why.join("; "), fieldMapping: fits?.fieldMapping ?? [] };
}

/** What is found is acted on; rarely does an action bring in what a search needs. */
function weighRoles(from: ToolSchemas, to: ToolSchemas): number {
  const roles = [roleOf(from.id), roleOf(to.id)];
  if (roles[0] === "acts" && roles[1] === "finds") return AGAINST_ROLES;
  return roles[0] === "finds" && roles[1] === "acts" ? WITH_ROLES : 1;
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
