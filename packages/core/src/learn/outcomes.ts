import {
  type ContextKey,
  createThresholds,
  type ThresholdOptions,
  type ThresholdOutcome,
  type Thresholds,
  type ThresholdSnapshot,
} from "@pml/graph";

import type { LearnedThing } from "../model/trace.js";
import type { StoreContext } from "../store/context.js";
import type { Queryable } from "../store/database/database.js";
import { findLearnedState, putLearnedState, removeLearnedState } from "../store/learned-state.js";
import { type Rested, takeBackOrigins, writeOrigins } from "../store/origins.js";

/** What the outcomes of automatic runs are counted for. */
export const SPECULATION = ["speculation"] as const;
/** What those of answers from memory are counted for. */
export const INTENT_CACHE = ["intentCache"] as const;

/** How a decision turned out, and for which threshold that counts. */
export interface Outcome extends ThresholdOutcome {
  of: ContextKey;
  /** The run that shows it, if there is a trace of it. */
  traceId?: string | undefined;
}

/** Under this they are stored, and known as learned. */
const THRESHOLDS = { kind: "adaptive_threshold", key: "all" } as const;
/** What exactly a run said of them: with that it can be taken back. */
export const OUTCOME = "threshold_outcome";

type Transaction = Pick<StoreContext, "scope" | "now"> & { database: Queryable };

export async function loadThresholds(
  context: Pick<StoreContext, "scope"> & { database: Queryable },
  options: Partial<ThresholdOptions>,
): Promise<Thresholds> {
  const snapshot = (await findLearnedState(context, THRESHOLDS)) as ThresholdSnapshot | undefined;
  return createThresholds({ ...options, ...(snapshot !== undefined && { snapshot }) });
}

/**
 * Counts how a decision turned out beside all that was counted before, by other processes too: they take turns. What the
 * same run had said before gives way to it. Gives the thresholds that hold once the transaction has ended.
 */
export async function countOutcome(
  context: Transaction,
  options: Partial<ThresholdOptions>,
  { traceId, of, score, wrong }: Outcome,
): Promise<Thresholds> {
  await lockThresholds(context);
  const thresholds = await loadThresholds(context, options);
  if (traceId !== undefined) {
    takeBack(thresholds, await takeBackOrigins(context.database, traceId, OUTCOME));
    const said = { kind: OUTCOME, key: JSON.stringify([of, score, wrong]) };
    await writeOrigins(context.database, traceId, [THRESHOLDS, said]);
  }
  thresholds.observe(of, { score, wrong });
  await putLearnedState(context, THRESHOLDS, thresholds.snapshot());
  return thresholds;
}

/** Takes back what a run that is forgotten said. */
export async function retractOutcomes(
  context: Transaction,
  options: Partial<ThresholdOptions>,
  rested: readonly Rested[],
): Promise<void> {
  const said = rested.filter(({ kind }) => kind === OUTCOME);
  if (said.length === 0) return;
  await lockThresholds(context);
  const thresholds = await loadThresholds(context, options);
  takeBack(thresholds, said);
  const snapshot = thresholds.snapshot();
  await (snapshot.contexts.length === 0
    ? removeLearnedState(context, THRESHOLDS)
    : putLearnedState(context, THRESHOLDS, snapshot));
}

/** What a run said of a threshold, from its key among what was learned. */
export function readOutcome({ key }: Pick<LearnedThing, "key">): Omit<Outcome, "traceId"> {
  const [of, score, wrong] = JSON.parse(key) as [ContextKey, number, boolean];
  return { of, score, wrong };
}

function takeBack(thresholds: Thresholds, said: readonly LearnedThing[]): void {
  for (const each of said) {
    const { of, ...outcome } = readOutcome(each);
    thresholds.retract(of, outcome);
  }
}

async function lockThresholds({ database, scope }: Transaction): Promise<void> {
  const place = `${scope.org}\n${scope.project}`;
  await database.query("select pg_advisory_xact_lock(hashtextextended($1, 7163554))", [place]);
}
