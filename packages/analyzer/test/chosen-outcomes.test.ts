import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { StaticStructureBuilder } from "../src/index.js";
import { programs } from "./programs.js";
import { recordRun } from "./record-run.js";

const builder = new StaticStructureBuilder();

async function run(code: string, outcomes: Record<string, string>, input: object = {}): Promise<unknown> {
  const { outcome, decisions } = await recordRun(builder.build(code).instrumented.code, input, outcomes);
  return [outcome, ...decisions.map(({ node, outcome: way }) => `${node} ${way}`)];
}

const IF = `if (args.yes) { await mcp.a.b(); return "then"; } else { await mcp.a.c(); return "else"; }`;
const SWITCH = `switch (args.kind) {
  case "x": await mcp.a.x(); return "x";
  case 1 + 1: await mcp.a.y(); return "two";
  default: await mcp.a.z(); return "other";
}`;
const TRY = `try { await mcp.a.b(); } catch (error) { await mcp.a.c(); return error.message; } return "fine";`;

describe("a decision goes as the host chooses", () => {
  it.each([
    ["an if, to true", IF, {}, { d1: "true" }, ['"then"', "d1 true"]],
    ["an if, to false", IF, { yes: 1 }, { d1: "false" }, ['"else"', "d1 false"]],
    ["an if, to what it would have been", IF, { yes: 1 }, { d1: "true" }, ['"then"', "d1 true"]],
    ["a ternary", `return args.yes ? await mcp.a.b() : "no"`, { yes: 1 }, { d1: "false" }, ['"no"', "d1 false"]],
    ["an &&", `return (args.a && (await mcp.a.b())) ?? "no"`, { a: 1 }, { d1: "false" }, ['"no"', "d1 false"]],
    ["an ||", `return args.a || (await mcp.a.b())`, {}, { d1: "true" }, ["true", "d1 true"]],
    ["a ??, to absent", `return (args.a ?? (await mcp.a.b())).value`, { a: 1 }, { d1: "false" }, ["1", "d1 false"]],
    ["a ??, to present", `return args.a ?? (await mcp.a.b())`, {}, { d1: "true" }, ["true", "d1 true"]],
    ["a switch, to a label", SWITCH, { kind: 2 }, { d1: "x" }, ['"x"', "d1 x"]],
    ["a switch, to an expression", SWITCH, { kind: "x" }, { d1: "1 + 1" }, ['"two"', "d1 1 + 1"]],
    ["a switch, to default", SWITCH, { kind: "x" }, { d1: "default" }, ['"other"', "d1 default"]],
    ["a try, to its catch", TRY, {}, { d1: "error" }, [expect.stringContaining("chosen"), "d1 error"]],
    [
      "a try that returns",
      `try { return await mcp.a.b(); } catch { await mcp.a.c(); return "caught"; }`,
      {},
      { d1: "error" },
      ['"caught"', "d1 error"],
    ],
  ])("%s", async (_, code, input, outcomes, expected) => {
    expect(await run(code, outcomes, input)).toEqual(expected);
  });

  it.each([
    ["an outcome it has not", IF, { d1: "maybe" }, ['"else"', "d1 false"]],
    ["a label that is not there", SWITCH, { d1: "y" }, ['"other"', "d1 default"]],
    ["another decision", IF, { d9: "true" }, ['"else"', "d1 false"]],
    [
      "success of what failed",
      `try { throw new Error("no") } catch { await mcp.a.b() }`,
      { d1: "ok" },
      ["undefined", "d1 error"],
    ],
  ])("but not to %s", async (_, code, outcomes, expected) => {
    expect(await run(code, outcomes)).toEqual(expected);
  });

  it("in every turn of a loop, and in each call of a function by its own node", async () => {
    const loop = `let n = 0; for (const i of [1, 2, 3]) { if (i > 1) { await mcp.a.b(); n++; } } return n;`;
    expect(await run(loop, { d1: "true" })).toEqual(["3", "d1 true", "d1 true", "d1 true"]);
    const calls = `const f = async (x) => (x ? await mcp.a.b() : "no"); return [await f(0), await f(0)].map((x) => typeof x);`;
    expect(await run(calls, { d2: "true" })).toEqual(['["string","object"]', "d1 false", "d2 true"]);
  });

  it("and whatever is chosen, what is reported is what happened", async () => {
    await fc.assert(
      fc.asyncProperty(programs(), fc.integer({ min: 0, max: 9 }), async (code, pick) => {
        const { instrumented, structure } = builder.build(code);
        const decisions = structure.nodes.filter((node) => node.type === "decision");
        const outcomes = Object.fromEntries(
          decisions.map(({ id, outcomes: ways }, at) => [id, ways[(pick + at) % ways.length] as string]),
        );
        const { announced, decisions: made } = await recordRun(instrumented.code, {}, outcomes);
        const nodes = new Map(structure.nodes.map((node) => [node.id, node]));
        for (const { node, decided } of announced) {
          const before = made.slice(0, decided);
          const when = nodes.get(node ?? "")?.when;
          const holds = when?.some((guard) =>
            before.some((each) => each.node === guard.decision && each.outcome === guard.outcome),
          );
          expect(holds ?? true).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
