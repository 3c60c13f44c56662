import { findTop } from "./likeness.js";
import type { RankerScores } from "./ranker-scores.js";

/**
 * Of a logistic model of what a fused score means: the constant, the score, then what `describeQuery` lists. Printed by
 * `npm run eval -- tool-scores`, fitted on the training parts of four public sets of tools.
 */
const WEIGHTS: readonly number[] = [-1.825, 1.127, -0.86, -5.206, -0.068, -0.619, 0.56];

/** For every tool the probability that it is meant. Within one query, their order is that of the fused scores. */
export function judgeTools(
  scores: RankerScores,
  fused: Float64Array,
  [constant = 0, slope = 0, ...others]: readonly number[] = WEIGHTS,
): Float64Array {
  const looks = describeQuery(scores, fused).reduce((sum, look, at) => sum + look * (others[at] ?? 0), constant);
  return fused.map((score) => 1 / (1 + Math.exp(-(looks + slope * score))));
}

/**
 * What is the same for every tool: how near the best is in meaning, how much of the query its words cover, how many tools
 * there are to be wrong about, how high the best score is and how far it leads.
 */
export function describeQuery({ closest, coverage, lexical }: RankerScores, fused: Float64Array): number[] {
  const { first, second } = findTop(fused);
  const lead = Number.isFinite(second) ? first - second : 0;
  return [
    Math.max(0, findTop(closest).first),
    Math.max(0, findTop(coverage).first),
    Math.log(1 + lexical.length),
    Number.isFinite(first) ? first : 0,
    lead,
  ];
}
