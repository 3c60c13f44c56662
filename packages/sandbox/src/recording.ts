import { randomUUID } from "node:crypto";

import { invalidOptions } from "./error.js";

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

/** What a new run starts from. Recordings come out of stores: one that is damaged must not reach a child. */
export function resolveReplay(replay: Recording | undefined): Recording {
  if (replay === undefined) return { clock: [], randomSeed: createSeed() };
  const { clock, randomSeed } = replay;
  if (typeof randomSeed !== "string" || !SEED.test(randomSeed))
    throw invalidOptions("replay.randomSeed has to be the one of a recording: 32 hexadecimal digits.");
  if (!Array.isArray(clock) || !clock.every(isReading))
    throw invalidOptions("replay.clock has to be the one of a recording: pairs of a time and how often it was given.");
  return { clock, randomSeed };
}

const SEED = /^[0-9a-f]{32}$/i;

function isReading(reading: unknown): boolean {
  if (!Array.isArray(reading) || reading.length !== 2) return false;
  return Number.isFinite(reading[0]) && Number.isSafeInteger(reading[1]) && reading[1] >= 0;
}

/** 122 random bits: enough that no two runs share them. */
function createSeed(): string {
  return randomUUID().replaceAll("-", "");
}
