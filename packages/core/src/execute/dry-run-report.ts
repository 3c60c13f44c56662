import { keyOf, type Way } from "./dry-run-explore.js";
import { isDecision, type Placed } from "./dry-run-places.js";
import type { Rehearsal } from "./rehearse.js";

export interface DecisionCoverage {
  place: string;
  kind: string;
  condition: string;
  line: number;
  outcomes: { outcome: string; covered: boolean; /** Why it is not. */ why?: string }[];
}

export interface CoverageCount {
  /** Ways out of decisions, and how many of them were taken. */
  outcomes: number;
  covered: number;
  /** Calls of tools and capabilities in the code, and how many of them were made. */
  calls: number;
  reached: number;
}

/** Every decision with every way out of it. */
export function listCoverage(rehearsal: Rehearsal, maxBranches: number): DecisionCoverage[] {
  const taken = new Set(rehearsal.runs.flatMap(({ decisions }) => decisions.map(keyOf)));
  const explain = createExplainer(rehearsal, maxBranches);
  return rehearsal.places.filter(isDecision).map(({ place, node }) => ({
    place,
    kind: node.kind,
    condition: node.condition,
    line: node.line,
    outcomes: node.outcomes.map((outcome) =>
      taken.has(keyOf({ place, outcome }))
        ? { outcome, covered: true }
        : { outcome, covered: false, why: explain({ place, outcome }) },
    ),
  }));
}

/** Calls that no run came to. */
export function listUnreached({ places, runs }: Rehearsal): { place: string; tool: string; line: number }[] {
  const reached = new Set(runs.flatMap(({ steps }) => steps));
  return places
    .filter((placed) => isCall(placed) && !reached.has(placed.place))
    .map(({ place, node }) => ({ place, tool: toolOf(node), line: node.line }));
}

export function countCoverage(
  decisions: readonly DecisionCoverage[],
  { places, unreached }: { places: readonly Placed[]; unreached: readonly unknown[] },
): CoverageCount {
  const outcomes = decisions.flatMap((decision) => decision.outcomes);
  const calls = places.filter(isCall).length;
  return {
    outcomes: outcomes.length,
    covered: outcomes.filter(({ covered }) => covered).length,
    calls,
    reached: calls - unreached.length,
  };
}

function createExplainer({ runs, left, refused }: Rehearsal, maxBranches: number): (way: Way) => string {
  const untried = new Set(left.map(keyOf));
  const inVain = new Set(refused.map(keyOf));
  const came = new Set(runs.flatMap(({ decisions }) => decisions.map(({ place }) => place)));
  const failed = runs.find(({ outcome }) => !outcome.ok)?.outcome;
  const stopped = failed === undefined || failed.ok ? "" : ` One ended before, with: ${failed.failure.message}`;
  return (way) => {
    if (untried.has(keyOf(way)))
      return runs.length >= maxBranches
        ? `Not tried: maxBranches is ${maxBranches}.`
        : "Not tried: there was no time left.";
    if (inVain.has(keyOf(way))) return "It was chosen, and the code went another way all the same.";
    return came.has(way.place) ? "It cannot be chosen." : `No run came to the decision.${stopped}`;
  };
}

/** Operations need no mock, and are not worth a line of their own. */
function isCall({ node }: Placed): boolean {
  return node.type === "capability" || (node.type === "task" && node.pure !== true);
}

function toolOf(node: Placed["node"]): string {
  if (node.type === "capability") return `cap:${node.capability}`;
  return node.type === "task" ? node.tool : node.id;
}
