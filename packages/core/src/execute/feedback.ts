import { countOutcome, type Outcome, SPECULATION } from "../learn/outcomes.js";
import { invalidInput } from "../model/error.js";
import type { Scope } from "../model/scope.js";
import { checkText } from "../model/text.js";
import { findCapability } from "../store/capabilities.js";
import { writeFeedback } from "../store/feedback.js";
import { findTrace } from "../store/traces.js";
import type { Place, Powers } from "./job.js";
import { stepBack } from "./step-back.js";

/** Whether a run was what was wanted. */
export interface Feedback {
  traceId: string;
  ok: boolean;
  /** What would have been right, in words or as code; kept with the trace. */
  correction?: string;
  scope?: Partial<Scope>;
}

export interface FeedbackResult {
  /** False when something had been said of this run before: the first word stands. */
  counted: boolean;
  /** It had run by itself, so the threshold for that has learned from it. */
  automatic: boolean;
  /** From where on things run by themselves now. */
  threshold: number;
}

const LONGEST_CORRECTION = 100_000;

/**
 * What a person says of a run. A rejected one counts against its capability, and its intent is forgotten as served; if it
 * had run by itself, that was wrong, and the threshold for it moves.
 */
export async function giveFeedback(
  powers: Powers,
  { workspace, context }: Place,
  { traceId, ok, correction }: Omit<Feedback, "scope">,
): Promise<FeedbackResult> {
  if (typeof ok !== "boolean") throw invalidInput("Whether the run was right is true or false: `ok`.");
  if (correction !== undefined) checkText("The correction", correction, LONGEST_CORRECTION);
  const { knowledge } = workspace;
  let counted = knowledge.thresholds;
  const feedback = {
    ok,
    ...(correction !== undefined && { correction: powers.redact(correction) }),
    by: context.scope.actor,
  };
  const run = await writeFeedback(context, { traceId, feedback }, async (transaction, { match }) => {
    if (match === undefined) return;
    const outcome = { of: SPECULATION, score: match, wrong: !ok, traceId };
    counted = await countOutcome({ ...context, database: transaction }, knowledge.thresholdOptions, outcome);
  });
  knowledge.thresholds = counted;
  if (run !== undefined && !ok) {
    if (run.match !== undefined) powers.metrics.count("wrongRuns");
    await dropCached(powers, { workspace, context }, run.capabilityId);
    if (run.capabilityId !== undefined) await stepBack(powers, { workspace, context }, run.capabilityId);
  }
  const { threshold } = counted.get(SPECULATION);
  if (run !== undefined) powers.info("A run was judged.", { traceId, ok, threshold });
  return { counted: run !== undefined, automatic: run?.match !== undefined, threshold };
}

/**
 * What came after something that was served by itself says how that was. That it was wrong counts as if somebody had said
 * so; that it was right leaves room for somebody to say otherwise.
 */
export async function noteServed(powers: Powers, place: Place, outcome: Outcome): Promise<void> {
  if (outcome.wrong) {
    const { traceId } = outcome;
    if (traceId !== undefined && (await isKept(place, traceId)))
      return void (await giveFeedback(powers, place, { traceId, ok: false }));
    powers.metrics.count("wrongRuns");
  }
  await noteOutcome(place, outcome);
}

/** Counts it, as resting on its run if that is kept. */
export async function noteOutcome(place: Place, { traceId, ...outcome }: Outcome): Promise<void> {
  const { context, workspace } = place;
  const kept = traceId !== undefined && (await isKept(place, traceId)) ? { traceId } : {};
  const { knowledge } = workspace;
  knowledge.thresholds = await context.database.transaction((transaction) =>
    countOutcome({ ...context, database: transaction }, knowledge.thresholdOptions, { ...outcome, ...kept }),
  );
}

/** A run whose recording failed, or that retention removed, has no trace. */
async function isKept({ context }: Place, traceId: string): Promise<boolean> {
  return (await findTrace(context, traceId)) !== undefined;
}

/** What was wrong is not given again from memory. */
async function dropCached({ caches }: Powers, { context }: Place, capabilityId: string | undefined): Promise<void> {
  const capability = capabilityId === undefined ? undefined : await findCapability(context, capabilityId);
  if (capability === undefined) return;
  await caches.invalidate(context, { trigger: "manual", capabilityId: capability.id });
}
