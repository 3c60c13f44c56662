import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { calibrate, fitCalibration } from "./calibration.js";
import { MINILM_CALIBRATION } from "./minilm-calibration.js";

const pair = fc.record({ cosine: fc.double({ min: -1, max: 1, noNaN: true }), same: fc.boolean() });
const pairs = fc
  .array(pair, { minLength: 2, maxLength: 200 })
  .filter((all) => all.some(({ same }) => same) && all.some(({ same }) => !same));

describe("fitCalibration", () => {
  it("gives a map that never falls and stays between 0 and 1", () => {
    fc.assert(
      fc.property(pairs, pair, pair, (all, a, b) => {
        const calibration = fitCalibration(all);
        const [low, high] = [Math.min(a.cosine, b.cosine), Math.max(a.cosine, b.cosine)];
        expect(calibrate(calibration, low)).toBeLessThanOrEqual(calibrate(calibration, high) + 1e-12);
        expect(calibrate(calibration, low)).toBeGreaterThanOrEqual(0);
        expect(calibrate(calibration, high)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("does not depend on the order of the pairs", () => {
    fc.assert(
      fc.property(pairs, (all) => {
        const forwards = fitCalibration(all);
        const backwards = fitCalibration([...all].reverse());
        expect(backwards.knots.length).toBe(forwards.knots.length);
        expect(calibrate(backwards, 0.3)).toBeCloseTo(calibrate(forwards, 0.3), 6);
      }),
    );
  });

  it.each([
    ["no pairs", []],
    ["pairs of one kind", [{ cosine: 0.5, same: true }]],
    [
      "a cosine that is no number",
      [
        { cosine: Number.NaN, same: true },
        { cosine: 0, same: false },
      ],
    ],
  ])("refuses %s", (_, bad) => {
    expect(() => fitCalibration(bad)).toThrow(expect.objectContaining({ code: "EMBEDDINGS_INVALID_PAIRS" }));
  });
});

describe("the calibration of the bundled model", () => {
  it("rises, and is sure of nothing that pairs cannot show", () => {
    const values = MINILM_CALIBRATION.knots.map(([, value]) => value);
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(calibrate(MINILM_CALIBRATION, 1)).toBeLessThan(1);
    expect(calibrate(MINILM_CALIBRATION, 0)).toBeLessThan(0.05);
  });
});
