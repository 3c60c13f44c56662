import { FUSION_WEIGHTS } from "./fusion-weights.js";
import { findTop, standardise } from "./likeness.js";
import type { RankerScores } from "./ranker-scores.js";
import type { FusionWeights } from "./weights.js";

/** Content words of a query that counts as long, and deviations of a best score that stands out: where looks end. */
const LONG_QUERY = 30;
const HIGH_PEAK = 20;

/** For every candidate, one row of signals; for the query, one list of looks. */
export interface FusionInputs {
  signals: Float64Array[];
  looks: number[];
}

/** One score a candidate, larger is better; only the order and the distances within one query mean anything. */
export function fuse(scores: RankerScores, weights: FusionWeights = FUSION_WEIGHTS): Float64Array {
  const { signals, looks } = describeFusion(scores);
  const strengths = signals.map((_, signal) => {
    const row = weights[signal] ?? [];
    return looks.reduce((sum, look, index) => sum + look * (row[index] ?? 0), 0);
  });
  return scores.lexical.map((_, row) =>
    signals.reduce((sum, signal, index) => sum + (strengths[index] ?? 0) * (signal[row] ?? 0), 0),
  );
}

export function describeFusion({ lexical, coverage, naming, meaning, closest, length }: RankerScores): FusionInputs {
  const lexicalTop = standardise(lexical);
  const meaningTop = standardise(meaning);
  const peak = findTop(lexicalTop).first;
  return {
    signals: [lexicalTop, meaningTop, standardise(closest), coverage, naming, relative(lexical)],
    looks: [
      1,
      findTop(coverage).first,
      separation(lexicalTop),
      separation(meaningTop),
      findTop(lexical).best === findTop(closest).best ? 1 : 0,
      Math.max(0, findTop(meaning).first),
      Math.min(1, length / LONG_QUERY),
      Math.min(1, Math.max(0, peak) / HIGH_PEAK),
    ],
  };
}

/** Each score as a share of the best. */
function relative(scores: Float64Array): Float64Array {
  const { first } = findTop(scores);
  return scores.map((score) => (first > 0 ? score / first : 0));
}

/** How far the best stands off from the second, from 0 to 1. */
function separation(standardised: Float64Array): number {
  const { first, second } = findTop(standardised);
  return first > 0 && Number.isFinite(second) ? Math.min(1, (first - second) / first) : 0;
}
