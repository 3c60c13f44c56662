import { setMaxListeners } from "node:events";

/** A signal of one run's own. */
export interface RunSignal {
  signal: AbortSignal;
  /** The run is over: nothing of it stays with the signals it followed. */
  release(): void;
}

/** Gives each run a signal that aborts with `closing`, and with the caller's where there is one. */
export function createRunSignals(closing: AbortSignal): (given?: AbortSignal) => RunSignal {
  /** Runs may share a signal by the hundred; Node would warn whoever owns it of so many listeners. */
  const followers = new WeakMap<AbortSignal, AbortSignal>();
  setMaxListeners(0, closing);
  return (given) => (given === undefined ? { signal: closing, release() {} } : linkSignals([closing, follow(given)]));

  function follow(given: AbortSignal): AbortSignal {
    const known = followers.get(given);
    if (known !== undefined) return known;
    const follower = AbortSignal.any([given]);
    setMaxListeners(0, follower);
    followers.set(given, follower);
    return follower;
  }
}

/** `AbortSignal.any` would do, but leaves a little in each signal for as long as that lives: it adds up, run by run. */
function linkSignals(signals: readonly AbortSignal[]): RunSignal {
  const controller = new AbortController();
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted !== undefined) controller.abort(aborted.reason);
  for (const signal of signals) signal.addEventListener("abort", abort);
  return {
    signal: controller.signal,
    release: () => signals.forEach((signal) => signal.removeEventListener("abort", abort)),
  };

  function abort(this: AbortSignal): void {
    controller.abort(this.reason);
  }
}
