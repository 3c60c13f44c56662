import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { planBatches } from "./batches.js";

describe("planBatches", () => {
  it("has every text once, in batches of at most 32", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3000 }), { maxLength: 100 }), (texts) => {
        const batches = planBatches(texts);
        expect(batches.flat().sort((a, b) => a - b)).toEqual(texts.map((_, index) => index));
        expect(Math.max(0, ...batches.map(({ length }) => length))).toBeLessThanOrEqual(32);
      }),
    );
  });
});
