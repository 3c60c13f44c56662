import { isAbove, type Tally } from "./binomial.js";
import { boundNext, fewestOutcomes } from "./conformal.js";
import { GRID_STEPS, stepAtLeast } from "./outcome-counts.js";
import type { ThresholdRule } from "./threshold-rule.js";

export interface ThresholdEvidence {
  /** Outcomes at or above the threshold, and how many of them were wrong. */
  above: number;
  wrong: number;
  /** The share of wrong ones with the next one counted as wrong: within the target where the threshold is proven. */
  bound: number;
  target: number;
  /** Outcomes that a proof takes, if none of them is wrong. */
  needed: number;
}

export interface ThresholdJudgement {
  threshold: number;
  /** Scores below this are so seldom of what was meant that there is nothing to offer. 0: everything is offered. */
  floor: number;
  /** The outcomes bound how often the next one runs and is wrong. */
  proven: boolean;
  /** `shipped`: too few outcomes. `braked`: held up by outcomes that miss the target. `learned`: chosen from outcomes. */
  source: "shipped" | "braked" | "learned";
  evidence: ThresholdEvidence;
}

export interface Judging {
  rule: ThresholdRule;
  brakeConfidence: number;
  minOutcomes: number;
}

/** The lowest threshold at which the conformal bound on wrong decisions is within the target. */
export function decideThreshold(tallies: readonly Tally[], judging: Judging): ThresholdJudgement {
  const { rule, minOutcomes } = judging;
  const needed = Math.max(minOutcomes, fewestOutcomes(rule.target));
  const first = findFirst(tallies, rule, needed);
  const passed = first === undefined ? undefined : findLowest(tallies, first, rule);
  const threshold = passed === undefined ? brake(tallies, judging, first) : passed / GRID_STEPS;
  const above = tallies[stepAtLeast(threshold)] ?? NONE;
  return {
    threshold,
    floor: Math.min(threshold, decideFloor(tallies, rule)),
    proven: passed !== undefined,
    source: passed !== undefined ? "learned" : first !== undefined || threshold > rule.shipped ? "braked" : "shipped",
    evidence: { above: above.total, wrong: above.wrong, bound: boundNext(above), target: rule.target, needed },
  };
}

const NONE: Tally = { wrong: 0, total: 0 };

/** The strictest step with enough outcomes at or above it. */
function findFirst(tallies: readonly Tally[], { min, max }: ThresholdRule, needed: number): number | undefined {
  for (let step = highestStep(max); step >= stepAtLeast(min); step--) {
    if ((tallies[step] ?? NONE).total >= needed) return step;
  }
  return undefined;
}

/**
 * From strict to loose, and the first that fails ends it: the loosest of all that pass would be one that passes by luck. Only
 * where there were outcomes: what was never decided at a score says nothing of those that will be.
 */
function findLowest(tallies: readonly Tally[], first: number, { min, target }: ThresholdRule): number | undefined {
  let passed: number | undefined;
  for (let step = first; step >= stepAtLeast(min); step--) {
    const [from, beyond] = [tallies[step] ?? NONE, tallies[step + 1] ?? NONE];
    if (boundNext(from) > target) break;
    if (from.total > beyond.total) passed = step;
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

/**
 * The highest floor under which the next thing that is meant lies with no more than the chance that may be missed: split
 * conformal prediction (Vovk, Gammerman & Shafer, 2005) over the scores of what was meant.
 */
function decideFloor(tallies: readonly Tally[], { floor }: ThresholdRule): number {
  if (floor === undefined) return 0;
  const meantFrom = (step: number): number => {
    const { total, wrong } = tallies[step] ?? NONE;
    return total - wrong;
  };
  const meant = meantFrom(0);
  if (meant < fewestOutcomes(floor.missed)) return floor.shipped;
  let step = highestStep(floor.max);
  while (step > 0 && boundNext({ wrong: meant - meantFrom(step), total: meant }) > floor.missed) step--;
  return step / GRID_STEPS;
}

function highestStep(max: number): number {
  return Math.floor(max * GRID_STEPS + 1e-9);
}
