/** How many there were, and how many of them were wrong. */
export interface Tally {
  wrong: number;
  total: number;
}

/**
 * P(X ≤ successes) for X ~ Binomial(trials, rate): exact, because the normal approximation is wrong where it matters
 * here, at rates of one in a hundred.
 */
export function binomialCdf(successes: number, trials: number, rate: number): number {
  if (successes >= trials || rate <= 0) return 1;
  if (successes < 0 || rate >= 1) return 0;
  // In logarithms: (1 - rate) ** trials underflows long before the sum is small enough to ignore.
  const logOdds = Math.log(rate) - Math.log1p(-rate);
  let logTerm = trials * Math.log1p(-rate);
  let sum = Math.exp(logTerm);
  for (let count = 1; count <= successes; count++) {
    logTerm += Math.log((trials - count + 1) / count) + logOdds;
    sum += Math.exp(logTerm);
  }
  return Math.min(1, sum);
}

/** Whether so many wrong ones would be too unlikely at `rate` (Clopper & Pearson, Biometrika 26, 1934). */
export function isAbove(rate: number, confidence: number, { wrong, total }: Tally): boolean {
  return wrong > 0 && 1 - binomialCdf(wrong - 1, total, rate) <= 1 - confidence;
}
