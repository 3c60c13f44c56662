import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { binomialCdf, isAbove } from "./binomial.js";

describe("the bounds of a rate", () => {
  // Clopper & Pearson's own tables, and the rule of three.
  it.each([
    { wrong: 5, total: 50, confidence: 0.975, bound: 0.0333 },
    { wrong: 1, total: 20, confidence: 0.975, bound: 0.00127 },
    { wrong: 10, total: 10, confidence: 0.95, bound: 0.7411 },
  ])("puts $wrong of $total above $bound, and no higher", ({ wrong, total, confidence, bound }) => {
    expect(isAbove(bound * 0.99, confidence, { wrong, total })).toBe(true);
    expect(isAbove(bound * 1.01, confidence, { wrong, total })).toBe(false);
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
});
