import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { dagToCode, StaticStructureBuilder, structureToDag, type ToolInfo } from "../src/index.js";
import { programs } from "./programs.js";
import { type RecordedCall, recordRun } from "./record-run.js";

const NOTHING_DECLARED = new StaticStructureBuilder();
const READING: readonly ToolInfo[] = ["t:a", "t:b"].map((id) => ({ id, annotations: { readOnlyHint: true } }));

describe("a DAG made from code", () => {
  it.each([
    ["tools of which nothing is known", NOTHING_DECLARED],
    ["tools of which some only read", new StaticStructureBuilder({ tools: READING })],
  ])("is the same again when its code is read, with %s", (_, builder) => {
    fc.assert(
      fc.property(programs({ straight: true }), (code) => {
        const first = structureToDag(builder.build(code));
        if (!first.ok) return;
        const second = structureToDag(builder.build(dagToCode(first.dag)));
        expect(second).toMatchObject({ ok: true, dag: first.dag });
      }),
      { numRuns: 500 },
    );
  });

  it("does what the code does", async () => {
    await fc.assert(
      fc.asyncProperty(programs({ straight: true }), async (code) => {
        const conversion = structureToDag(NOTHING_DECLARED.build(code));
        if (!conversion.ok) return;
        const [original, rewritten] = [await recordRun(code), await recordRun(dagToCode(conversion.dag))];
        expect(rewritten.outcome).toBe(original.outcome);
        expect(rewritten.calls.map(inputOf)).toEqual(original.calls.map(inputOf));
      }),
      { numRuns: 500 },
    );
  });
});

describe("code with inputs", () => {
  const INPUT = { c: false, n: 3, items: [1, 2, 3], o: { a: { b: 1 } } };

  it.each([
    ["a name that may stay undefined", `let x; if (args.c) x = "a"; return mcp.t.a({ x })`],
    ["a result that may stay undefined", `let x; if (args.c) x = await mcp.t.b({}); return mcp.t.a({ x })`],
    [
      "an earlier result that may be taken",
      `const r = await mcp.t.b({}); let x; if (args.c) x = r; return mcp.t.a({ x })`,
    ],
    ["a loop that ends early", "for (const i of args.items) { await mcp.t.a({ i }); break; }"],
    [
      "names that look like nodes",
      `const n2 = 5; const r = await mcp.t.a({}); return [n2 + r.items.map((n1) => n1 + n2).length]`,
    ],
    ["a default for an input", `return mcp.t.a({ p: args.path ?? "d", q: args.n ?? 5 })`],
    ["a default for a list", "for (const i of args.missing ?? [7]) await mcp.t.a({ i })"],
    ["a default from a pattern", "const { limit = 5, n = 1 } = args; return mcp.t.a({ limit, n, sum: limit + n })"],
    ["a default that is computed", "const { limit = 30 * 1000 } = args; return mcp.t.a({ limit })"],
    ["a default that calls", "const { a = await mcp.t.b({}) } = args; return mcp.t.a({ a })"],
    ["a falsy input", "return mcp.t.a({ v: args.c || 5 })"],
    [
      "a part changed through another name",
      "const o = { a: { b: 1 } }; const q = o.a; q.b = 3; return mcp.t.a({ v: o.a.b })",
    ],
    ["elements changed in a loop", "const list = [{ n: 1 }]; for (const e of list) e.n = 7; return mcp.t.a({ list })"],
    [
      "elements changed in a callback",
      "const list = [{ n: 1 }]; list.forEach((e) => { e.n = 7; }); return mcp.t.a({ list })",
    ],
    ["a value changed inside another", "const o = { n: 1 }; const w = { o }; w.o.n = 7; return mcp.t.a({ o })"],
    ["a value changed inside a list", "const o = { n: 1 }; const w = [o]; w[0].n = 7; return mcp.t.a({ o })"],
    [
      "a value changed by its method",
      "const o = { n: 1, bump() { this.n = 9; } }; o.bump(); return mcp.t.a({ n: o.n })",
    ],
    ["a list changed by a quoted method", `const l = [1]; l["push"](4); return mcp.t.a({ l })`],
    ["a key that a constant names", `const k = "value"; const a = await mcp.t.a({}); return a[k] + 1`],
    [
      "a list made of promises",
      "const p = await Promise.all(args.items.map(async (x) => x + 1)); return mcp.t.a({ p })",
    ],
    ["a rest of the input", "const { c, ...rest } = args; return mcp.t.a({ rest })"],
    ["an optional part", "return mcp.t.a({ v: args.missing?.deep, w: args.o?.a?.b })"],
    [
      "a switch over an input",
      `switch (args.n) { case 3: await mcp.t.a({ three: 1 }); break; case "3": await mcp.t.b({}); break; default: await mcp.u.c({}); }`,
    ],
  ])("is a DAG that does the same, or none: %s", async (_, code) => {
    const conversion = structureToDag(NOTHING_DECLARED.build(code));
    const written = conversion.ok ? dagToCode(conversion.dag) : code;
    const [original, rewritten] = [
      await recordRun(code, structuredClone(INPUT)),
      await recordRun(written, structuredClone(INPUT)),
    ];
    expect(rewritten.outcome).toBe(original.outcome);
    expect(rewritten.calls.map(inputOf)).toEqual(original.calls.map(inputOf));
  });
});

/** A DAG always gives an input, if only an empty one. */
function inputOf({ tool, input }: RecordedCall): unknown {
  return [tool, (input as unknown[])[0] ?? {}];
}
