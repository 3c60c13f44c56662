import { setImmediate as nextTurn } from "node:timers/promises";

/** How long the host's own work may have to wait. */
const TURN_MS = 5;

/** Does work that was cut into steps, all at once. */
export function finish<Result>(work: Generator<undefined, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The same a few milliseconds at a time, with everybody else's turn between. */
export async function finishInTurns<Result>(work: Generator<undefined, Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    signal.throwIfAborted();
    const until = performance.now() + TURN_MS;
    while (performance.now() < until) {
      const step = work.next();
      if (step.done === true) return step.value;
    }
    await nextTurn();
  }
}
