import { groupBy } from "../run/group-by.js";

/** One run of a capability, as the path it took through the static structure. */
export interface TakenPath {
  readonly nodes: readonly string[];
  readonly decisions: readonly { readonly nodeId: string; readonly outcome: string }[];
  readonly success: boolean;
  readonly durationMs: number;
}

/** What the runs of one capability add up to. */
export interface Learning {
  readonly runs: number;
  readonly paths: readonly PathStatistics[];
  /** The path most runs took that succeeded. */
  readonly dominantPath: readonly string[] | undefined;
  /** How often each decision went each way, the most frequent first. */
  readonly decisions: readonly {
    readonly nodeId: string;
    readonly outcome: string;
    readonly count: number;
    readonly share: number;
  }[];
}

export interface PathStatistics {
  readonly nodes: readonly string[];
  readonly count: number;
  readonly successRate: number;
  readonly averageMs: number;
}

/** Merges runs: the order in which they are given does not matter. */
export function mergeRuns(runs: readonly TakenPath[]): Learning {
  const paths = groupBy(runs, ({ nodes }) => JSON.stringify(nodes)).map(summarize);
  paths.sort((a, b) => b.count - a.count || compare(a.nodes, b.nodes));
  const bySuccess = [...paths].sort((a, b) => b.count * b.successRate - a.count * a.successRate);
  const dominant = bySuccess.find(({ successRate }) => successRate > 0);
  return { runs: runs.length, paths, dominantPath: dominant?.nodes, decisions: countDecisions(runs) };
}

function summarize(group: readonly TakenPath[]): PathStatistics {
  const sum = (value: (run: TakenPath) => number): number => group.reduce((total, run) => total + value(run), 0);
  const count = group.length;
  return {
    nodes: group[0]?.nodes ?? [],
    count,
    successRate: sum(({ success }) => Number(success)) / count,
    averageMs: sum(({ durationMs }) => durationMs) / count,
  };
}

function countDecisions(runs: readonly TakenPath[]): Learning["decisions"] {
  return groupBy(
    runs.flatMap(({ decisions }) => decisions),
    ({ nodeId }) => nodeId,
  )
    .flatMap((taken) =>
      groupBy(taken, ({ outcome }) => outcome)
        .map(([first, ...others]) => {
          const { nodeId = "", outcome = "" } = first ?? {};
          return { nodeId, outcome, count: others.length + 1, share: (others.length + 1) / taken.length };
        })
        .sort((a, b) => b.count - a.count || compare([a.outcome], [b.outcome])),
    )
    .sort((a, b) => compare([a.nodeId], [b.nodeId]));
}

function compare(a: readonly string[], b: readonly string[]): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left === right ? 0 : left < right ? -1 : 1;
}
