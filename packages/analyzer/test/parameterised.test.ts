import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { StaticStructureBuilder } from "../src/index.js";
import { programs } from "./programs.js";
import { recordRun } from "./record-run.js";
import { TOOLS } from "./tools.js";

const builder = new StaticStructureBuilder({ tools: TOOLS });

describe("lifting", () => {
  it.each([
    [
      "a literal, named after its field",
      `mcp.fs.read({ path: "a" })`,
      `mcp.fs.read({ path: args.path })`,
      { path: "a" },
    ],
    [
      "a literal behind a name",
      `const p = "a"; mcp.fs.read({ path: p })`,
      `const p = args.path; mcp.fs.read({ path: p })`,
      { path: "a" },
    ],
    [
      "numbers, booleans, null and what is negative",
      `mcp.x.y({ a: 1, b: true, c: null, d: -2 })`,
      `mcp.x.y({ a: args.a, b: args.b, c: args.c, d: args.d })`,
      { a: 1, b: true, c: null, d: -2 },
    ],
    ["a list as a whole", `mcp.x.y({ ids: [1, "b"] })`, `mcp.x.y({ ids: args.ids })`, { ids: [1, "b"] }],
    [
      "the fields of an object one by one",
      `mcp.x.y({ body: { title: "t", n: 1 } })`,
      `mcp.x.y({ body: { title: args.title, n: args.n } })`,
      { title: "t", n: 1 },
    ],
    [
      "the same value of the same field once",
      `mcp.fs.stat({ path: "a" }); mcp.fs.read({ path: "a" })`,
      `mcp.fs.stat({ path: args.path }); mcp.fs.read({ path: args.path })`,
      { path: "a" },
    ],
    [
      "another value of the same field beside it",
      `mcp.fs.stat({ path: "a" }); mcp.fs.read({ path: "b" })`,
      `mcp.fs.stat({ path: args.path }); mcp.fs.read({ path: args.path2 })`,
      { path: "a", path2: "b" },
    ],
    [
      "around an input that has the name already",
      `mcp.fs.stat({ path: args.path }); mcp.fs.read({ path: "b" })`,
      `mcp.fs.stat({ path: args.path }); mcp.fs.read({ path: args.path2 })`,
      { path2: "b" },
    ],
    [
      "a field that is no name",
      `mcp.x.y({ "content-type": "json" })`,
      `mcp.x.y({ "content-type": args["content-type"] })`,
      { "content-type": "json" },
    ],
    [
      "under context where args is a name of the code's own",
      `const args = 1; mcp.fs.read({ path: "a", n: args })`,
      `const args = context.n; mcp.fs.read({ path: context.path, n: args })`,
      { n: 1, path: "a" },
    ],
    [
      "what a helper is called with",
      `const f = (p) => mcp.fs.read({ path: p }); f("a"); f("b")`,
      `const f = (p) => mcp.fs.read({ path: p }); f(args.path); f(args.path2)`,
      { path: "a", path2: "b" },
    ],
    [
      "inside TypeScript that stays",
      `const p: string = "a" as string; mcp.fs.read({ path: p })`,
      `const p: string = args.path as string; mcp.fs.read({ path: p })`,
      { path: "a" },
    ],
  ])("takes %s", (_, code, expected, defaults) => {
    expect(builder.build(code).parameterised).toEqual({ code: expected, defaults });
  });

  it.each([
    ["a constant in a condition", `if (args.n > 10) mcp.fs.read({ path: args.p })`],
    ["a constant in a callback", `mcp.x.y({ ids: args.rows.filter((row) => row.age > 18) })`],
    ["a part of an expression", "mcp.x.y({ url: `https://host/${args.id}`, sum: args.a + 1 })"],
    ["the name of a tool", `const server = "fs"; mcp[server].read({ server: server, path: args.path })`],
    ["anything when the whole input is handed on", `mcp.a.b(args); mcp.fs.read({ path: "a" })`],
    ["a prototype", `mcp.x.y({ ["__proto__"]: "a" })`],
  ])("leaves alone %s", (_, code) => {
    expect(builder.build(code).parameterised).toEqual({ code, defaults: {} });
  });

  it("gives code that, run with its defaults, is the original", async () => {
    await fc.assert(
      fc.asyncProperty(programs(), async (code) => {
        const { parameterised } = builder.build(code);
        const [original, lifted] = [await recordRun(code), await recordRun(parameterised.code, parameterised.defaults)];
        expect(lifted.outcome).toBe(original.outcome);
        expect(lifted.calls).toEqual(original.calls);
      }),
      { numRuns: 300 },
    );
  });

  it("changes nothing but literals into parameters", () => {
    fc.assert(
      fc.property(programs(), (code) => {
        const before = builder.build(code);
        const after = builder.build(before.parameterised.code);
        const outline = ({ structure }: typeof before): unknown => [
          structure.nodes.map(({ id, type }) => [id, type]),
          structure.edges,
        ];
        expect(outline(after)).toEqual(outline(before));
        expect(after.permissions).toEqual(before.permissions);
        expect(after.parameterised.code).toBe(before.parameterised.code);
      }),
      { numRuns: 300 },
    );
  });
});
