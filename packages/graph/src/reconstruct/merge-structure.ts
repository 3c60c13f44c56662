import { kindOfNode } from "../node.js";
import { type CallEvent, type RunRecord, sortCalls } from "../run/call-event.js";
import { groupBy } from "../run/group-by.js";
import { listSuccessions } from "../run/successions.js";

/** One run of a capability, and which way its decisions went. */
export interface DecidedRun extends RunRecord {
  readonly decisions?: readonly { readonly nodeId: string; readonly outcome: string }[];
}

export interface MergedStep {
  /** The node of the static structure; `tool#2` where calls carry none, for the second call of it in a run. */
  readonly id: string;
  readonly tool: string;
  /** Runs that took it, however often. */
  readonly count: number;
  readonly share: number;
  /** The outcome that all of the runs with this step had, and none of the others. */
  readonly when?: { readonly decision: string; readonly outcome: string };
}

/** What several runs did, laid over each other. */
export interface MergedStructure {
  readonly runs: number;
  readonly steps: readonly MergedStep[];
  /** Who came right after whom, and in how many runs. */
  readonly edges: readonly { readonly from: string; readonly to: string; readonly count: number }[];
  /** How often each decision went each way, among the runs that came to it. */
  readonly branches: readonly {
    readonly decision: string;
    readonly outcome: string;
    readonly count: number;
    readonly share: number;
  }[];
}

/** Merges runs of one capability into one structure; the order in which they are given does not matter. */
export function mergeStructure(runs: readonly DecidedRun[]): MergedStructure {
  const read = runs.map(readRun);
  const branches = countBranches(read);
  const steps = groupBy(
    read.flatMap(({ steps }) => [...steps]),
    ([id]) => id,
  ).map((found): MergedStep => {
    const [id = "", tool = ""] = found[0] ?? [];
    const count = found.length;
    const when = count < runs.length ? findGuard(id, read, branches) : undefined;
    return { id, tool, count, share: count / runs.length, ...(when === undefined ? {} : { when }) };
  });
  const edges = groupBy(
    read.flatMap(({ edges }) => [...edges.values()]),
    (edge) => JSON.stringify(edge),
  ).map((found) => ({ from: found[0]?.[0] ?? "", to: found[0]?.[1] ?? "", count: found.length }));
  return {
    runs: runs.length,
    steps: steps.sort((a, b) => b.count - a.count || compare(a.id, b.id)),
    edges: edges.sort((a, b) => b.count - a.count || compare(a.from, b.from) || compare(a.to, b.to)),
    branches,
  };
}

interface ReadRun {
  readonly steps: ReadonlyMap<string, string>;
  readonly edges: ReadonlyMap<string, readonly [string, string]>;
  readonly outcomes: ReadonlySet<string>;
}

function readRun({ calls, decisions = [] }: DecidedRun): ReadRun {
  const own = sortCalls(calls).filter(
    ({ parentId, name }) => parentId === undefined && kindOfNode(name) !== "operation",
  );
  const ids = nameSteps(own);
  const pairs = listSuccessions(own).map(([before, after]) => [ids.get(before) ?? "", ids.get(after) ?? ""] as const);
  const between = pairs.filter(([from, to]) => from !== to);
  return {
    steps: new Map(own.map((call) => [ids.get(call) ?? "", call.name])),
    edges: new Map(between.map((pair) => [JSON.stringify(pair), pair])),
    outcomes: new Set(decisions.map(({ nodeId, outcome }) => JSON.stringify([nodeId, outcome]))),
  };
}

function nameSteps(calls: readonly CallEvent[]): Map<CallEvent, string> {
  const seen = new Map<string, number>();
  return new Map(
    calls.map((call) => {
      if (call.nodeId !== undefined) return [call, call.nodeId];
      const times = (seen.get(call.name) ?? 0) + 1;
      seen.set(call.name, times);
      return [call, times === 1 ? call.name : `${call.name}#${times}`];
    }),
  );
}

function countBranches(runs: readonly ReadRun[]): MergedStructure["branches"] {
  const taken = runs.flatMap(({ outcomes }) => [...outcomes].map((each) => JSON.parse(each) as [string, string]));
  return groupBy(taken, ([decision]) => decision)
    .flatMap((ways) => {
      const decision = ways[0]?.[0] ?? "";
      const reached = runs.filter(({ outcomes }) =>
        [...outcomes].some((each) => JSON.parse(each)[0] === decision),
      ).length;
      return groupBy(ways, ([, outcome]) => outcome).map((alike) => ({
        decision,
        outcome: alike[0]?.[1] ?? "",
        count: alike.length,
        share: alike.length / reached,
      }));
    })
    .sort((a, b) => compare(a.decision, b.decision) || b.count - a.count || compare(a.outcome, b.outcome));
}

function findGuard(id: string, runs: readonly ReadRun[], branches: MergedStructure["branches"]): MergedStep["when"] {
  const guard = branches.find(({ decision, outcome }) => {
    const key = JSON.stringify([decision, outcome]);
    return runs.every(({ steps, outcomes }) => steps.has(id) === outcomes.has(key));
  });
  return guard && { decision: guard.decision, outcome: guard.outcome };
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
