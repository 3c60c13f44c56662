import { randomUUID } from "node:crypto";

import type { PmlEvent, SuccessAnswer, Tool, TraceTask } from "@pml/core";
import { describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open, model } = usePml();
const TEXT = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };

function createTextTools(): Tool[] {
  const readOnly = { annotations: { readOnlyHint: true }, inputSchema: TEXT };
  return [
    {
      id: "text:upper",
      description: "Upper case",
      ...readOnly,
      execute: ({ text }) => ({ text: String(text).toUpperCase() }),
    },
    { id: "text:trim", description: "Trim", ...readOnly, execute: ({ text }) => ({ text: String(text).trim() }) },
    {
      id: "text:reverse",
      description: "Reverse",
      ...readOnly,
      execute: ({ text }) => ({ text: [...String(text)].reverse().join("") }),
    },
  ];
}

const CHAIN = `const a = await mcp.text.trim({ text: " some words " });
const b = await mcp.text.upper({ text: a.text });
return (await mcp.text.reverse({ text: b.text })).text;`;

describe("a run teaches", () => {
  it("what follows what, what feeds what, and what a capability spans", async () => {
    const pml = await open({ tools: createTextTools(), cache: { enabled: false } });
    const { capabilityId = "" } = (await pml.execute({ intent: "x", code: CHAIN })) as SuccessAnswer;
    expect(pml.graph.findEdgeData("text:trim", "text:upper", "dependency")).toMatchObject({ observations: 1 });
    expect(pml.graph.findEdgeData("text:trim", "text:upper", "sequence")).toBeDefined();
    expect(pml.graph.listSpanning("text:trim")).toEqual([`capability:${capabilityId}`]);
    expect(await pml.store.listToolDependencies()).toHaveLength(4);
  });

  it("the type of what a tool returns, and says when a result leaves it", async () => {
    let answer: unknown = { count: 1 };
    const tool: Tool = { id: "x:count", description: "", annotations: { readOnlyHint: true }, execute: () => answer };
    const pml = await open({ tools: [tool], cache: { enabled: false } });
    const events: PmlEvent[] = [];
    pml.events((event) => events.push(event));
    for (let time = 0; time < 3; time++) await pml.execute({ intent: "count", code: "return mcp.x.count({})" });
    answer = { count: "one" };
    await pml.execute({ intent: "count", code: "return mcp.x.count({})" });
    const drifts = events.filter(({ type }) => type === "drift");
    expect(drifts).toMatchObject([{ tool: "x:count" }]);
    expect(pml.graph.types.findSchema("x:count")).toMatchObject({ properties: { count: {} } });
  });

  it("what to suggest next", async () => {
    const pml = await open({ tools: createTextTools(), cache: { enabled: false } });
    await pml.execute({ intent: "x", code: CHAIN });
    const answer = await pml.execute({ intent: "y", code: `return mcp.text.trim({ text: " a " })` });
    expect(answer.suggestions?.tools.map(({ id }) => id)).toContain("text:upper");
    expect(answer.suggestions?.tools[0]?.reason).not.toBe("");
  });

  it("what to do instead, where something went wrong: with what the next try can be made", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools, embedder: model });
    const wrong = await pml.execute({
      intent: "read the text of a file",
      code: `return mcp.fs.raed({ path: "a.json" })`,
    });
    expect(wrong).toMatchObject({ status: "error", error: { code: "PML_TOOL_NOT_FOUND" } });
    expect(wrong.suggestions?.tools[0]).toMatchObject({ id: "fs:read", inputSchema: { required: ["path"] } });
    const failed = await pml.execute({
      intent: "read the text of a file",
      code: `return mcp.fs.read({ path: "none" })`,
    });
    expect(failed.suggestions?.tools[0]?.id).toBe("fs:read");
  });

  it("nothing when a tool call of it failed, but that it failed", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools });
    const code = `try { await mcp.fs.read({ path: "none" }) } catch {} return 1`;
    const answer = (await pml.execute({ intent: "x", code })) as SuccessAnswer;
    expect(answer).toMatchObject({ status: "success", result: 1 });
    expect(await pml.store.get(answer.capabilityId ?? "")).toMatchObject({
      status: "draft",
      statistics: { successCount: 1 },
    });
  });

  it("that a capability fails: three in a row and it does not run by itself, until it works again", async () => {
    const { tools, files } = createFileTools();
    const pml = await open({ tools, embedder: model, cache: { enabled: false } });
    const intent = "read the name in the json file a.json";
    const code = `return JSON.parse((await mcp.fs.read({ path: "a.json" })).content).name`;
    const { capabilityId = "" } = (await pml.execute({ intent, code })) as SuccessAnswer;
    files.set("a.json", "not json");
    for (let time = 0; time < 3; time++) await pml.execute({ capability: capabilityId });
    expect((await pml.store.get(capabilityId)).status).toBe("degraded");
    expect(await pml.execute({ intent, context: { path: "a.json" } })).toMatchObject({ status: "suggestions" });
    files.set("a.json", '{"name":"a"}');
    expect(await pml.execute({ capability: capabilityId })).toMatchObject({ status: "success" });
    expect(await pml.execute({ intent, context: { path: "a.json" } })).toMatchObject({
      status: "success",
      result: "a",
    });
  });

  it("another memory that is opened on it, which draws its latest calls", async () => {
    const tools = createTextTools();
    const scope = { project: randomUUID() };
    const first = await open({ tools, scope });
    const { capabilityId = "", traceId } = (await first.execute({
      intent: "x",
      code: CHAIN,
      name: "text:chain_words",
    })) as SuccessAnswer;
    await first.execute({ intent: "y", code: `return capabilities["text:chain_words"]({})` });
    await first.store.recordRun({
      trace: {
        success: true,
        startedAt: new Date(),
        durationMs: 1,
        tasks: [{ taskId: "a", tool: "a:b", success: true, durationMs: 1 } as unknown as TraceTask],
      },
    });
    const second = await open({ tools, scope });
    const { nodes, edges } = second.graph.getGraphSnapshot({ view: "invocation" });
    const of = (node: string): number => nodes.filter((each) => "node" in each && each.node === node).length;
    expect([of("text:trim"), of(`capability:${capabilityId}`), of("a:b"), nodes.length]).toEqual([2, 1, 0, 7]);
    expect(second.graph.getGraphSnapshot({ view: "invocation", trace: traceId }).nodes).toHaveLength(3);
    expect(edges.filter(({ type }) => type === "contains")).toHaveLength(3);
    expect(edges.filter(({ type }) => type === "sequence")).toHaveLength(4);
  });

  it("another memory on the same database, which hears of it", async () => {
    const tools = createTextTools();
    const first = await open({ tools, scope: { project: "shared" } });
    const second = await open({ tools, scope: { project: "shared" } });
    await first.execute({ intent: "x", code: CHAIN });
    await expect
      .poll(async () => {
        await second.discover({ intent: "x" });
        return second.graph.hasNode("text:trim") && second.graph.findEdgeData("text:trim", "text:upper", "dependency");
      })
      .toMatchObject({ observations: 1 });
  });
});

