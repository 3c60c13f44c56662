import type { SuccessAnswer, Tool } from "@pml/core";
import { describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open, model } = usePml();

const TEXT = { type: "string" };
const tools: Tool[] = [
  {
    id: "disk:load_text",
    description: "Load the text of a file from disk",
    inputSchema: { type: "object", properties: { path: TEXT }, required: ["path"] },
    outputSchema: { type: "object", properties: { text: TEXT } },
    annotations: { readOnlyHint: true },
    execute: ({ path }) => ({ text: `text of ${String(path)}` }),
  },
];

describe("a plan from the graph, where no capability serves an intent,", () => {
  it("is suggested, with its schemas and what each task is given", async () => {
    const pml = await open({ tools: [...tools, ...createFileTools().tools.slice(1)], embedder: model });
    const { suggestions } = await pml.execute({ intent: "disk:load_text" });
    expect(suggestions.dag).toMatchObject({
      dag: { tasks: [{ id: "t1", tool: "disk:load_text", type: "mcp_tool", dependsOn: [] }] },
      toolSchemas: { "disk:load_text": { requiredInputs: ["path"] } },
    });
  });

  it("runs by itself when all of it only reads and it is as sure as a capability would be", async () => {
    const pml = await open({ tools });
    const answer = (await pml.execute({ intent: "disk:load_text", context: { path: "a" } })) as SuccessAnswer;
    expect(answer).toMatchObject({ status: "success", mode: "speculation", result: { text: "text of a" } });
    expect(await pml.store.get(answer.capabilityId ?? "")).toMatchObject({ status: "active", source: { type: "dag" } });
    expect(pml.metrics().suggestions).toBe(0);
  });

  it.each<[what: string, intent: string, context: object, tool: Partial<Tool>]>([
    ["it is not sure", "what is the weather", { path: "a" }, {}],
    ["one of its tools may have effects", "disk:load_text", { path: "a" }, { annotations: {} }],
    ["an input is missing", "disk:load_text", { name: "a" }, {}],
    ["it leaves out some of what came with the intent", "disk:load_text", { path: "a", language: "fr" }, {}],
  ])("does not run by itself when %s", async (_, intent, context, tool) => {
    const calls: unknown[] = [];
    const [load] = tools as [Tool];
    const pml = await open({ tools: [{ ...load, execute: (args) => calls.push(args), ...tool }] });
    const answer = await pml.execute({ intent, context: context as Record<string, unknown> });
    expect(answer.status).toBe("suggestions");
    expect(calls).toEqual([]);
  });
});

describe("results", () => {
  it("can be fetched until they expire; the trace keeps what it keeps", async () => {
    let now = new Date("2026-01-01T10:00:00Z");
    const pml = await open({ tools: createFileTools().tools, clock: () => now, taskResultTtlMs: 60_000 });
    const code = `return mcp.fs.read({ path: "a.json" })`;
    const { workflowId, traceId } = (await pml.execute({ intent: "read", code })) as SuccessAnswer;
    expect(await pml.getTaskResult({ workflowId, taskId: "n1", format: "pretty" })).toMatchObject({
      text: '{\n  "content": "{\\"name\\":\\"a\\"}"\n}',
    });
    now = new Date("2026-01-01T10:01:01Z");
    await expect(pml.getTaskResult({ workflowId, taskId: "n1" })).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
    expect((await pml.store.getTrace(traceId)).tasks[0]?.result).toEqual({ content: '{"name":"a"}' });
  });

  it("are fetched page by page, never by another project", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const { workflowId } = (await pml.execute({
      intent: "read",
      code: `return mcp.fs.read({ path: "a.json" })`,
    })) as SuccessAnswer;
    const texts: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page: { text: string; nextOffset?: number } = await pml.getTaskResult({
        workflowId,
        taskId: "n1",
        offset,
        limit: 7,
      });
      texts.push(page.text);
      offset = page.nextOffset;
    }
    expect(JSON.parse(texts.join(""))).toEqual({ content: '{"name":"a"}' });
    const elsewhere = pml.getTaskResult({ workflowId, taskId: "n1", scope: { project: "elsewhere" } });
    await expect(elsewhere).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
    await expect(pml.getTaskResult({ workflowId, taskId: "n1", limit: 0 })).rejects.toMatchObject({
      code: "PML_INVALID_INPUT",
    });
  });
});
