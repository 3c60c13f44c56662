import { GraphError } from "../error.js";
import { type ContextKey, listScopes } from "./context-key.js";
import { GRID_STEPS, type OutcomeCounts, type StepCounts } from "./outcome-counts.js";

/** Plain JSON. Counts stand as `[step, right, wrong]`; contexts in the order they were last observed. */
export interface ThresholdSnapshot {
  version: 1;
  steps: number;
  contexts: readonly ContextCounts[];
}

interface ContextCounts {
  context: readonly string[];
  younger: readonly CountRow[];
  elder: readonly CountRow[];
}

type CountRow = readonly [step: number, right: number, wrong: number];

export function writeSnapshot(contexts: ReadonlyMap<string, OutcomeCounts>): ThresholdSnapshot {
  return {
    version: 1,
    steps: GRID_STEPS,
    contexts: [...contexts].map(([scope, { younger, elder }]) => ({
      context: JSON.parse(scope) as string[],
      younger: writeRows(younger),
      elder: writeRows(elder),
    })),
  };
}

/** Takes nothing on trust: a snapshot comes from a disk. Contexts of kinds that have no rule any more are left out. */
export function readSnapshot(
  snapshot: ThresholdSnapshot,
  kinds: { has(kind: string): boolean },
): Map<string, OutcomeCounts> {
  if (snapshot?.version !== 1 || snapshot.steps !== GRID_STEPS || !Array.isArray(snapshot.contexts)) {
    throw invalidSnapshot("is not of version 1");
  }
  return new Map(
    snapshot.contexts
      .filter(({ context }) => Array.isArray(context) && kinds.has(String(context[0])))
      .map(({ context, younger, elder }) => {
        const [scope = ""] = listScopes(context as unknown as ContextKey, kinds);
        const counts = { younger: readRows(younger), elder: readRows(elder) };
        return [scope, { ...counts, count: countOutcomes(counts.younger) }];
      }),
  );
}

function writeRows(counts: StepCounts): CountRow[] {
  return [...counts]
    .map(([step, { right, wrong }]): CountRow => [step, right, wrong])
    .sort(([left], [right]) => left - right);
}

function readRows(rows: readonly CountRow[]): StepCounts {
  if (!Array.isArray(rows) || !rows.every(isCountRow)) throw invalidSnapshot("has counts that are none");
  return new Map(rows.map(([step, right, wrong]) => [step, { right, wrong }]));
}

function isCountRow(row: unknown): row is CountRow {
  return (
    Array.isArray(row) &&
    row.length === 3 &&
    row.every((count) => Number.isSafeInteger(count) && count >= 0) &&
    (row[0] as number) <= GRID_STEPS
  );
}

function countOutcomes(counts: StepCounts): number {
  return [...counts.values()].reduce((sum, { right, wrong }) => sum + right + wrong, 0);
}

function invalidSnapshot(problem: string): GraphError {
  return new GraphError(
    "GRAPH_INVALID_SNAPSHOT",
    `The snapshot of thresholds ${problem}. Start without it; the shipped thresholds will decide.`,
  );
}
