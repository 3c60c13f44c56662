import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { explore, type Way } from "./dry-run-explore.js";

/** Decisions as a tree: each outcome leads to further ones. */
interface Tree {
  place: string;
  next: Record<string, Tree[]>;
}

const OUTCOMES = ["a", "b", "c"];

type Plain = Record<string, unknown>;

const trees: fc.Arbitrary<Tree[]> = fc
  .letrec<{ forest: Plain[]; one: Plain }>((tie) => ({
    forest: fc.oneof({ maxDepth: 3 }, fc.constant<Plain[]>([]), fc.array(tie("one"), { maxLength: 3 })),
    one: fc.record({ a: tie("forest"), b: tie("forest"), c: tie("forest") }),
  }))
  .forest.map((forest) => number(forest, { next: 0 }));

function number(forest: readonly Plain[], ids: { next: number }): Tree[] {
  return forest.map((one) => ({
    place: `d${ids.next++}`,
    next: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, number((one[outcome] ?? []) as Plain[], ids)])),
  }));
}

/** Goes the first way unless told otherwise. */
function walk(forest: readonly Tree[], chosen: Readonly<Record<string, string>>): Way[] {
  return forest.flatMap(({ place, next }) => {
    const outcome = chosen[place] ?? "a";
    return [{ place, outcome }, ...walk(next[outcome] ?? [], chosen)];
  });
}

function listAll(forest: readonly Tree[]): string[] {
  return forest.flatMap(({ place, next }) =>
    OUTCOMES.flatMap((way) => [`${place} ${way}`, ...listAll(next[way] ?? [])]),
  );
}

const exploreTree = (forest: readonly Tree[], most: number): ReturnType<typeof explore<{ decisions: Way[] }>> =>
  explore({
    listOutcomes: () => OUTCOMES,
    attempt: async (chosen) => ({ decisions: walk(forest, chosen) }),
    mayGoOn: (runs) => runs < most,
  });

describe("exploring", () => {
  it("takes every way there is, and no more runs than ways", async () => {
    await fc.assert(
      fc.asyncProperty(trees, async (forest) => {
        const { runs, left, refused } = await exploreTree(forest, 10_000);
        const taken = new Set(
          runs.flatMap(({ decisions }) => decisions.map(({ place, outcome }) => `${place} ${outcome}`)),
        );
        const all = listAll(forest);
        expect([...taken].sort()).toEqual([...new Set(all)].sort());
        expect(runs.length).toBeLessThanOrEqual(1 + all.length);
        expect([left, refused]).toEqual([[], []]);
      }),
      { numRuns: 200 },
    );
  });

  it("stops when it is told to, and says which ways it knows and has not taken", async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.integer({ min: 1, max: 5 }), async (forest, most) => {
        const { runs, left } = await exploreTree(forest, most);
        expect(runs.length).toBeLessThanOrEqual(most);
        const taken = new Set(
          runs.flatMap(({ decisions }) => decisions.map(({ place, outcome }) => `${place} ${outcome}`)),
        );
        for (const { place, outcome } of left) expect(taken.has(`${place} ${outcome}`)).toBe(false);
        const reached = new Set(runs.flatMap(({ decisions }) => decisions.map(({ place }) => place)));
        expect(left).toHaveLength(reached.size * OUTCOMES.length - taken.size);
      }),
    );
  });

  it("says which way was chosen and not taken", async () => {
    const { refused, runs } = await explore({
      listOutcomes: () => ["ok", "error"],
      attempt: async () => ({ decisions: [{ place: "d1", outcome: "error" }] }),
      mayGoOn: () => true,
    });
    expect(refused).toEqual([{ place: "d1", outcome: "ok" }]);
    expect(runs).toHaveLength(2);
  });
});
