import type { ErrorAnswer, Tool } from "@pml/core";
import { describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open, model } = usePml();

const createGet = (type: string): Tool => ({
  id: "shop:get",
  description: "Get an order",
  inputSchema: { type: "object", properties: { id: { type } }, required: ["id"] },
  annotations: { readOnlyHint: true },
  execute: ({ id }) => ({ order: id }),
});
const GET = `return (await mcp.shop.get({ id: args.id })).order`;

describe("a tool whose schema changes", () => {
  it("changes what the capabilities that use it take, which goes on fitting their signature", async () => {
    const pml = await open({ tools: [createGet("string")] });
    await pml.execute({ intent: "get an order", code: GET, context: { id: "5" }, name: "shop:get_order" });
    await pml.tools.update(createGet("integer"));
    expect((await pml.capabilities.get("shop:get_order")).parameters).toMatchObject({
      properties: { id: { type: "integer" } },
    });
    expect(await pml.execute({ capability: "shop:get_order", args: { id: 5 } })).toMatchObject({ result: 5 });
    const outer = await pml.execute({ intent: "outer", code: "return capabilities.shop.get_order({ id: 6 })" });
    expect(outer).toMatchObject({ status: "success", result: 6 });
  });

  it("does so while the memory was closed as well", async () => {
    const scope = { project: "schema-while-closed" };
    const first = await open({ tools: [createGet("string")], scope });
    await first.execute({ intent: "get an order", code: GET, context: { id: "5" }, name: "shop:get_order" });
    await first.execute({ capability: "shop:get_order", args: { id: "6" } });
    await first.close();
    const second = await open({ tools: [createGet("integer")], scope });
    expect(await second.cache.listInvalidations()).toMatchObject([
      { trigger: "tool_schema_change", toolId: "shop:get", entries: 1 },
    ]);
    expect(await second.execute({ capability: "shop:get_order", args: { id: 5 } })).toMatchObject({ result: 5 });
  });

  it("leaves alone what did not come from it", async () => {
    const pml = await open({ tools: [createGet("string")] });
    const parameters = { type: "object", properties: { id: { type: "string", description: "as on the bill" } } };
    const { capability } = await pml.store.create({
      intent: "get an order",
      source: { type: "code", code: GET },
      parameters,
      toolsUsed: ["shop:get"],
    });
    await pml.tools.update(createGet("integer"));
    expect((await pml.store.get(capability.id)).parameters).toEqual(parameters);
  });
});

describe("tools that come and go", () => {
  it("are all added, or none if one of them cannot be used", async () => {
    const pml = await open({ tools: [createGet("string")] });
    const good = { ...createGet("string"), id: "shop:list" };
    await expect(pml.tools.add(good, { id: "bad" } as Tool)).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
    expect(pml.tools.list().map(({ id }) => id)).toEqual(["shop:get"]);
  });

  it.each([
    ["of the server of capabilities", { id: "cap:read" }],
    ["that the language uses itself", { id: "shop:then" }],
    ["without a name", { id: "shop:" }],
    ["without execute", { execute: undefined }],
    ["with an input schema that is none", { inputSchema: { type: "nothing" } }],
    ["with a time that is none", { timeoutMs: -1 }],
    ["with a time no timer can wait for", { timeoutMs: 2 ** 40 }],
  ])("are refused %s", async (_, wrong) => {
    const tool = { ...createGet("string"), ...wrong } as unknown as Tool;
    await expect(open({ tools: [tool] })).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
  });

  it("take with them, and bring back, the capabilities that call one that needs them", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools, embedder: model, cache: { enabled: false } });
    const intent = "read the name in the json file a.json";
    const inner = `return JSON.parse((await mcp.fs.read({ path: "a.json" })).content).name`;
    await pml.execute({ intent: "inner", code: inner, name: "fs:read_name" });
    await pml.execute({ intent, code: `return capabilities.fs.read_name({})`, name: "fs:read_outer" });
    const read = pml.tools.get("fs:read");
    await pml.tools.remove("fs:read");
    const statuses = async (): Promise<unknown[]> => (await pml.capabilities.list()).map(({ status }) => status);
    expect(await statuses()).toEqual(["degraded", "degraded"]);
    const { results } = await pml.discover({ intent: "fs:read_outer" });
    expect(results[0]).toMatchObject({ name: "fs:read_outer", status: "degraded" });
    const failed = (await pml.execute({ capability: "fs:read_outer" })) as ErrorAnswer;
    expect(failed.error).toMatchObject({ code: "PML_CAPABILITY_DEGRADED", details: { tool: "fs:read" } });
    expect(await pml.execute({ intent, context: {} })).toMatchObject({ status: "suggestions" });
    expect(calls).toHaveLength(2);
    await pml.tools.add(read);
    expect(await statuses()).toEqual(["active", "active"]);
    expect(await pml.execute({ capability: "fs:read_outer" })).toMatchObject({ status: "success", result: "a" });
  });

  it("leave what can do the same without them to run by itself", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools, embedder: model, cache: { enabled: false } });
    const intent = "get the name from the settings file";
    await pml.execute({ intent, code: `return JSON.parse((await mcp.fs.read({ path: "a.json" })).content).name` });
    await pml.execute({ intent, code: `await mcp.fs.write({ path: "log", content: "asked" }); return "other"` });
    await pml.tools.remove("fs:read");
    expect(await pml.execute({ intent, context: {} })).toMatchObject({ status: "success", result: "other" });
  });
});

function tool(id: string, properties: object, required: string[]): Tool {
  const inputSchema = { type: "object", properties, required };
  return { id, description: id, inputSchema, execute: () => ({ content: "x" }) };
}

describe("the structure of code", () => {
  it("says how much of a tool's input the data that flows to it covers", async () => {
    const text = { type: "string" };
    const pml = await open({
      tools: [
        tool("fs:read", { path: text }, ["path"]),
        tool("json:parse", { json: text, strict: text }, ["json"]),
        tool("http:post", { url: text, body: text }, ["url", "body"]),
      ],
    });
    const code = `const file = await mcp.fs.read({ path: args.path });
      const parsed = await mcp.json.parse({ json: file.content });
      await mcp.json.parse({ json: "1", strict: file.content });
      return mcp.http.post({ url: args.url, body: parsed.content });`;
    const { structure } = await pml.capabilities.create({ intent: "x", code });
    const { edges } = structure as { edges: { type: string; from: string; to: string; coverage?: string }[] };
    const provides = edges.filter(({ type }) => type === "provides");
    expect(provides.map(({ from, to, coverage }) => [from, to, coverage])).toEqual([
      ["n1", "n2", "strict"],
      ["n1", "n3", "optional"],
      ["n2", "n4", "partial"],
    ]);
  });
});
