/** Of one ranking: how many of the right ones stand first, and how high. */
export interface RankingQuality {
  recall1: number;
  recall5: number;
  ndcg10: number;
}

export function measureRanking(scores: Float64Array, right: ReadonlySet<number>): RankingQuality {
  const order = listBest(scores, 10);
  const hits = (count: number): number => order.slice(0, count).filter((row) => right.has(row)).length;
  const gain = order.reduce((sum, row, rank) => sum + (right.has(row) ? 1 / Math.log2(rank + 2) : 0), 0);
  const ideal = Array.from({ length: Math.min(10, right.size) }, (_, rank) => 1 / Math.log2(rank + 2));
  return {
    recall1: hits(1) / right.size,
    recall5: hits(5) / right.size,
    ndcg10: gain / ideal.reduce((sum, each) => sum + each, 0),
  };
}

/** Rows of the largest scores; equal ones by row, so that ties are nobody's luck. */
export function listBest(scores: Float64Array, count: number): number[] {
  const best: number[] = [];
  for (const [row, score] of scores.entries()) {
    if (best.length === count && score <= (scores[best.at(-1) ?? 0] ?? 0)) continue;
    let at = best.length;
    while (at > 0 && (scores[best[at - 1] ?? 0] ?? 0) < score) at--;
    best.splice(at, 0, row);
    if (best.length > count) best.pop();
  }
  return best;
}

/** Mean with half the width of its 95 % interval, by the normal approximation over queries. */
export function meanWithInterval(values: readonly number[]): { mean: number; half: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1);
  return { mean, half: 1.96 * Math.sqrt(variance / Math.max(1, values.length)) };
}
