import { type CandidateTool, type GraphRAGEngine, type PastPlan, suggestDag, type SuggestedDag } from "@pml/graph";

import type { NextRequest } from "./next-memory.js";
import type { Planning } from "./planner.js";
import { quote } from "./quote.js";

/** A tool that is likelier than this becomes a task. */
const LEAST_CHANCE = 0.4;
const MOST_TASKS = 8;

/** A plan by what like requests took; undefined where that says nothing. `earlier` predicts arguments, the nearest first. */
export function suggestPlan(
  engine: GraphRAGEngine,
  { tools, plans, flows }: Omit<Planning, "next">,
  { request, earlier = [] }: { request: NextRequest; earlier?: readonly PastPlan[] },
): SuggestedDag | undefined {
  if (!plans.isLike(request)) return undefined;
  const chances = plans.score(request);
  const candidates = tools.flatMap((tool, row): CandidateTool[] => {
    const score = chances[row] ?? 0;
    return score >= LEAST_CHANCE ? [{ ...tool, score }] : [];
  });
  const suggested = suggestDag(engine, {
    candidates,
    plans: earlier.map((plan) => ({ ...plan, likeness: 0 })),
    leastScore: 0,
    mostTasks: MOST_TASKS,
    infer: (ids) => flows.infer(request, ids),
  });
  if (suggested === undefined) return undefined;
  const chosen = new Set(suggested.dag.tasks.map(({ tool }) => tool));
  const [nearest] = plans.listNearest(request, 1);
  return {
    ...suggested,
    // All of it has to be right: a plan of many likely steps is less likely than each of them.
    confidence: candidates.reduce((product, { id, score }) => (chosen.has(id) ? product * score : product), 1),
    rationale: `${[...chosen].join(", ")}: requests like "${quote(nearest?.intent.text ?? "")}" took them.`,
  };
}
