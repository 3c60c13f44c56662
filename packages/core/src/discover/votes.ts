/** Shares of one vote, the nearest having most of it; `width` is how fast a vote falls with distance. */
export function castVotes(scores: Float64Array, width: number): Float64Array {
  const top = scores.reduce((best, score) => Math.max(best, score), Number.NEGATIVE_INFINITY);
  if (top === Number.NEGATIVE_INFINITY) return new Float64Array(scores.length);
  const votes = scores.map((score) => Math.exp((score - top) / width));
  const total = votes.reduce((sum, vote) => sum + vote, 0);
  return votes.map((vote) => vote / total);
}
