import { type GraphRAGEngine, suggest, type Suggestion } from "@pml/graph";

import type { NextRequest } from "./next-memory.js";
import type { Planning } from "./planner.js";
import { quote } from "./quote.js";

/** What was used so far, for which request, and what is known of the past; the graph alone speaks where that is nothing. */
export interface Use {
  readonly used: readonly string[];
  readonly request?: NextRequest | undefined;
  readonly planning?: Planning | undefined;
  readonly limit: number;
}

/** Less likely than this is not worth a line. */
const LEAST_CHANCE = 0.1;
const MOST_NEXT = 5;
const LOOKED_AT = 20;

/** What goes with what is in use: by the graph, and, where like requests were served, what came next then. */
export function suggestRelated(engine: GraphRAGEngine, { used, request, planning, limit }: Use): Suggestion[] {
  const found = suggest(engine, used, { limit });
  if (planning === undefined || request === undefined || !planning.plans.isLike(request)) return found;
  const learned = listNext(planning, request, used);
  if (learned.length === 0) return found;
  const ids = new Set(learned.map(({ id }) => id));
  return [...learned, ...found.filter(({ id, kind }) => kind !== "next_tool" && !ids.has(id))]
    .sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

function listNext({ next, plans }: Planning, request: NextRequest, used: readonly string[]): Suggestion[] {
  const likely = next
    .rank(request, used)
    .filter(({ id, chance }) => chance >= LEAST_CHANCE && !used.includes(id))
    .slice(0, MOST_NEXT);
  if (likely.length === 0) return [];
  const near = plans.listNearest(request, LOOKED_AT).map(({ intent }) => intent);
  const last = used.at(-1);
  return likely.map(({ id, chance }) => {
    const like = near.find(({ candidateIds }) => candidateIds.includes(id) && candidateIds.includes(last ?? ""));
    const why =
      like === undefined ? "Requests like this one took it." : `With ${last}, it served "${quote(like.text)}".`;
    return { kind: "next_tool", id, reason: why, confidence: chance };
  });
}
