export interface Backoff {
  /** Before the first try. */
  firstMs: number;
  /** Between tries at the most. */
  longestMs: number;
}

export const DEFAULT_BACKOFF: Backoff = { firstMs: 250, longestMs: 30_000 };

/** Twice as long each time, and never quite the same, so that what died together does not come back together. */
export function delayBefore(attempt: number, { firstMs, longestMs }: Backoff, random: number): number {
  const full = Math.min(firstMs * 2 ** Math.min(attempt, 30), longestMs);
  return full * (1 - random / 4);
}
