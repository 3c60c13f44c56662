import type { GraphRAGEngine } from "../engine/engine.js";
import { countFollowed } from "../next/predict-next.js";
import { CAPABILITY_PREFIX, kindOfNode } from "../node.js";

export interface Suggestion {
  readonly kind: "capability" | "tool" | "next_tool";
  readonly id: string;
  /** For a person: why this, and not another. */
  readonly reason: string;
  /** In [0, 1]. */
  readonly confidence: number;
}

export interface SuggestOptions {
  readonly limit?: number;
}

export const DEFAULT_SUGGEST_OPTIONS: Required<SuggestOptions> = { limit: 5 };

/** Half of the confidence in a relation is reached at this Adamic–Adar score. */
const ADAMIC_ADAR_HALF = 1;
const PER_TOOL = 5;
/** A capability that only shares the community, not a tool, is a weaker hint. */
const COMMUNITY_COUNTS = 0.5;

/** What goes with the tools in use: capabilities of their community, related tools, and what usually comes next. */
export function suggest(engine: GraphRAGEngine, inUse: readonly string[], options: SuggestOptions = {}): Suggestion[] {
  const { limit } = { ...DEFAULT_SUGGEST_OPTIONS, ...options };
  const steps = inUse.filter((id) => kindOfNode(id) !== "operation");
  const known = [...new Set(steps)].filter((id) => engine.hasNode(id));
  const found = [
    ...suggestNext(engine, steps),
    ...suggestCapabilities(engine, known),
    ...suggestRelated(engine, known),
  ];
  const best = new Map<string, Suggestion>();
  for (const each of found) {
    if (inUse.includes(each.id)) continue;
    if (each.confidence > (best.get(each.id)?.confidence ?? 0)) best.set(each.id, each);
  }
  return [...best.values()].sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1)).slice(0, limit);
}

/** Only what did follow: what is merely usual has nothing to do with the tools in use. */
function suggestNext(engine: GraphRAGEngine, inUse: readonly string[]): Suggestion[] {
  if (inUse.length === 0) return [];
  const [last] = inUse.slice(-1);
  return [...countFollowed(engine.paths, inUse).followed]
    .filter(([id]) => kindOfNode(id) !== "operation")
    .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
    .slice(0, PER_TOOL)
    .map(([id, confidence]) => ({
      kind: kindOfNode(id) === "capability" ? "capability" : "next_tool",
      id,
      reason: `It often follows ${last}.`,
      confidence: Math.min(1, confidence),
    }));
}

/** Those that span a tool in use, then those that span another tool of its community. */
function suggestCapabilities(engine: GraphRAGEngine, known: readonly string[]): Suggestion[] {
  const tools = known.filter((id) => kindOfNode(id) === "tool");
  const direct = new Map<string, string[]>();
  for (const tool of tools)
    for (const id of engine.listSpanning(tool)) direct.set(id, [...(direct.get(id) ?? []), tool]);
  const suggestions = [...direct].map(([id, shared]): Suggestion => {
    const confidence = reliability(engine, id) * (shared.length / tools.length);
    return { kind: "capability", id, reason: `It uses ${joinNames(shared)} too.`, confidence };
  });
  return [...suggestions, ...tools.flatMap((tool) => suggestFromCommunity(engine, tool, direct))];
}

function suggestFromCommunity(
  engine: GraphRAGEngine,
  tool: string,
  direct: ReadonlyMap<string, unknown>,
): Suggestion[] {
  const members =
    engine
      .peekCommunity(tool)
      ?.members.filter((id) => id !== tool)
      .slice(0, PER_TOOL) ?? [];
  return members.flatMap((member) =>
    engine
      .listSpanning(member)
      .filter((id) => !direct.has(id))
      .slice(0, PER_TOOL)
      .map((id): Suggestion => {
        const reason = `It uses ${member}, which belongs with ${tool}.`;
        return { kind: "capability", id, reason, confidence: COMMUNITY_COUNTS * reliability(engine, id) };
      }),
  );
}

/** Expected success under a uniform prior, so that one lucky run never reads as certainty. */
function reliability(engine: GraphRAGEngine, id: string): number {
  const { successes, failures } = engine.getNode(id);
  return (successes + 1) / (successes + failures + 2);
}

function suggestRelated(engine: GraphRAGEngine, known: readonly string[]): Suggestion[] {
  return known.flatMap((tool) =>
    engine
      .computeAdamicAdar(tool, PER_TOOL)
      .filter(({ id }) => kindOfNode(id) === "tool")
      .map(({ id, score, through }): Suggestion => {
        const where = through.startsWith(CAPABILITY_PREFIX) ? "in the same capabilities" : `around ${through}`;
        const confidence = score / (score + ADAMIC_ADAR_HALF) / 2;
        return { kind: "tool", id, reason: `It and ${tool} are used ${where}.`, confidence };
      }),
  );
}

function joinNames(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
