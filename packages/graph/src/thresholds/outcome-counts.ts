import type { Tally } from "./binomial.js";

/** Scores are counted in steps of 1/200, so that what is kept has one size however many outcomes there were. */
export const GRID_STEPS = 200;

/** How many were right and wrong at a step of the grid, for each step that has any. */
export type StepCounts = Map<number, { right: number; wrong: number }>;

/**
 * Counts of outcomes by score, in two generations. What is known is both together; when the younger is full, the elder is
 * forgotten: a host changes, and what was true a thousand runs ago proves nothing.
 */
export interface OutcomeCounts {
  younger: StepCounts;
  elder: StepCounts;
  /** Outcomes in the younger generation. */
  count: number;
}

export function createOutcomeCounts(): OutcomeCounts {
  return { younger: new Map(), elder: new Map(), count: 0 };
}

/** Within a generation the order of outcomes leaves no mark. */
export function observeOutcome(
  counts: OutcomeCounts,
  { score, wrong }: { score: number; wrong: boolean },
  generation: number,
): void {
  if (counts.count >= generation) {
    counts.elder = counts.younger;
    counts.younger = new Map();
    counts.count = 0;
  }
  const step = stepOf(score);
  const at = counts.younger.get(step) ?? { right: 0, wrong: 0 };
  if (wrong) at.wrong++;
  else at.right++;
  counts.younger.set(step, at);
  counts.count++;
}

/** Takes one out again: of the younger generation if it may be there. False where it was forgotten by then. */
export function retractOutcome(counts: OutcomeCounts, { score, wrong }: { score: number; wrong: boolean }): boolean {
  const [step, said] = [stepOf(score), wrong ? "wrong" : "right"] as const;
  const generation = [counts.younger, counts.elder].find((each) => (each.get(step)?.[said] ?? 0) > 0);
  const at = generation?.get(step);
  if (generation === undefined || at === undefined) return false;
  at[said]--;
  if (at.right + at.wrong === 0) generation.delete(step);
  if (generation === counts.younger) counts.count--;
  return true;
}

/** For each step of the grid, the outcomes at or above it. */
export function tallyFromAbove({ younger, elder }: OutcomeCounts): Tally[] {
  const tallies = Array.from({ length: GRID_STEPS + 1 }, () => ({ wrong: 0, total: 0 }));
  let above: Tally = { wrong: 0, total: 0 };
  for (let step = GRID_STEPS; step >= 0; step--) {
    for (const { right, wrong } of [younger.get(step), elder.get(step)].filter((at) => at !== undefined)) {
      above = { wrong: above.wrong + wrong, total: above.total + right + wrong };
    }
    tallies[step] = above;
  }
  return tallies;
}

/** The highest step that is not above the score; compared as numbers, so that 0.85 is at the step of 0.85. */
export function stepOf(score: number): number {
  const step = Math.floor(score * GRID_STEPS);
  if (step / GRID_STEPS > score) return step - 1;
  return (step + 1) / GRID_STEPS <= score ? step + 1 : step;
}

/** The lowest step that is not below the threshold. */
export function stepAtLeast(threshold: number): number {
  const step = stepOf(threshold);
  return step / GRID_STEPS < threshold ? step + 1 : step;
}
