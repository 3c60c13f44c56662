export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return Number.isFinite(sum) ? sum : 0;
}

/** How many deviations each score lies above the mean: what makes scores of two rankers comparable. */
export function standardise(scores: Float64Array): Float64Array {
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / Math.max(1, scores.length);
  const deviation = Math.sqrt(variance);
  return scores.map((score) => (deviation < 1e-9 ? 0 : (score - mean) / deviation));
}

/** The two largest scores and where the first of them is. */
export function findTop(scores: Float64Array): { best: number; first: number; second: number } {
  let [best, first, second] = [-1, -Infinity, -Infinity];
  for (const [row, score] of scores.entries()) {
    if (score > first) [best, first, second] = [row, score, first];
    else if (score > second) second = score;
  }
  return { best, first, second };
}
