import type { MeasuredCall } from "../../store/measured-runs.js";
import type { Evaluation } from "./evaluation.js";
import { hasServed, ranByItself } from "./past-runs.js";
import type { KeyedRun } from "./questions.js";
import { meanOf, shareOf } from "./share.js";

interface Cost {
  ms: number;
  toolCalls: number;
}

/** Each run of something known beside what it took when its code was written. The newest run comes first. */
export async function measureSavings(runs: readonly KeyedRun[]): Promise<Evaluation["saved"]> {
  const first = findFirstCosts(runs);
  const again = runs.filter((run) => isAgain(run) && hasServed(run));
  const saved = again.flatMap((run) => {
    const before = first.get(run.capabilityId ?? "");
    const now = costOf(run);
    return before === undefined ? [] : [{ ms: before.ms - now.ms, toolCalls: before.toolCalls - now.toolCalls }];
  });
  return {
    ms: await meanOf(saved.map(({ ms }) => ms)),
    toolCalls: await meanOf(saved.map(({ toolCalls }) => toolCalls)),
    notCompared: again.length - saved.length,
    prefetch: measurePrefetch(runs),
  };
}

function isAgain(run: KeyedRun): boolean {
  return run.work === undefined && (ranByItself(run) || run.mode === "named");
}

/** By capability: its first run, with the attempts at the same intent that had failed by then. */
function findFirstCosts(runs: readonly KeyedRun[]): Map<string, Cost> {
  const first = new Map<string, Cost>();
  const attempts = new Map<string, Cost>();
  for (const run of runs.toReversed()) {
    const { capabilityId = "", key = "", mode, work, success } = run;
    if (mode !== "direct" || work === undefined) continue;
    const cost = add(attempts.get(key), costOf(run));
    if (success) attempts.delete(key);
    else attempts.set(key, cost);
    if (success && !first.has(capabilityId)) first.set(capabilityId, cost);
  }
  return first;
}

function costOf({ durationMs, calls }: KeyedRun): Cost {
  return { ms: durationMs, toolCalls: calls.filter(isTool).length };
}

function isTool({ tool }: MeasuredCall): boolean {
  return !tool.startsWith("cap:");
}

function add(a: Cost = { ms: 0, toolCalls: 0 }, b: Cost): Cost {
  return { ms: a.ms + b.ms, toolCalls: a.toolCalls + b.toolCalls };
}

function measurePrefetch(runs: readonly KeyedRun[]): Evaluation["saved"]["prefetch"] {
  const calls = runs.flatMap((run) => run.calls.filter(isTool));
  const early = calls.flatMap(({ savedMs }) => (savedMs === undefined ? [] : [savedMs]));
  return { used: shareOf(early.length, calls.length), ms: early.reduce((sum, ms) => sum + ms, 0) };
}
