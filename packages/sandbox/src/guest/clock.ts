import type { ClockReading } from "../recording.js";

/** More of them make a message of their own, so that no message grows with the time a run takes. */
const MAX_READINGS = 1000;

export interface Clock {
  /** Milliseconds since 1970: the recorded ones first, then the real ones. */
  now(): number;
  /** What `now` gave since the last time this was asked. */
  takeReadings(): ClockReading[];
}

/** `onFull` is called when there are many readings to take. */
export function createClock(
  replay: readonly ClockReading[],
  realNow: () => number,
  onFull: () => void = () => {},
): Clock {
  let readings: ClockReading[] = [];
  const remaining = replay.map(([timeMs, times]): ClockReading => [timeMs, times]).reverse();
  return { now, takeReadings };

  function now(): number {
    const timeMs = takeRecorded() ?? realNow();
    const last = readings.at(-1);
    if (last?.[0] === timeMs) last[1]++;
    else readings.push([timeMs, 1]);
    if (readings.length > MAX_READINGS) onFull();
    return timeMs;
  }

  function takeRecorded(): number | undefined {
    const next = remaining.at(-1);
    if (next === undefined) return undefined;
    if (--next[1] <= 0) remaining.pop();
    return next[0];
  }

  function takeReadings(): ClockReading[] {
    const taken = readings;
    readings = [];
    return taken;
  }
}

/** A `Date` whose present is `now`. Its instances are ordinary dates. */
export function createDate(now: () => number): DateConstructor {
  function GuestDate(...parts: unknown[]): unknown {
    if (new.target === undefined) return new Date(now()).toString();
    return Reflect.construct(Date, parts.length === 0 ? [now()] : parts, new.target);
  }
  Object.defineProperties(GuestDate, {
    name: { value: "Date" },
    length: { value: 7 },
    prototype: { value: Date.prototype, writable: false },
    now: { value: () => now() },
    parse: { value: Date.parse },
    UTC: { value: Date.UTC },
  });
  return Object.freeze(GuestDate) as unknown as DateConstructor;
}
