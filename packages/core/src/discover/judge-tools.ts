import type { MemoryScores } from "./intent-memory.js";
import { findTop } from "./likeness.js";
import type { RankerScores } from "./ranker-scores.js";
import { describeDensity } from "./recall.js";

/**
 * Of a logistic model of what a fused score means: the constant, the score, then what `describeQuery` lists. Printed by
 * `npm run eval -- tool-scores`, fitted on the training parts of four public sets of tools.
 */
const WEIGHTS: readonly number[] = [-1.825, 1.127, -0.86, -5.206, -0.068, -0.619, 0.56];

/** The same once there is a past, with what `describeRecalled` lists. Printed by `npm run eval -- recalled-scores`. */
const RECALLED_WEIGHTS: readonly number[] = [-3.78, 1.252, -0.611, -1.519, -0.668, 0.316, 0.343, 0.32];

/** For every tool the probability that it is meant. Within one query, their order is that of the fused scores. */
export function judgeTools(
  scores: RankerScores,
  fused: Float64Array,
  weights: readonly number[] = WEIGHTS,
): Float64Array {
  return judge(fused, describeQuery(scores, fused), weights);
}

/** For scores that past intents had a part in. */
export function judgeRecalled(
  scores: RankerScores,
  recalled: { scores: Float64Array; memory: Pick<MemoryScores, "nearest" | "density"> },
  weights: readonly number[] = RECALLED_WEIGHTS,
): Float64Array {
  return judge(recalled.scores, describeRecalled(scores, recalled), weights);
}

function judge(
  scores: Float64Array,
  looks: readonly number[],
  [constant = 0, slope = 0, ...others]: readonly number[],
): Float64Array {
  const same = looks.reduce((sum, look, at) => sum + look * (others[at] ?? 0), constant);
  return scores.map((score) => 1 / (1 + Math.exp(-(same + slope * score))));
}

/**
 * Of what there is without a past, all but how many tools there are, of which two sets say nothing; and how near the past
 * comes to the query, and how much of it there is.
 */
export function describeRecalled(
  scores: RankerScores,
  { scores: recalled, memory }: { scores: Float64Array; memory: Pick<MemoryScores, "nearest" | "density"> },
): number[] {
  const [closest = 0, coverage = 0, , top = 0, lead = 0] = describeQuery(scores, recalled);
  return [closest, coverage, top, lead, memory.nearest, describeDensity(memory)];
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
