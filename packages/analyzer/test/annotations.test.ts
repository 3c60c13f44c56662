import { describe, expect, it } from "vitest";

import { StaticStructureBuilder, structureToDag } from "../src/index.js";
import { TOOLS } from "./tools.js";

const builder = new StaticStructureBuilder({ tools: TOOLS });

describe("annotations", () => {
  const code = `const a = await mcp.fs.read({ path: "a" });
const b = await mcp.fs.stat({ path: "b" });
// @pml-depends: ["fs:read", "config:load"]
// @pml-branches: ["success", "error", "retry"]
const c = await mcp.fs.list({ path: "c" });`;
  const { annotations, structure, ...rest } = builder.build(code);

  it("are read from comments, with the call that follows them", () => {
    expect(annotations).toEqual([
      { kind: "depends", values: ["fs:read", "config:load"], line: 3, node: "n3" },
      { kind: "branches", values: ["success", "error", "retry"], line: 4, node: "n3" },
    ]);
  });

  it("add the order they declare and the outcomes they name", () => {
    expect(structure.edges).toContainEqual({ from: "n1", to: "n3", type: "sequence", declared: true });
    expect(structure.nodes.at(-1)).toMatchObject({ id: "n3", branches: ["success", "error", "retry"] });
  });

  it("keep tasks in order that would else run together", () => {
    const conversion = structureToDag({ structure, ...rest });
    expect(conversion).toMatchObject({
      ok: true,
      dag: { tasks: [{ dependsOn: [] }, { dependsOn: [] }, { dependsOn: ["t1"] }] },
    });
  });

  it.each([
    ["bare words", "// @pml-depends: [fs:read, fs:stat]", ["fs:read", "fs:stat"]],
    ["block comments", "/* @pml-depends: ['fs:read'] */", ["fs:read"]],
    ["an empty list", "// @pml-depends: []", []],
  ])("may be written with %s", (_, comment, values) => {
    expect(builder.build(`${comment}\nmcp.fs.read({})`).annotations).toMatchObject([{ values }]);
  });

  it("are nothing when they are not lists, or stand in a string", () => {
    expect(builder.build(`// @pml-depends: fs:read\nreturn "// @pml-depends: [x]"`).annotations).toEqual([]);
  });

  it("say so when no call follows", () => {
    expect(builder.build("mcp.fs.read({})\n// @pml-depends: [fs:read]").annotations[0]).not.toHaveProperty("node");
  });
});
