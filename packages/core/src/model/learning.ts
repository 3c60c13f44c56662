/** What the runs of one capability add up to. Counts only, so that a run can be taken out again. */
export interface CapabilityLearning {
  readonly paths: readonly LearnedWay[];
  readonly decisions: readonly { readonly nodeId: string; readonly outcome: string; readonly count: number }[];
}

/** One way through the structure, and how it went. */
export interface LearnedWay {
  /** In the order in which they were first reached: how often a loop was gone through is no other way. */
  readonly nodes: readonly string[];
  readonly count: number;
  readonly successes: number;
  readonly totalMs: number;
}

/** The way one run took. */
export interface TakenWay {
  readonly nodes: readonly string[];
  readonly decisions: readonly { readonly nodeId: string; readonly outcome: string }[];
  readonly success: boolean;
  readonly durationMs: number;
}

export const NOTHING_LEARNED: CapabilityLearning = { paths: [], decisions: [] };

/** The rarest make room. */
const MOST_PATHS = 200;

/** Folds one run in; `times` of -1 takes it out again. */
export function observeWay(learning: CapabilityLearning, taken: TakenWay, times: 1 | -1 = 1): CapabilityLearning {
  const taking = [...new Set(taken.nodes)];
  const key = JSON.stringify(taking);
  const known = learning.paths.find(({ nodes }) => JSON.stringify(nodes) === key);
  const way: LearnedWay = {
    nodes: taking,
    count: (known?.count ?? 0) + times,
    successes: (known?.successes ?? 0) + (taken.success ? times : 0),
    totalMs: (known?.totalMs ?? 0) + times * taken.durationMs,
  };
  const paths = [...learning.paths.filter((each) => each !== known), ...(way.count > 0 ? [way] : [])];
  return {
    paths: paths.sort((a, b) => b.count - a.count || compare(a.nodes, b.nodes)).slice(0, MOST_PATHS),
    decisions: taken.decisions.reduce((all, each) => countDecision(all, each, times), learning.decisions),
  };
}

/** The way most runs took that succeeded. */
export function findDominantPath({ paths }: CapabilityLearning): readonly string[] | undefined {
  const bySuccess = [...paths].sort((a, b) => b.successes - a.successes || b.count - a.count);
  return bySuccess.find(({ successes }) => successes > 0)?.nodes;
}

function countDecision(
  decisions: CapabilityLearning["decisions"],
  { nodeId, outcome }: { nodeId: string; outcome: string },
  times: number,
): CapabilityLearning["decisions"] {
  const known = decisions.find((each) => each.nodeId === nodeId && each.outcome === outcome);
  const count = (known?.count ?? 0) + times;
  const others = decisions.filter((each) => each !== known);
  const all = count > 0 ? [...others, { nodeId, outcome, count }] : others;
  return all.sort((a, b) => compare([a.nodeId, a.outcome], [b.nodeId, b.outcome]));
}

function compare(a: readonly string[], b: readonly string[]): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left === right ? 0 : left < right ? -1 : 1;
}
