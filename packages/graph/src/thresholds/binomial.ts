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

/** One-sided upper bound on a rate (Clopper & Pearson, Biometrika 26, 1934): never too low, for any true rate. */
export function upperBound(successes: number, trials: number, confidence: number): number {
  if (successes >= trials) return 1;
  return bisect((rate) => binomialCdf(successes, trials, rate) > 1 - confidence);
}

/** Whether the upper bound is at most `rate`, without searching for the bound. */
export function isAtMost(rate: number, confidence: number, { wrong, total }: Tally): boolean {
  return total > 0 && binomialCdf(wrong, total, rate) <= 1 - confidence;
}

/** Whether the one-sided lower bound is above `rate`: so many wrong ones would be too unlikely otherwise. */
export function isAbove(rate: number, confidence: number, { wrong, total }: Tally): boolean {
  return wrong > 0 && 1 - binomialCdf(wrong - 1, total, rate) <= 1 - confidence;
}

/** The fewest trials without a single wrong one that show a rate to be at most `rate`. */
export function fewestTrials(rate: number, confidence: number): number {
  return Math.max(1, Math.ceil(Math.log(1 - confidence) / Math.log1p(-rate) - 1e-9));
}

export interface Tally {
  wrong: number;
  total: number;
}

const BISECTIONS = 52;

/** The largest rate in [0, 1] of which `holds` is true, given that it holds up to a point and not beyond. */
function bisect(holds: (rate: number) => boolean): number {
  let low = 0;
  let high = 1;
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return high;
}
