import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ExactIndex } from "./exact-index.js";
import { readVector } from "./vector-text.js";

const DIMENSIONS = 12;
const vector = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((numbers) => Float32Array.from(numbers));
const group = fc.constantFrom("a", "b", "c");
const change = fc.oneof(
  fc.record({ type: fc.constant("put" as const), id: fc.integer({ min: 0, max: 30 }), vector, group }),
  fc.record({ type: fc.constant("delete" as const), id: fc.integer({ min: 0, max: 30 }) }),
);

describe("an exact index", () => {
  it("finds and counts what a walk over all vectors of the groups finds, whatever was put and deleted before", () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 60 }),
        fc.record({ query: vector, limit: fc.integer({ min: 0, max: 40 }), open: fc.subarray(["a", "b", "c"]) }),
        (changes, { query, limit, open }) => {
          const { index, plain } = apply(changes);
          expect(index.size).toBe(plain.size);
          const seen = [...plain.values()].filter((each) => open.includes(each.group));
          expect(index.count((each) => open.includes(each))).toBe(seen.length);
          const found = index.search(query, limit, (each) => open.includes(each));
          const cosines = seen.map((each) => dot(each.vector, query)).sort((a, b) => b - a);
          expect(found).toHaveLength(Math.min(limit, seen.length));
          for (const [place, { id, cosine }] of found.entries()) {
            expect(open).toContain(plain.get(id)?.group);
            expect(cosine).toBeCloseTo(dot(plain.get(id)?.vector as Float32Array, query), 4);
            expect(cosine).toBeCloseTo(cosines[place] ?? Number.NaN, 4);
          }
          for (const [id, each] of plain) expect(index.find(id)).toEqual(each.vector);
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

type Put = { id: number; vector: Float32Array; group: string };

function apply(changes: readonly (({ type: "put" } & Put) | { type: "delete"; id: number })[]): {
  index: ExactIndex;
  plain: Map<string, Pick<Put, "vector" | "group">>;
} {
  const index = new ExactIndex(DIMENSIONS);
  const plain = new Map<string, Pick<Put, "vector" | "group">>();
  for (const each of changes) {
    const id = String(each.id);
    if (each.type === "put") plain.set(id, each);
    else plain.delete(id);
    if (each.type === "put") index.put(id, each.vector, each.group);
    else index.delete(id);
  }
  return { index, plain };
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, each, index) => sum + each * (b[index] ?? 0), 0);
}
