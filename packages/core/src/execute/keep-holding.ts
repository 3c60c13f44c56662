import type { StoreContext } from "../store/context.js";
import { releaseHolds, renewHolds } from "../store/workflows.js";
import type { UnderWay } from "./under-way.js";

/** Well within the minute that a hold lasts. */
const RENEW_MS = 15_000;

/**
 * Tells other processes on the same database which runs this one is at, so that none takes them for cut off. Returns how to
 * stop, when nothing runs any more.
 */
export function keepHolding(context: StoreContext, underWay: UnderWay): () => Promise<void> {
  const renew = async (): Promise<void> => {
    const ids = underWay.list();
    if (ids.length > 0) await renewHolds(context, ids);
  };
  const missed = (error: Error): void => context.warn("Runs were not held.", { error: error.name });
  const timer = setInterval(() => void renew().catch(missed), RENEW_MS).unref();
  return async () => {
    clearInterval(timer);
    await releaseHolds(context).catch(missed);
  };
}
