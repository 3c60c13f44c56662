import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { binomialCdf, fewestTrials, isAbove, isAtMost, upperBound } from "./binomial.js";

describe("the bounds of a rate", () => {
  // Clopper & Pearson's own tables, and the rule of three.
  it.each([
    { wrong: 0, total: 10, confidence: 0.95, bound: 0.2589 },
    { wrong: 0, total: 299, confidence: 0.95, bound: 0.00997 },
    { wrong: 1, total: 20, confidence: 0.975, bound: 0.2487 },
    { wrong: 5, total: 50, confidence: 0.975, bound: 0.2181 },
    { wrong: 10, total: 10, confidence: 0.95, bound: 1 },
  ])("puts $wrong of $total at most at $bound", ({ wrong, total, confidence, bound }) => {
    expect(upperBound(wrong, total, confidence)).toBeCloseTo(bound, 4);
  });

  it("needs as many trials without a wrong one as the bound says, and no fewer", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.5, noNaN: true }), fc.constantFrom(0.9, 0.95, 0.99), (rate, sure) => {
        const needed = fewestTrials(rate, sure);
        expect(isAtMost(rate, sure, { wrong: 0, total: needed })).toBe(true);
        expect(needed === 1 || !isAtMost(rate, sure, { wrong: 0, total: needed - 1 })).toBe(true);
      }),
    );
  });

  it("is a distribution: it rises with the count and ends at one, and never leaves [0, 1]", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), fc.double({ min: 0, max: 1, noNaN: true }), (trials, rate) => {
        const some = Math.floor(trials / 50);
        expect(binomialCdf(some, trials, rate)).toBeLessThanOrEqual(binomialCdf(some + 1, trials, rate));
        expect(binomialCdf(some, trials, rate)).toBeGreaterThanOrEqual(0);
        expect(binomialCdf(trials, trials, rate)).toBe(1);
      }),
    );
  });

  it("never finds the same counts both within and beyond a rate", () => {
    fc.assert(
      fc.property(
        fc.nat(400),
        fc.nat(400),
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        (wrong, right, rate) => {
          const tally = { wrong, total: wrong + right };
          expect(isAtMost(rate, 0.9, tally) && isAbove(rate, 0.9, tally)).toBe(false);
        },
      ),
    );
  });
});
