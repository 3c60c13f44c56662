import fc from "fast-check";
import { expect, it } from "vitest";

import { DEFAULT_BACKOFF, delayBefore } from "./backoff.js";

it("waits longer each time, within its bounds", () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
      const delay = delayBefore(attempt, DEFAULT_BACKOFF, random);
      expect(delay).toBeGreaterThanOrEqual(DEFAULT_BACKOFF.firstMs * 0.75);
      expect(delay).toBeLessThanOrEqual(DEFAULT_BACKOFF.longestMs);
    }),
  );
  expect([0, 1, 2, 30].map((attempt) => delayBefore(attempt, DEFAULT_BACKOFF, 0))).toEqual([250, 500, 1000, 30_000]);
});
