import { renameCalls, StaticStructureBuilder } from "@pml/analyzer";
import { describe, expect, it } from "vitest";

const tools = new Map([["fs:read", "read"]]);
const inputs = new Map([["path", "where"]]);

describe("renaming calls", () => {
  it.each([
    ["by names", `return mcp.fs.read({ path: "a" });`, `return read({ path: "a" });`],
    ["by texts", `return await mcp["fs"]["read"](x);`, `return await read(x);`],
    ["in every place", `mcp.fs.read(mcp.fs.read({}));`, `read(read({}));`],
    [
      "with types",
      `const a: string = await mcp.fs.read({ path: "a" } as Input);`,
      `const a: string = await read({ path: "a" } as Input);`,
    ],
    [
      "inputs",
      `return mcp.fs.read({ path: args.path, to: context["path"] });`,
      `return read({ path: where, to: where });`,
    ],
  ])("replaces what is called %s", (_, code, renamed) => {
    expect(renameCalls(code, { tools, inputs })).toBe(renamed);
  });

  it.each([
    ["other tools", `return mcp.fs.write({ path: args.paths });`],
    ["texts and comments", `return "mcp.fs.read(args.path)"; // mcp.fs.read(args.path)`],
    ["what has the name by chance", `const mcp = { fs: { read() {} } }; return mcp.fs.read();`],
    ["inputs of inputs", `return other.args.path;`],
    ["a tool that is handed on", `const read = mcp.fs.read; return read({});`],
  ])("leaves %s alone", (_, code) => {
    expect(renameCalls(code, { tools, inputs })).toBe(code);
  });

  it("leaves it to the analysis to say whether the tool is still called", () => {
    const renamed = renameCalls(`const read = mcp.fs.read; return read({});`, { tools });
    expect(new StaticStructureBuilder().build(renamed).permissions.tools).toEqual(["fs:read"]);
  });

  it("throws for what is no code", () => {
    expect(() => renameCalls("return (;", { tools })).toThrow(/syntax/i);
  });
});
