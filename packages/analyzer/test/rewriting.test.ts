import { describe, expect, it } from "vitest";

import { originalPosition, StaticStructureBuilder } from "../src/index.js";
import { recordRun } from "./record-run.js";

const builder = new StaticStructureBuilder();
/** Lines that `new Function` puts before the code, and what `recordRun` puts before it on its first line. */
const WRAPPER = { lines: 2, columns: `"use strict";`.length };

describe("an error in instrumented code", () => {
  it.each([
    ["after a call", "const a = await mcp.t.a({});\na.b.c.d;"],
    ["on the line of a call", "const a = await mcp.t.a({}); a.b.c.d;"],
    ["inside a condition", "const a = await mcp.t.a({});\nif (a.ok && a.b.c) {\n}"],
    ["inside an input", "await mcp.t.a({\n  x: 1,\n  y: nothing.at.all,\n});"],
    [
      "inside a callback",
      "const a = await mcp.t.a({});\nawait Promise.all([1].map(async (x) => {\n  await mcp.t.a({ x });\n  return x.y.z;\n}));",
    ],
    ["inside an arrow without a block", "await Promise.all([1].map(async (x) => mcp.t.a({ x: x.y.z })));"],
    ["inside a helper", "async function help(x) {\n  await mcp.t.a({});\n  return x.y;\n}\nreturn help(null);"],
    ["thrown by the code itself", "await mcp.t.a({});\n\n  throw new Error('x');"],
    ["behind stripped types", "const a: { b: any } = await mcp.t.a<string>({} as any);\nreturn a.b.c;"],
  ])("%s has the position it has in the agent's code", async (_, code) => {
    const { instrumented } = builder.build(code);
    const stripped = /: \{|<string>/.test(code) ? undefined : positionIn((await recordRun(code, {})).error);
    const found = positionIn((await recordRun(instrumented.code, {})).error);
    const position = originalPosition(found, instrumented.shifts);
    expect(position.line).toBe((stripped ?? { line: 2 }).line);
    expect(position).toEqual(stripped ?? { line: 2, column: 12 });
  });
});

describe("instrumented code", () => {
  it.each([
    ["a dynamic import in a string", `return "import('x')"`, `"import('x')"`],
    ["an eval in a template", "return `eval(1) ${1} import (x)`", `"eval(1) 1 import (x)"`],
    ["HTML comments in a regular expression", "return /<!--x-->|import(y)/.test('<!--x-->')", "true"],
    ["HTML comments in comments", "/* <!-- --> import(x) */ return 1 // eval(2)", "1"],
    ["a countdown", "let n = 3; let m = 0; while (n-->0) m++; return m", "3"],
    ["less than not minus", "let n = 1; return 0<!--n", "true"],
  ])("has nothing in it that SES refuses, as %s, and means the same", async (_, code, outcome) => {
    const { instrumented } = builder.build(code);
    expect(instrumented.code).not.toMatch(/<!--|-->|\bimport\s*(\(|\/[/*])|\beval\s*\(/);
    expect(await recordRun(instrumented.code)).toMatchObject({ outcome });
  });

  it.each([
    ["a method of that name", "return { eval() { return 1; } }"],
    ["what a tag would see", "return String.raw`import(x)`"],
  ])("cannot be made from %s", (_, code) => {
    expect(() => builder.build(code)).toThrow(expect.objectContaining({ code: "ANALYZER_UNSUPPORTED_SYNTAX" }));
  });

  it.each([
    ["a block that ends", "try { await mcp.t.a({}) } catch {}", "ok"],
    ["a block that returns", "try { return await mcp.t.a({}) } catch {}", "ok"],
    ["a block that throws", "try { await mcp.t.a({}); throw 1 } catch {}", "error"],
  ])("reports how a try ended: %s", async (_, code, outcome) => {
    const { decisions } = await recordRun(builder.build(code).instrumented.code);
    expect(decisions).toEqual([{ node: "d1", outcome }]);
  });

  it("closes every operation that ended", async () => {
    const { instrumented } = builder.build(
      "const a = await mcp.t.a({}); return a.items?.filter((x) => x).map((x) => x).length",
    );
    const { operations, ended } = await recordRun(instrumented.code);
    expect(operations.map(({ operation }) => operation)).toEqual(["code:filter", "code:map"]);
    expect(ended).toBe(2);
  });

  it("is the code itself when there is nothing to report", () => {
    expect(builder.build("return 1").instrumented).toEqual({ code: "return 1", shifts: [] });
  });
});

function positionIn(error: unknown): { line: number; column: number } {
  const [, line, column] = /<anonymous>:(\d+):(\d+)/.exec((error as Error).stack ?? "") ?? [];
  const at = { line: Number(line) - WRAPPER.lines, column: Number(column) };
  return at.line === 1 ? { ...at, column: at.column - WRAPPER.columns } : at;
}