describe("a capability that fails", () => {
  it("names others for the same request, and runs the best of them when asked to", async () => {
    const { tools, files } = createFileTools();
    const pml = await open({ tools, embedder: model, cache: { enabled: false } });
    const intent = "get the name from the settings file";
    const { capabilityId = "" } = (await pml.execute({
      intent,
      code: `return JSON.parse((await mcp.fs.read({ path: "a.json" })).content).name`,
    })) as SuccessAnswer;
    const other = (await pml.execute({
      intent,
      code: `await mcp.fs.write({ path: "log", content: "asked" }); return "a"`,
    })) as SuccessAnswer;
    files.delete("a.json");
    const failed = await pml.execute({ capability: capabilityId });
    expect(failed).toMatchObject({ status: "error", alternatives: [{ capabilityId: other.capabilityId }] });
    const saved = await pml.execute({ capability: capabilityId, fallback: true });
    expect(saved).toMatchObject({ status: "success", result: "a", capabilityId: other.capabilityId });
  });
});

describe("discover", () => {
  it("puts tools and capabilities in one list, an exact name first", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools, embedder: model });
    const code = `return JSON.parse((await mcp.fs.read({ path: "a.json" })).content).name`;
    await pml.execute({ intent: "read the name in a json file", code, name: "fs:read_name" });
    const { results } = await pml.discover({ intent: "read a file" });
    expect(new Set(results.map(({ type }) => type))).toEqual(new Set(["tool", "capability"]));
    expect(results.map(({ score }) => score)).toEqual(results.map(({ score }) => score).sort((a, b) => b - a));
    expect((await pml.discover({ intent: "fs:read_name" })).results[0]).toMatchObject({
      name: "fs:read_name",
      score: 1,
    });
    expect((await pml.discover({ intent: "fs:write" })).results[0]).toMatchObject({ id: "fs:write", score: 1 });
  });

  it.each([
    ["mcp.fs.write", { type: "tool", id: "fs:write" }],
    ["FS:Write", { type: "tool", id: "fs:write" }],
    ["cap:fs:name_of", { type: "capability", name: "fs:name_of" }],
    ["capabilities.fs.name_of", { type: "capability", name: "fs:name_of" }],
    ["fs:read_name", { type: "capability", name: "fs:name_of" }],
  ])("knows a name however it is spelled, and old ones: %s", async (intent, first) => {
    const pml = await open({ tools: createFileTools().tools });
    const code = `return JSON.parse((await mcp.fs.read({ path: "a.json" })).content).name`;
    await pml.execute({ intent: "read the name in a json file", code, name: "fs:read_name" });
    await pml.names.rename("fs:read_name", "fs:name_of");
    const { results } = await pml.discover({ intent });
    expect(results[0]).toMatchObject({ ...first, score: 1 });
  });

  it("gives every page of many alike, each once, and then none", async () => {
    const read = createFileTools().tools[0] as Tool;
    const tools = Array.from({ length: 60 }, (_, at) => ({ ...read, id: `disk${at}:read` }));
    const pml = await open({ tools });
    const seen: string[] = [];
    for (let offset = 0; offset < 80; offset += 7)
      for (const { id } of (await pml.discover({ intent: "read a file", limit: 7, offset })).results) seen.push(id);
    expect(seen).toHaveLength(60);
    expect(new Set(seen).size).toBe(60);
  });

  it("gives the same pages for the same question", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const whole = await pml.discover({ intent: "a file", limit: 4 });
    const pages = await Promise.all([0, 2].map((offset) => pml.discover({ intent: "a file", limit: 2, offset })));
    expect(pages.flatMap(({ results }) => results)).toEqual(whole.results);
    expect(whole.total).toBe(4);
  });

  it("filters by type and score, and leaves schemas out of a summary", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const { results } = await pml.discover({
      intent: "fs:read",
      filter: { type: "tool", minScore: 0.99 },
      detail: "summary",
    });
    expect(results).toMatchObject([{ id: "fs:read" }]);
    expect(results[0]).not.toHaveProperty("inputSchema");
  });

  it("brings the graph in for the tools in use", async () => {
    const pml = await open({ tools: createTextTools() });
    await pml.execute({ intent: "x", code: CHAIN });
    const scoreOf = async (toolsInUse: string[]): Promise<number> => {
      const { results } = await pml.discover({ intent: "zzz", filter: { type: "tool" }, toolsInUse });
      return results.find(({ id }) => id === "text:upper")?.score ?? 0;
    };
    expect(await scoreOf(["text:trim"])).toBeGreaterThan(await scoreOf([]));
  });

  it.each([
    ["a limit of nothing", { limit: 0 }],
    ["an offset below nothing", { offset: -1 }],
    ["a type that is none", { filter: { type: "x" } }],
    ["a score above one", { filter: { minScore: 2 } }],
    ["an empty intent", { intent: "" }],
  ])("refuses %s", async (_, request) => {
    const pml = await open();
    await expect(pml.discover({ intent: "x", ...request } as never)).rejects.toMatchObject({
      code: "PML_INVALID_INPUT",
    });
  });
});
