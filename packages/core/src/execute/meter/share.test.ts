import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { calibrate, type Scored } from "./calibration.js";
import { sameWords } from "./same-words.js";
import { meanOf, shareOf } from "./share.js";

const value = fc.double({ min: -1000, max: 1000, noNaN: true });

describe("a mean", () => {
  it("lies in its interval, within what was counted, and is the same again", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 10, maxLength: 40 }), async (values) => {
        const { of, mean = Number.NaN, interval } = await meanOf(values);
        const [least, most] = [Math.min(...values), Math.max(...values)];
        const slack = 1e-9;
        expect(of).toBe(values.length);
        expect(interval?.low).toBeGreaterThanOrEqual(least - slack);
        expect(interval?.high).toBeLessThanOrEqual(most + slack);
        expect(mean).toBeGreaterThanOrEqual(least - slack);
        expect(await meanOf(values)).toEqual({ of, mean, interval });
      }),
      { numRuns: 30 },
    );
  });

  it("has an interval that gets narrower as more is counted", async () => {
    expect(await widthOf(20)).toBeGreaterThan(2 * (await widthOf(400)));
  });

  it("of fewer than ten is not given, and neither is a share", async () => {
    expect(await meanOf([1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual({ of: 9, mean: undefined, interval: undefined });
    expect(shareOf(4, 9)).toEqual({ count: 4, of: 9, share: undefined, interval: undefined });
    expect(shareOf(4, 10)).toMatchObject({ share: 0.4, interval: { low: expect.any(Number) } });
  });
});

describe("calibration", () => {
  it.each([
    ["says what comes true", [...draw(0, 0, 20), ...draw(1, 20, 20)], { brier: 0, error: 0 }],
    ["says one half of what comes true half of the time", draw(0.5, 20, 40), { brier: 0.25, error: 0 }],
    ["is sure and always wrong", draw(1, 0, 40), { brier: 1, error: 1 }],
    ["is surer than it may be", [...draw(0.9, 14, 20), ...draw(0.1, 2, 20)], { brier: 0.17, error: 0.1 }],
  ])("of what %s", async (_, scored, { brier, error }) => {
    const measured = await calibrate(scored);
    expect(measured.brier.mean).toBeCloseTo(brier, 6);
    expect(measured.error).toBeCloseTo(error, 6);
    expect(measured.bins.reduce((sum, { right }) => sum + right.of, 0)).toBe(40);
  });

  it("is not summed up from fewer than thirty scores; the bins are there", async () => {
    const { of, error, brier, bins } = await calibrate(draw(0.25, 3, 29));
    expect([of, error, brier.of]).toEqual([29, undefined, 29]);
    expect(bins).toMatchObject([{ from: 0.2, to: 0.3, score: 0.25, right: { count: 3, of: 29 } }]);
  });
});

async function widthOf(times: number): Promise<number> {
  const { interval } = await meanOf(Array.from({ length: times }, (_, at) => at % 2));
  return (interval?.high ?? 0) - (interval?.low ?? 0);
}

function draw(score: number, right: number, of: number): Scored[] {
  return Array.from({ length: of }, (_, at) => ({ score, right: at < right }));
}

describe("what says the same", () => {
  it.each([
    ["order", "the rain in Oslo", "Oslo: rain?"],
    ["endings", "list open files", "listing the open file"],
    ["numbers", "send invoice 17", "send invoice 4_200"],
    ["quotes", 'translate "good day"', 'translate "good night, and good luck"'],
    ["case", "READ A FILE", "read a file"],
  ])("does so whatever its %s", (_, one, other) => expect(sameWords(one)).toBe(sameWords(other)));

  it.each([
    ["another word", "rain in Oslo", "rain in Bergen"],
    ["nothing but numbers", "17", "18"],
    ["nothing but signs", "?", "!"],
  ])("does not with %s", (_, one, other) => expect(sameWords(one)).not.toBe(sameWords(other)));
});
