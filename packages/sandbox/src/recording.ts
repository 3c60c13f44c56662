/** A time the clock gave, in milliseconds, and how many times in a row it gave it. */
export type ClockReading = [timeMs: number, times: number];

/**
 * What a run took from the world besides tools. Given back as `replay`, the same code sees the same times and the same
 * random numbers; a run that goes on longer than its recording goes on with the real clock.
 */
export interface Recording {
  clock: ClockReading[];
  /** Every `Math.random()` of a run follows from its seed. */
  randomSeed: string;
}

/** Folds readings into those before, a repeated time into its count. */
export function observeClock(clock: ClockReading[], readings: readonly ClockReading[]): void {
  for (const [timeMs, times] of readings) {
    const last = clock.at(-1);
    if (last?.[0] === timeMs) last[1] += times;
    else clock.push([timeMs, times]);
  }
}
