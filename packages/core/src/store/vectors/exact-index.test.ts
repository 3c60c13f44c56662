import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ExactIndex } from "./exact-index.js";
import { readVector } from "./vector-text.js";

const DIMENSIONS = 12;
const vector = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((numbers) => Float32Array.from(numbers));
const change = fc.oneof(
  fc.record({ type: fc.constant("put" as const), id: fc.integer({ min: 0, max: 30 }), vector }),
  fc.record({ type: fc.constant("delete" as const), id: fc.integer({ min: 0, max: 30 }) }),
);

describe("an exact index", () => {
  it("finds what a walk over all vectors finds, whatever was put and deleted before", () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 60 }),
        vector,
        fc.integer({ min: 0, max: 40 }),
        (changes, query, limit) => {
          const index = new ExactIndex(DIMENSIONS);
          const plain = new Map<string, Float32Array>();
          for (const each of changes) {
            const id = String(each.id);
            if (each.type === "put") plain.set(id, each.vector);
            else plain.delete(id);
            if (each.type === "put") index.put(id, each.vector);
            else index.delete(id);
          }
          expect(index.size).toBe(plain.size);
          const found = index.search(query, limit);
          const cosines = [...plain.values()].map((each) => dot(each, query)).sort((a, b) => b - a);
          expect(found).toHaveLength(Math.min(limit, plain.size));
          for (const [place, { id, cosine }] of found.entries()) {
            expect(cosine).toBeCloseTo(dot(plain.get(id) as Float32Array, query), 4);
            expect(cosine).toBeCloseTo(cosines[place] ?? Number.NaN, 4);
          }
        },
      ),
    );
  });

  it("refuses a vector of another length", () => {
    expect(() => new ExactIndex(3).put("a", new Float32Array(4))).toThrow(RangeError);
  });
});

it("reads a vector as pgvector sends it", () => {
  const bytes = new Uint8Array([0, 2, 0, 0, 0x3f, 0x80, 0, 0, 0xbf, 0, 0, 0]);
  expect(readVector(bytes)).toEqual(new Float32Array([1, -0.5]));
});

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, each, index) => sum + each * (b[index] ?? 0), 0);
}
