import { checkNumber } from "../../model/text.js";

export interface PrefetchOptions {
  /** Calls of one run that may turn out to have been for nothing. Default 4; no more are ever waiting to be asked for. */
  mostWasted?: number;
  /** How likely it has to be that a call is asked for just so. Default 0.6: one run that was just so is enough. */
  leastConfidence?: number;
  /** A result older than this is not used. Default 10 seconds. */
  maxAgeMs?: number;
}

export const DEFAULT_PREFETCH_OPTIONS: Required<PrefetchOptions> = {
  mostWasted: 4,
  leastConfidence: 0.6,
  maxAgeMs: 10_000,
};

/** Undefined when nothing is to be called ahead of time. */
export function resolvePrefetch(given: PrefetchOptions | boolean | undefined): Required<PrefetchOptions> | undefined {
  if (given === false) return undefined;
  const options = { ...DEFAULT_PREFETCH_OPTIONS, ...(typeof given === "object" && given) };
  checkNumber("prefetch.mostWasted", options.mostWasted, { min: 1, max: 1000 });
  checkNumber("prefetch.leastConfidence", options.leastConfidence, { min: 0, max: 1 });
  checkNumber("prefetch.maxAgeMs", options.maxAgeMs, { min: 0, max: Number.MAX_SAFE_INTEGER });
  return options;
}
