import type { Tally } from "./binomial.js";

/**
 * The share of wrong ones with the next one counted as wrong: what conformal risk control compares with the target
 * (Angelopoulos, Bates, Fisch, Lei & Schuster, 2022).
 *
 * Of n outcomes, and of these with the next one, take the loosest threshold down to which this, and the plain share, stays
 * within the target. Where the next one runs, the first threshold is no looser than the second, and the second does not
 * depend on which of the n + 1 is the next: so the chance that the next one runs and is wrong is at most the target, times
 * the chance that it lies above the second. Nothing is assumed but that outcomes could have come in any order. Looking after
 * every one of them costs nothing, as the promise is made anew for each next one.
 */
export function boundNext({ wrong, total }: Tally): number {
  return (wrong + 1) / (total + 1);
}

/** The fewest outcomes, none of them wrong, that bring the bound within the target. */
export function fewestOutcomes(target: number): number {
  return Math.max(0, Math.ceil(1 / target - 1 - 1e-9));
}
