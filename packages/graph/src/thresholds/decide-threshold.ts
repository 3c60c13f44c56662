import { fewestTrials, isAbove, isAtMost, type Tally, upperBound } from "./binomial.js";
import { GRID_STEPS, stepAtLeast } from "./outcome-counts.js";
import type { ThresholdRule } from "./threshold-rule.js";

export interface ThresholdEvidence {
  /** Outcomes at or above the threshold, and how many of them were wrong. */
  above: number;
  wrong: number;
  /** The share of wrong ones is not above this, with `confidence`. */
  upperBound: number;
  confidence: number;
  target: number;
  /** Outcomes without a wrong one that a proof needs. */
  needed: number;
}

export interface ThresholdJudgement {
  threshold: number;
  /** The outcomes show, with `confidence`, that the target is kept at this threshold. */
  proven: boolean;
  /** `shipped`: too few outcomes. `braked`: held up by outcomes that miss the target. `learned`: chosen from outcomes. */
  source: "shipped" | "braked" | "learned";
  evidence: ThresholdEvidence;
}

export interface Judging {
  rule: ThresholdRule;
  confidence: number;
  brakeConfidence: number;
  minOutcomes: number;
}

/**
 * The lowest threshold whose share of wrong decisions is shown to be within the target.
 *
 * Thresholds are tested from strict to loose and the first that fails ends it: fixed-sequence testing, which needs no
 * correction for the number of thresholds tried (Angelopoulos, Bates, Candès, Jordan & Lei, "Learn then Test", 2021).
 * The first one tested is the strictest that has enough outcomes above it: chosen by the scores alone, never by how
 * they turned out, so the order is fixed as far as the outcomes are concerned. Hence, too, an outcome turned from right
 * to wrong can make no test pass, and so never lowers the threshold.
 */
export function decideThreshold(tallies: readonly Tally[], judging: Judging): ThresholdJudgement {
  const { rule, confidence, minOutcomes } = judging;
  const needed = Math.max(minOutcomes, fewestTrials(rule.target, confidence));
  const first = findFirst(tallies, rule, needed);
  const passed = first === undefined ? undefined : descend(tallies, first, judging);
  const threshold = passed === undefined ? brake(tallies, judging, first) : passed / GRID_STEPS;
  const above = tallies[stepAtLeast(threshold)] ?? NONE;
  return {
    threshold,
    proven: passed !== undefined,
    source: passed !== undefined ? "learned" : first !== undefined || threshold > rule.shipped ? "braked" : "shipped",
    evidence: {
      above: above.total,
      wrong: above.wrong,
      upperBound: upperBound(above.wrong, above.total, confidence),
      confidence,
      target: rule.target,
      needed,
    },
  };
}

const NONE: Tally = { wrong: 0, total: 0 };

function findFirst(tallies: readonly Tally[], { min, max }: ThresholdRule, needed: number): number | undefined {
  for (let step = highestStep(max); step >= stepAtLeast(min); step--) {
    if ((tallies[step] ?? NONE).total >= needed) return step;
  }
  return undefined;
}

/** The last step in a row that passes, or undefined if the first does not. */
function descend(tallies: readonly Tally[], first: number, { rule, confidence }: Judging): number | undefined {
  let passed: number | undefined;
  for (let step = first; step >= stepAtLeast(rule.min); step--) {
    if (!isAtMost(rule.target, confidence, tallies[step] ?? NONE)) break;
    passed = step;
  }
  return passed;
}

/**
 * Without proof the shipped threshold stands, unless outcomes show it to be too low. It is then raised to the first that
 * they do not speak against: with two wrong runs of two, a host that asked for one in a hundred should not wait for a
 * third. `from` is where a proof was tried and failed; going below that would reward the failure.
 */
function brake(tallies: readonly Tally[], { rule, brakeConfidence }: Judging, from: number | undefined): number {
  const start = Math.max(rule.shipped, (from ?? 0) / GRID_STEPS);
  for (let step = stepAtLeast(start); step <= highestStep(rule.max); step++) {
    const refuted = isAbove(rule.target, brakeConfidence, tallies[step] ?? NONE);
    if (!refuted) return Math.max(start, Math.min(rule.max, step === stepAtLeast(start) ? start : step / GRID_STEPS));
  }
  return rule.max;
}

function highestStep(max: number): number {
  return Math.floor(max * GRID_STEPS + 1e-9);
}
