/** How often something worked, and how often not. */
export interface Outcomes {
  readonly successCount: number;
  readonly failureCount: number;
}

/** What is expected before anything was seen: what has worked once mostly goes on working. */
const PRIOR = { successes: 9, failures: 1 };

/** Expected success rate, so that neither one lucky run nor one unlucky one reads as certainty. */
export function expectedSuccess({ successCount, failureCount }: Outcomes): number {
  return (successCount + PRIOR.successes) / (successCount + failureCount + PRIOR.successes + PRIOR.failures);
}

/**
 * The least and most the true rate may well be: Wilson's interval at 95 % (Wilson, 1927). Wide while little was seen.
 */
export function successInterval({ successCount, failureCount }: Outcomes): { low: number; high: number } {
  const total = successCount + failureCount;
  if (total === 0) return { low: 0, high: 1 };
  const z2 = 1.96 ** 2;
  const rate = successCount / total;
  const centre = (rate + z2 / (2 * total)) / (1 + z2 / total);
  const half = (1.96 / (1 + z2 / total)) * Math.sqrt((rate * (1 - rate)) / total + z2 / (4 * total * total));
  // Exactly none or all: rounding must not put a bound beyond what was counted.
  return {
    low: successCount === 0 ? 0 : Math.max(0, centre - half),
    high: failureCount === 0 ? 1 : Math.min(1, centre + half),
  };
}

/** Failures that are looked at before anything is taken back; one or two happen to everything. */
const FAILURES_THAT_TELL = 3;

/**
 * Whether one thing does worse than another that was there before it. The lower bound of what has seldom run lies under
 * that of anything proven, so what it achieved so far has to lie under it as well.
 */
export function isWorse(now: Outcomes, before: Outcomes): boolean {
  const total = now.successCount + now.failureCount;
  return now.failureCount >= FAILURES_THAT_TELL && now.successCount / total < successInterval(before).low;
}
