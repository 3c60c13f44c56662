import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { arrangeCalls } from "./arrange-calls.js";
import { type ForcedLink, type ForcedNode, layoutByForce } from "./by-force.js";
import { layoutInRows } from "./in-rows.js";

const graphs = fc.integer({ min: 0, max: 40 }).chain((count) =>
  fc.record({
    nodes: fc.array(
      fc.record({ weight: fc.double({ min: 0, max: 1, noNaN: true }), community: fc.integer({ min: 0, max: 4 }) }),
      { minLength: count, maxLength: count },
    ),
    links: fc.array(linksOf(Math.max(2, count)), { maxLength: count < 2 ? 0 : 80 }),
  }),
);

function linksOf(count: number): fc.Arbitrary<ForcedLink> {
  const end = fc.integer({ min: 0, max: count - 1 });
  const type = fc.constantFrom("dependency", "contains", "provides");
  return fc.record({ from: end, to: end, type }).filter(({ from, to }) => from !== to);
}

describe("a layout by force", () => {
  it("is the same for the same graph, and gives every node a place", () => {
    fc.assert(
      fc.property(graphs, ({ nodes, links }: { nodes: ForcedNode[]; links: ForcedLink[] }) => {
        const places = layoutByForce(nodes, links);
        expect(places).toHaveLength(nodes.length);
        expect(places.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
        expect(layoutByForce(nodes, links)).toEqual(places);
      }),
      { numRuns: 40 },
    );
  });

  it("puts what is joined nearer than what is not", () => {
    const nodes = Array.from({ length: 20 }, (_, at) => ({ weight: 0.5, community: at % 2 }));
    const links = nodes.flatMap((_, from) =>
      nodes.flatMap((__, to) => (from < to && from % 2 === to % 2 ? [{ from, to, type: "dependency" }] : [])),
    );
    const places = layoutByForce(nodes, [...links, { from: 0, to: 1, type: "provides" }]);
    const distance = (a: number, b: number): number =>
      Math.hypot((places[a]?.x ?? 0) - (places[b]?.x ?? 0), (places[a]?.y ?? 0) - (places[b]?.y ?? 0));
    expect(distance(2, 4)).toBeLessThan(distance(2, 5));
  });

  it("sets what is joined to nothing apart, below, no two in one place", () => {
    const nodes = Array.from({ length: 30 }, () => ({ weight: 0 }));
    const places = layoutByForce(nodes, [{ from: 0, to: 1, type: "contains" }]);
    const lowest = Math.max(places[0]?.y ?? 0, places[1]?.y ?? 0);
    const idle = places.slice(2);
    expect(idle.every(({ y }) => y > lowest)).toBe(true);
    expect(new Set(idle.map(({ x, y }) => `${x} ${y}`)).size).toBe(28);
  });
});

const call = (index: number, startMs: number, endMs: number): { index: number; startMs: number; endMs: number } => ({
  index,
  startMs,
  endMs,
});

describe("a run in columns", () => {
  it("has what came after to the right, and what ran at the same time in one column", () => {
    const calls = [call(0, 0, 5), call(1, 0, 6), call(2, 7, 9)];
    const links = [0, 1].map((from) => ({ from, to: 2, type: "sequence" }));
    const { cells, columns, lanes } = arrangeCalls(calls, links);
    const cellOf = new Map(cells.map(({ index, column, lane }) => [index, [column, lane]]));
    expect([cellOf.get(1)?.[0], cellOf.get(0)?.[0], cellOf.get(2)?.[0]]).toEqual([0, 0, 1]);
    expect(cellOf.get(0)).not.toEqual(cellOf.get(1));
    expect([columns, lanes]).toEqual([2, 2]);
  });

  it("does not mind links that run against time", () => {
    const { columns } = arrangeCalls([call(0, 0, 1), call(1, 2, 3)], [{ from: 1, to: 0, type: "sequence" }]);
    expect(columns).toBe(1);
  });

  it("never lies on another run", () => {
    const rows = Array.from({ length: 9 }, (_, row) => ({
      caption: `run ${row}`,
      calls: Array.from({ length: 1 + (row % 4) }, (__, at) => call(row * 10 + at, at, at + 1)),
    }));
    const { places, captions } = layoutInRows(rows, []);
    const all = rows.flatMap(({ calls }) => calls.map(({ index }) => places[index]));
    expect(new Set(all.map((place) => `${place?.x} ${place?.y}`)).size).toBe(all.length);
    expect(new Set(captions.map(({ x, y }) => `${x} ${y}`)).size).toBe(9);
  });
});
