import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type ClockReading, observeClock } from "../recording.js";
import { createClock, createDate } from "./clock.js";

const times = fc.array(fc.nat(50), { maxLength: 50 });

function readAll(clock: { now(): number }, count: number): number[] {
  return Array.from({ length: count }, () => clock.now());
}

describe("a clock", () => {
  it("gives on replay what it gave before, however its readings were taken", () => {
    fc.assert(
      fc.property(times, fc.nat(50), (real, cut) => {
        const source = [...real];
        const first = createClock([], () => source.shift() ?? 0);
        const recorded: ClockReading[] = [];
        const before = readAll(first, Math.min(cut, real.length));
        observeClock(recorded, first.takeReadings());
        const after = readAll(first, real.length - before.length);
        observeClock(recorded, first.takeReadings());
        const second = createClock(recorded, () => Number.NaN);
        expect(readAll(second, real.length)).toEqual([...before, ...after]);
      }),
    );
  });

  it("goes on with the real time when its recording ends", () => {
    expect(
      readAll(
        createClock([[5, 2]], () => 9),
        4,
      ),
    ).toEqual([5, 5, 9, 9]);
  });
});

describe("its Date", () => {
  const GuestDate = createDate(() => 1234);

  it.each<[name: string, value: unknown, expected: unknown]>([
    ["knows the time of the clock", GuestDate.now(), 1234],
    ["makes dates of that time", new GuestDate().getTime(), 1234],
    ["makes dates of any other", new GuestDate(5).getTime(), 5],
    ["makes dates that are dates", new GuestDate() instanceof Date, true],
    ["gives text when called", GuestDate(), new Date(1234).toString()],
  ])("%s", (_, value, expected) => {
    expect(value).toEqual(expected);
  });
});
