import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { StaticStructureBuilder } from "../src/index.js";
import { programs } from "./programs.js";
import { recordRun } from "./record-run.js";

const builder = new StaticStructureBuilder();

describe("instrumented code", () => {
  it("returns, throws and calls as the original does, in the same order", async () => {
    await fc.assert(
      fc.asyncProperty(programs(), async (code) => {
        const { instrumented } = builder.build(code);
        const original = await recordRun(code);
        const rewritten = await recordRun(instrumented.code);
        expect(rewritten.outcome).toBe(original.outcome);
        expect(rewritten.calls).toEqual(original.calls);
      }),
      { numRuns: 500 },
    );
  });

  it("reports for each call a node of that tool, told apart by its iteration", async () => {
    await fc.assert(
      fc.asyncProperty(programs(), async (code) => {
        const { instrumented, structure } = builder.build(code);
        const nodes = new Map(structure.nodes.map((node) => [node.id, node]));
        const { announced, decisions, operations } = await recordRun(instrumented.code);
        for (const { node, tool } of announced) expect(nodes.get(node ?? "")).toMatchObject({ type: "task", tool });
        for (const { node, operation } of operations) expect(nodes.get(node ?? "")).toMatchObject({ tool: operation });
        for (const { node, outcome } of decisions) {
          expect(nodes.get(node ?? "")).toMatchObject({
            type: "decision",
            outcomes: expect.arrayContaining([outcome]),
          });
        }
        for (const { node, decided } of announced) {
          const before = decisions.slice(0, decided);
          const isReached = nodes
            .get(node ?? "")
            ?.when?.some((guard) =>
              before.some(({ node: decision, outcome }) => decision === guard.decision && outcome === guard.outcome),
            );
          expect(isReached ?? true).toBe(true);
        }
        const keys = announced.map(({ node, iteration }) => `${node} ${iteration.join(".")}`);
        expect(keys).toEqual([...new Set(keys)]);
      }),
      { numRuns: 500 },
    );
  });
});
