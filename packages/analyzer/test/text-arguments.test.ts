import { describe, expect, it } from "vitest";

import type { ArgumentValue, TaskNode } from "../src/index.js";
import { StaticStructureBuilder } from "../src/index.js";

const builder = new StaticStructureBuilder();

describe("text that is put together", () => {
  it.each([
    ["by +", `mcp.web.get({ path: "/rates/" + currency })`, `"/rates/" $currency`],
    ["by + of several", `mcp.web.get({ path: host + "/a/" + args.id + "/b" })`, `$host "/a/" $id "/b"`],
    ["by a template", "mcp.web.get({ path: `/o/${id}/${args.part}?n=${5}` })", `"/o/" $id "/" $part "?n=" "5"`],
    ["from a result", "const o = await mcp.db.find({}); await mcp.web.get({ path: `/o/${o.id}` })", `"/o/" n1.id`],
    ["behind a name", `const path = "/o/" + id; await mcp.web.get({ path })`, `"/o/" $id`],
    ["with a constant in it", `const n = 5; await mcp.web.get({ path: "/o/" + n })`, `"/o/" 5`],
  ])("%s has its parts told", (_, code, text) => {
    expect(partsOf(code)?.map(write).join(" ")).toBe(text);
  });

  it.each([
    ["numbers may be added first", `mcp.web.get({ path: a + b + "/x" })`],
    ["a part is computed", `mcp.web.get({ path: "/o/" + id.trim() })`],
    ["a part is asked of a list by a name", `mcp.web.get({ path: "/o/" + ids[at] })`],
    ["a part changes", `let id = args.id; const path = "/o/" + id; id = "other"; await mcp.web.get({ path })`],
  ])("has none told where %s", (_, code) => {
    expect(partsOf(code)).toBeUndefined();
  });
});

function partsOf(code: string): readonly ArgumentValue[] | undefined {
  const tasks = builder.build(code).structure.nodes.filter((node): node is TaskNode => node.type === "task");
  const value = tasks.find(({ tool }) => tool === "web:get")?.arguments["path"];
  return value?.type === "expression" ? value.text : undefined;
}

function write(part: ArgumentValue): string {
  if (part.type === "literal") return JSON.stringify(part.value);
  if (part.type === "reference") return [part.from, ...part.path].join(".");
  return part.type === "parameter" ? `$${[part.parameterName, ...part.path].join(".")}` : `(${part.expression})`;
}
