import { describe, expect, it } from "vitest";

import { createProject, readSourceFiles } from "./architecture/project.js";
import { listViolations } from "./architecture/rules.js";

describe("the architecture", () => {
  it("holds in every package", () => {
    expect(listViolations(createProject(readSourceFiles()))).toEqual([]);
  });
});

describe("the architecture's checker", () => {
  it.each([
    ["a sibling", "graph/src/a.ts", `import { run } from "@pml/sandbox";`],
    ["a sibling's type", "graph/src/a.ts", `import type { Run } from "@pml/sandbox";`],
    ["an adapter from core", "core/src/pml.ts", `import "@pml/mcp";`],
    ["an adapter from an adapter", "http/src/a.ts", `const { x } = await import("@pml/viewer");`],
    ["a part from an adapter", "mcp/src/a.ts", `export * from "@pml/graph";`],
    ["embeddings at run time", "core/src/store/a.ts", `import { embed } from "@pml/embeddings";`],
    ["a package that is not in the picture", "extra/src/a.ts", `import "@pml/core";`],
    ["another package's source", "mcp/src/a.ts", `import "@pml/core/src/pml.ts";`],
    ["another package by path", "mcp/src/a.ts", `import "../../core/src/pml.ts";`],
    ["another package's source, in a test", "mcp/src/a.test.ts", `require("../../core/src/x");`],
    ["a type by path", "mcp/src/a.ts", `type A = import("../../core/src/x.ts").A;`],
  ])("refuses %s", (_, path, text) => {
    expect(violationsOf({ [path]: text })).toHaveLength(1);
  });

  it.each([
    ["its parts", "core/src/pml.ts", `import "@pml/analyzer"; import "@pml/graph";`],
    ["embeddings' types", "core/src/pml.ts", `import type { Embedder } from "@pml/embeddings";`],
    ["core from an adapter", "mcp/src/a.ts", `import "@pml/core"; import "@pml/core/testing";`],
    ["other packages of the world", "graph/src/a.ts", `import Graph from "graphology";`],
    ["a sibling in a test", "graph/src/a.test.ts", `import "@pml/analyzer";`],
  ])("lets pass %s", (_, path, text) => {
    expect(violationsOf({ [path]: text })).toEqual([]);
  });

  it("refuses a folder of core that imports to its right, and no other", () => {
    const learn = { "core/src/learn/a.ts": `import "../store/b.ts";`, "core/src/store/b.ts": "" };
    const store = { "core/src/store/b.ts": `import "../learn/a.ts";`, "core/src/learn/a.ts": "" };
    expect(violationsOf(learn)).toEqual([]);
    expect(violationsOf(store)).toEqual([
      "packages/core/src/store/b.ts: imports to its right: packages/core/src/learn/a.ts",
    ]);
  });

  it("refuses a circle of imports, whatever the endings", () => {
    const circle = {
      "graph/src/a.ts": `import "./b.js";`,
      "graph/src/b.ts": `import "./c";`,
      "graph/src/c/index.ts": `export * from "../a.ts";`,
    };
    expect(violationsOf(circle)).toEqual([
      "Import cycle: packages/graph/src/a.ts → packages/graph/src/b.ts → packages/graph/src/c/index.ts → packages/graph/src/a.ts",
    ]);
  });

  it("refuses a source of more than 300 lines, but not a test", () => {
    const text = "\n".repeat(300).replaceAll("\n", "0;\n") + "0;\n";
    expect(violationsOf({ "graph/src/a.ts": text })).toHaveLength(1);
    expect(violationsOf({ "graph/src/a.test.ts": text })).toEqual([]);
  });
});

function violationsOf(files: Record<string, string>): string[] {
  const sources = Object.entries(files);
  return listViolations(createProject(sources.map(([path, text]) => ({ path: `packages/${path}`, text }))));
}
