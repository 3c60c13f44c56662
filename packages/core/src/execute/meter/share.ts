import { setImmediate as nextTurn } from "node:timers/promises";

import { successInterval } from "../../learn/reliability.js";
import type { Interval, Mean, Share } from "./evaluation.js";

/** A figure that rests on fewer is not given. */
const LEAST = 10;
const ROUNDS = 1000;
/** How long the host's own work may have to wait. */
const TURN_MS = 5;

/** With Wilson's interval. */
export function shareOf(count: number, of: number): Share {
  if (of < LEAST) return { count, of, share: undefined, interval: undefined };
  return { count, of, share: count / of, interval: successInterval({ successCount: count, failureCount: of - count }) };
}

export function shareWhere<Item>(items: readonly Item[], isSo: (item: Item) => boolean): Share {
  return shareOf(items.filter(isSo).length, items.length);
}

/** With an interval by drawing from the values, with replacement: the same values give the same one. */
export async function meanOf(values: readonly number[]): Promise<Mean> {
  const of = values.length;
  if (of < LEAST) return { of, mean: undefined, interval: undefined };
  return { of, mean: average(values), interval: await drawInterval(values) };
}

async function drawInterval(values: readonly number[]): Promise<Interval> {
  const random = createRandom(values.length);
  const means: number[] = [];
  let until = performance.now() + TURN_MS;
  while (means.length < ROUNDS) {
    let sum = 0;
    for (let drawn = 0; drawn < values.length; drawn++) sum += values[Math.floor(random() * values.length)] ?? 0;
    means.push(sum / values.length);
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + TURN_MS;
  }
  means.sort((a, b) => a - b);
  return { low: means[Math.floor(0.025 * ROUNDS)] ?? 0, high: means[Math.ceil(0.975 * ROUNDS) - 1] ?? 0 };
}

export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** The same numbers for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
