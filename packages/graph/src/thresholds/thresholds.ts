import { GraphError } from "../error.js";
import { type ContextKey, kindOf, listScopes } from "./context-key.js";
import { decideThreshold, type ThresholdJudgement } from "./decide-threshold.js";
import {
  createOutcomeCounts,
  observeOutcome,
  type OutcomeCounts,
  retractOutcome,
  tallyFromAbove,
} from "./outcome-counts.js";
import { type ResolvedThresholdOptions, resolveThresholdOptions, type ThresholdOptions } from "./threshold-rule.js";
import { readSnapshot, type ThresholdSnapshot, writeSnapshot } from "./threshold-snapshot.js";

/** How one decision turned out. Outcomes below the threshold count too, where a person's choice shows what they were. */
export interface ThresholdOutcome {
  /** The calibrated score it was decided by, in [0, 1]. */
  score: number;
  /** Whether running it by itself was wrong, or would have been. */
  wrong: boolean;
}

export interface ThresholdDecision extends ThresholdJudgement {
  /** The context whose outcomes decided; shorter than the one asked for when that has too few of its own. */
  decidedBy: readonly string[];
  /** For people. */
  reason: string;
}

export interface Thresholds {
  /** The threshold for a context: a score at or above it may act by itself. */
  get(context: ContextKey): ThresholdDecision;
  observe(context: ContextKey, outcome: ThresholdOutcome): void;
  /** Takes back what `observe` was told, as when a run is to be forgotten. What has aged out by then leaves no mark. */
  retract(context: ContextKey, outcome: ThresholdOutcome): void;
  snapshot(): ThresholdSnapshot;
}

/** Thresholds that move with outcomes, each context with its own, rare ones with that of the next more general. */
export function createThresholds(given: Partial<ThresholdOptions> & { snapshot?: ThresholdSnapshot } = {}): Thresholds {
  const options = resolveThresholdOptions(given);
  const contexts =
    given.snapshot === undefined ? new Map<string, OutcomeCounts>() : readSnapshot(given.snapshot, options.rules);
  const judged = new Map<string, ThresholdJudgement>();
  const judge = (scope: string): ThresholdJudgement => {
    const known = judged.get(scope) ?? judgeScope(scope, contexts.get(scope), options);
    if (contexts.has(scope)) judged.set(scope, known);
    return known;
  };
  return {
    get: (context) => inherit(listScopes(context, options.rules), judge),
    observe(context, outcome) {
      assertOutcome(outcome);
      // The general last, so that it is the last to be pushed out.
      for (const scope of listScopes(context, options.rules)) {
        observeScope(contexts, scope, { outcome, options });
        judged.delete(scope);
      }
      for (const scope of forgetBeyond(contexts, options.maxContexts)) judged.delete(scope);
    },
    retract(context, outcome) {
      assertOutcome(outcome);
      for (const scope of listScopes(context, options.rules)) {
        const counts = contexts.get(scope);
        if (counts === undefined || !retractOutcome(counts, outcome)) continue;
        if (counts.younger.size + counts.elder.size === 0) contexts.delete(scope);
        judged.delete(scope);
      }
    },
    snapshot: () => writeSnapshot(contexts),
  };
}

function judgeScope(
  scope: string,
  counts: OutcomeCounts | undefined,
  options: ResolvedThresholdOptions,
): ThresholdJudgement {
  const rule = options.rules.get(kindOf(scope));
  if (rule === undefined) throw new RangeError(`No rule for ${scope}`);
  return decideThreshold(tallyFromAbove(counts ?? createOutcomeCounts()), { ...options, rule });
}

/** The most particular context that has a proof decides; failures of those below it can only raise what it says. */
function inherit(scopes: readonly string[], judge: (scope: string) => ThresholdJudgement): ThresholdDecision {
  const judgements = scopes.map((scope) => ({ scope, ...judge(scope) }));
  const decisive = judgements.findIndex(({ proven }) => proven);
  const considered = decisive === -1 ? judgements : judgements.slice(0, decisive + 1);
  const strictest = considered.reduce((best, each) => (overrules(each, best) ? each : best));
  const { scope, ...judgement } = strictest;
  return { ...judgement, decidedBy: JSON.parse(scope) as string[], reason: explain(judgement) };
}

/** What a score says to do: run by itself, be offered, or neither. */
export function judgeScore(
  { threshold, floor }: Pick<ThresholdDecision, "threshold" | "floor">,
  score: number,
): "run" | "suggest" | "abstain" {
  if (score >= threshold) return "run";
  return score >= floor ? "suggest" : "abstain";
}

/** Of two that say the same, the more general has seen more. A proof, even of a lower one, replaces what was shipped. */
function overrules(general: ThresholdJudgement, particular: ThresholdJudgement): boolean {
  return particular.source === "shipped" || general.threshold >= particular.threshold;
}

function explain({ threshold, source, evidence }: ThresholdJudgement): string {
  const { above, wrong, bound, target, needed } = evidence;
  const seen = `${wrong} of ${above} outcomes at or above ${threshold} were wrong`;
  if (source === "learned")
    return `${seen}: counting the next one as wrong, ${(bound * 100).toFixed(1)} %, within ${target * 100} %.`;
  if (source === "braked") return `Held up, as outcomes miss the target of ${target * 100} %; ${seen}.`;
  return `The shipped threshold, unproven: ${seen}, and a proof takes at least ${needed} without one.`;
}

interface Observation {
  outcome: ThresholdOutcome;
  options: ResolvedThresholdOptions;
}

function observeScope(contexts: Map<string, OutcomeCounts>, scope: string, { outcome, options }: Observation): void {
  const counts = contexts.get(scope) ?? createOutcomeCounts();
  observeOutcome(counts, outcome, options.generation);
  contexts.delete(scope);
  contexts.set(scope, counts);
}

/** A Map keeps the order of insertion, so its first keys are those observed longest ago. */
function forgetBeyond(contexts: Map<string, OutcomeCounts>, maxContexts: number): string[] {
  const forgotten: string[] = [];
  for (const scope of contexts.keys()) {
    if (contexts.size <= maxContexts) break;
    contexts.delete(scope);
    forgotten.push(scope);
  }
  return forgotten;
}

function assertOutcome({ score, wrong }: ThresholdOutcome): void {
  if (typeof score === "number" && score >= 0 && score <= 1 && typeof wrong === "boolean") return;
  throw new GraphError(
    "GRAPH_INVALID_INPUT",
    "An outcome has a calibrated score in [0, 1] and says whether it was wrong.",
    { details: { score: String(score), wrong: String(wrong) } },
  );
}
