import { findTop } from "./likeness.js";
import type { RankerScores } from "./ranker-scores.js";

/**
 * A logistic model of what a fused score means: the score, how likely the best match in meaning is at all, how much of
 * the query the best one's words cover, and how many tools there are to be wrong about. Printed by `npm run eval`.
 */
const WEIGHTS: readonly number[] = [-6, 0.9, 3, 1, -0.2];

/** For every tool the probability that it is meant. Within one query, their order is that of the fused scores. */
export function judgeTools(
  scores: RankerScores,
  fused: Float64Array,
  [constant = 0, slope = 0, ...others]: readonly number[] = WEIGHTS,
): Float64Array {
  const looks = describeQuery(scores).reduce((sum, look, at) => sum + look * (others[at] ?? 0), constant);
  return fused.map((score) => 1 / (1 + Math.exp(-(looks + slope * score))));
}

/** What is the same for every tool: how near the best is in meaning, how much its words cover, how many there are. */
export function describeQuery({ closest, coverage, lexical }: RankerScores): number[] {
  return [Math.max(0, findTop(closest).first), Math.max(0, findTop(coverage).first), Math.log(1 + lexical.length)];
}
