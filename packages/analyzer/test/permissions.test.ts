import { describe, expect, it } from "vitest";

import { isPureOperation, PURE_OPERATIONS, StaticStructureBuilder } from "../src/index.js";
import { CAPABILITIES, TOOLS } from "./tools.js";

const builder = new StaticStructureBuilder({ tools: TOOLS, capabilities: CAPABILITIES });

describe("permissions", () => {
  it.each([
    ["nothing", "return 1", "minimal", []],
    ["pure operations", "return args.rows.filter((row) => row.ok)", "minimal", []],
    ["a tool that only reads", "mcp.fs.read({})", "minimal", ["fs:read"]],
    ["a tool that writes", "mcp.fs.write({})", "standard", ["fs:write"]],
    ["a tool of which nothing is known", "mcp.no.such({})", "standard", ["no:such"]],
    ["a tool that destroys", "mcp.fs.delete({})", "privileged", ["fs:delete"]],
    [
      "the widest of several",
      "mcp.fs.read({}); mcp.fs.delete({}); mcp.fs.write({})",
      "privileged",
      ["fs:delete", "fs:read", "fs:write"],
    ],
    ["every branch", "if (a) mcp.fs.read({}); else mcp.fs.write({})", "standard", ["fs:read", "fs:write"]],
    ["a computed name", "mcp.fs[args.name]({})", "privileged", []],
    ["a tool that is only handed on", "return args.run(mcp.fs.delete)", "privileged", ["fs:delete"]],
    [
      "a tool in a list",
      "for (const tool of [mcp.fs.read, mcp.fs.write]) await tool({})",
      "standard",
      ["fs:read", "fs:write"],
    ],
    ["a tool inside a callback", "[1].map(() => mcp.fs.write({}))", "standard", ["fs:write"]],
    [
      "a tool inside a class",
      "class A { run() { return mcp.fs.write({}); } }\nreturn new A().run()",
      "standard",
      ["fs:write"],
    ],
    ["a tool in a default value", "const f = (x = mcp.fs.write({})) => x; return f()", "standard", ["fs:write"]],
    [
      "a tool behind a getter",
      "const o = { get x() { return mcp.fs.write({}); } }; return o.x",
      "standard",
      ["fs:write"],
    ],
    ["a tool in a tagged template", "const t = (s) => mcp.fs.write({ s }); return t`x`", "standard", ["fs:write"]],
    ["a tool behind an assignment", "let f; f = mcp.fs.write; return f({})", "standard", ["fs:write"]],
    ["a tool behind a computed key", `const key = "wri" + "te"; return mcp.fs[key]({})`, "privileged", []],
    ["a capability that is known to only read", `capabilities["fs:read_json"]({})`, "minimal", []],
    ["a capability of which nothing is known", "capabilities.other({})", "standard", []],
  ])("of code that uses %s", (_, code, set, tools) => {
    expect(builder.build(code).permissions).toMatchObject({ set, tools });
  });

  it.each([
    ["mcp[args.server].read({})", ["*"]],
    ["mcp.fs[args.name]({})", ["fs:*"]],
    ["capabilities[args.name]({})", ["cap:*"]],
    ["args.run(mcp)", ["*"]],
    ["args.run(mcp.fs)", ["fs:*"]],
    ["args.run(capabilities)", ["cap:*"]],
    ["const copy = { ...mcp }; copy.fs.read({})", ["*"]],
    ["return Object.values(mcp.fs)", ["fs:*"]],
    [`mcp["*"].x({})`, ["*"]],
    [`mcp.fs["*"]({})`, ["fs:*"]],
    ["for (const name in mcp) mcp[name].x({})", ["*"]],
    ["Reflect.get(mcp, 'fs')", ["*"]],
  ])("say what is out of sight in %s", (code, computed) => {
    expect(builder.build(code).permissions).toMatchObject({ computed, set: "privileged" });
  });

  it("name tools that the builder was not told of, if it was told of any", () => {
    expect(builder.build("mcp.no.such({}); mcp.fs.read({})").permissions.unknown).toEqual(["no:such"]);
    expect(new StaticStructureBuilder().build("mcp.no.such({})").permissions.unknown).toEqual([]);
  });

  it.each([null, 5, [null], [5]].map((tools) => [tools]))("cannot be had with the tools %j", (tools) => {
    expect(() => new StaticStructureBuilder({ tools: tools as never })).toThrow(
      expect.objectContaining({ code: "ANALYZER_INVALID_INPUT" }),
    );
  });

  it.each([
    [{ tools: [{ id: "a:b", inputSchema: { required: 5 as never } }] }],
    [{ tools: [{ id: "read" }] }],
    [{ tools: [{ id: ":x" }] }],
    [{ capabilities: [{ name: "" }] }],
  ])("cannot be had with %j", (options) => {
    expect(() => new StaticStructureBuilder(options)).toThrow(
      expect.objectContaining({ code: "ANALYZER_INVALID_INPUT" }),
    );
  });
});

describe("pure operations", () => {
  it("are at least 97", () => {
    expect(PURE_OPERATIONS.size).toBeGreaterThanOrEqual(97);
  });

  it.each([
    "code:filter",
    "code:map",
    "code:reduce",
    "code:JSON.parse",
    "code:Math.max",
    "code:Object.keys",
    "code:split",
  ])("include %s", (id) => expect(isPureOperation(id)).toBe(true));

  it.each(["code:push", "code:splice", "fs:read", "code:Math.random", "code:Date.now", "filter", "code:__proto__"])(
    "do not include %s",
    (id) => expect(isPureOperation(id)).toBe(false),
  );
});
