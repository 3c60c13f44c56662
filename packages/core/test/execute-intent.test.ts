import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ExecuteRequest } from "@pml/core";
import { describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open, model } = usePml();
const READ = `const file = await mcp.fs.read({ path: "a.json" }); return JSON.parse(file.content).name;`;

function createCircle(): Record<string, unknown> {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  return circle;
}

describe("execute with an intent", () => {
  it("suggests tools with their schemas when nothing is known", async () => {
    const pml = await open({ tools: createFileTools().tools, embedder: model });
    const answer = await pml.execute({ intent: "send an e-mail to my boss" });
    expect(answer).toMatchObject({ status: "suggestions", mode: "suggestion" });
    expect(answer.suggestions.tools[0]).toMatchObject({ id: "mail:send", inputSchema: { type: "object" } });
  });

  it("suggests instead of running when it is not sure", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools, embedder: model });
    await pml.execute({ intent: "read the name in the json file a.json", code: READ });
    const answer = await pml.execute({ intent: "bake a cake for ten people", context: { path: "b.json" } });
    expect(answer).toMatchObject({ status: "suggestions", mode: "speculation" });
    expect(calls).toHaveLength(1);
  });

  it("says which input is missing", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools, embedder: model });
    const intent = "read the content of the file at a path";
    await pml.execute({ intent, code: "return mcp.fs.read({ path: args.path })", context: { path: "a.json" } });
    const answer = await pml.execute({ intent, context: {} });
    expect(answer).toMatchObject({ status: "suggestions", missing: { parameters: ["path"] } });
  });

  it.each<[what: string, request: unknown]>([
    ["no intent", {}],
    ["an empty intent", { intent: " " }],
    ["code and a capability at once", { intent: "x", code: "1", capability: "a:b" }],
    ["a context that is a list", { intent: "x", context: [] }],
    ["an intent with a NUL", { intent: "a\0b" }],
    ["nothing", undefined],
    ["a context that is no data", { intent: "x", context: { call: () => 1 } }],
    ["a context that holds itself", { intent: "x", context: createCircle() }],
    ["permissions that are none", { intent: "x", code: "return 1", permissions: "god" }],
    ["limits that are none", { intent: "x", code: "return 1", limits: { timeoutMs: -1 } }],
  ])("throws for %s", async (_, request) => {
    const pml = await open();
    await expect(pml.execute(request as ExecuteRequest)).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
    expect([await pml.store.list(), await pml.listUnfinished()]).toEqual([[], []]);
  });

  it("answers when the context is larger than a run may take, and that says nothing of the capability", async () => {
    const pml = await open();
    const context = { text: "x".repeat(2000) };
    const answer = await pml.execute({ intent: "x", code: "return 1", context, limits: { maxArgumentBytes: 1000 } });
    expect(answer).toMatchObject({ status: "error", error: { code: "SANDBOX_ARGUMENTS_TOO_LARGE" } });
    expect(await pml.listUnfinished()).toEqual([]);
    expect((await pml.store.list())[0]?.statistics).toMatchObject({ usageCount: 0, failureCount: 0 });
  });
});

describe("a memory on disk", () => {
  it("knows the next day what it learned", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "pml-memory-"));
    try {
      const { tools } = createFileTools();
      const first = await open({ tools, dataDir, embedder: model });
      await first.execute({ intent: "read the name in the json file a.json", code: READ });
      await first.close();
      const second = await open({ tools, dataDir, embedder: model });
      const answer = await second.execute({
        intent: "read the name in the json file b.json",
        context: { path: "b.json" },
      });
      expect(answer).toMatchObject({ status: "success", result: "b" });
      expect(second.graph.listNodes("tool")).toContain("fs:read");
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });
});
