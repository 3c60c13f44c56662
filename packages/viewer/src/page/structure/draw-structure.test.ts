import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { LearningView } from "../../memory-view.js";
import type { StepEdge, StepType, StructureView } from "../../structure.js";
import { drawStructure } from "./draw-structure.js";
import type { Drawing } from "./drawing.js";

const NOTHING: LearningView = { runs: 0, visits: [], decisions: [], ways: [] };
const measure = (text: string): number => text.length * 7;

function structure(steps: Record<string, StepType>, edges: string[]): StructureView {
  return {
    nodes: Object.entries(steps).map(([id, type]) => ({
      id,
      type,
      title: id,
      ...(type === "decision" && { outcomes: ["true", "false"] }),
    })),
    edges: edges.map(readEdge),
  };
}

/** `a>b` is a sequence, `a>b:true` an outcome, `a{b` a loop around a step, `a~b` a flow. */
function readEdge(text: string): StepEdge {
  const [, from = "", sign = "", to = "", outcome] = /^(\w+)([>{~])(\w+)(?::(\w+))?$/.exec(text) ?? [];
  const type =
    sign === "{" ? "contains" : sign === "~" ? "provides" : outcome === undefined ? "sequence" : "conditional";
  return { from, to, type, ...(outcome !== undefined && { outcome }) };
}

const BRANCHES = structure({ d1: "decision", n1: "task", n2: "task" }, ["d1>n1:true", "d1>n2:false"]);
const TAKEN: LearningView = {
  runs: 10,
  visits: [
    ["d1", 10],
    ["n1", 9],
    ["n2", 1],
  ],
  decisions: [
    { nodeId: "d1", outcome: "true", count: 9 },
    { nodeId: "d1", outcome: "false", count: 1 },
  ],
  ways: [],
};

const isTaken = (learning: LearningView): (boolean | undefined)[] =>
  drawStructure(BRANCHES, learning, measure).lines.map((line) => line.isTaken);

describe("the drawing of a structure", () => {
  it("has a way as thick as it was taken", () => {
    const { lines } = drawStructure(BRANCHES, TAKEN, measure);
    const [often, seldom] = ["true", "false"].map((text) => lines.find(({ label }) => label?.text === text));
    expect([often?.count, seldom?.count]).toEqual([9, 1]);
    expect(often?.width).toBeGreaterThan((seldom?.width ?? 0) * 1.5);
  });

  it("marks what was never taken, unless nothing ran", () => {
    const never = { ...TAKEN, decisions: TAKEN.decisions.slice(0, 1), visits: TAKEN.visits.slice(0, 2) };
    expect(isTaken(never)).toEqual([true, false]);
    expect(isTaken(NOTHING)).toEqual([true, true]);
  });

  it("stands from top to bottom in the order of the code", () => {
    const { boxes } = drawStructure(
      structure({ n1: "task", n2: "task", n3: "task" }, ["n1>n2", "n2>n3"]),
      NOTHING,
      measure,
    );
    const ys = boxes.map(({ y }) => y);
    expect(ys).toEqual([...ys].sort((a, b) => a - b));
  });

  it("has what runs at once side by side, and counts forks by what follows them", () => {
    const fork = structure({ f1: "fork", n1: "task", n2: "task", j1: "join" }, ["f1>n1", "f1>n2", "n1>j1", "n2>j1"]);
    const visits: [string, number][] = [
      ["n1", 4],
      ["n2", 4],
    ];
    const { boxes, lines } = drawStructure(fork, { ...NOTHING, runs: 4, visits }, measure);
    const [f1, n1, n2] = boxes;
    expect(n1?.y).toBe(n2?.y);
    expect(n1?.x).not.toBe(n2?.x);
    expect([f1?.count, ...lines.map(({ count }) => count)]).toEqual([4, 4, 4, 4, 4]);
  });

  it("has a loop around what it repeats, and nothing else in it", () => {
    const edges = ["l1{n1", "l1{n2", "n1>n2", "l1>n3"];
    const drawing = drawStructure(
      structure({ l1: "loop", n1: "task", n2: "task", n3: "task" }, edges),
      NOTHING,
      measure,
    );
    expect(inside(drawing, "n1")).toBe(true);
    expect(inside(drawing, "n2")).toBe(true);
    expect(inside(drawing, "n3")).toBe(false);
  });

  it("ends a way out after which nothing follows", () => {
    const { boxes, lines } = drawStructure(structure({ d1: "decision", n1: "task" }, ["d1>n1:true"]), TAKEN, measure);
    expect(boxes.filter(({ type }) => type === "end")).toHaveLength(1);
    expect(lines.map(({ label }) => label?.text)).toEqual(["true", "false"]);
  });

  it("has a flow of data from step to step, out of the way", () => {
    const { flows, lines } = drawStructure(structure({ n1: "task", n2: "task" }, ["n1>n2", "n1~n2"]), NOTHING, measure);
    expect(flows).toMatchObject([{ from: "n1", to: "n2" }]);
    expect(lines).toHaveLength(1);
  });

  it("is the same for the same structure", () => {
    expect(drawStructure(BRANCHES, TAKEN, measure)).toEqual(drawStructure(BRANCHES, TAKEN, measure));
  });

  it("comes of whatever claims to be a structure: loops in themselves, circles, steps named as prototypes", () => {
    const ids = fc.constantFrom("a", "b", "c", "__proto__", "constructor");
    const types = fc.constantFrom<StepType>("task", "decision", "loop", "fork", "join");
    const kinds = fc.constantFrom<StepEdge["type"]>("sequence", "conditional", "contains", "provides");
    const steps = fc.uniqueArray(fc.record({ id: ids, type: types, title: fc.string() }), { selector: ({ id }) => id });
    const edges = fc.array(fc.record({ from: ids, to: ids, type: kinds }), { maxLength: 12 });
    fc.assert(
      fc.property(steps, edges, (nodes, all) => {
        const known = new Set(nodes.map(({ id }) => id));
        const drawn = { nodes, edges: all.filter(({ from, to }) => known.has(from) && known.has(to)) };
        expect(drawStructure(drawn, NOTHING, measure).boxes).toHaveLength(nodes.length);
      }),
      { numRuns: 300 },
    );
  });
});

function inside({ loops: [loop], boxes }: Drawing, id: string): boolean {
  const box = boxes.find((each) => each.id === id);
  if (loop === undefined || box === undefined) throw new Error("There is no loop, or no such step.");
  return Math.abs(box.x - loop.x) < loop.width / 2 && Math.abs(box.y - loop.y) < loop.height / 2;
}
