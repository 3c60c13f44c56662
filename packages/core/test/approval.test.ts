import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ApprovalAnswer, ApprovalRequest, PmlOptions } from "@pml/core";
import { describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open } = usePml();
const DELETE = `return mcp.fs.delete({ path: "a.json" })`;

describe("approval", () => {
  it("is asked for before a tool that destroys, with what it will be called with", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools });
    const asked = await pml.execute({ intent: "delete a file", code: DELETE });
    expect(asked).toMatchObject({
      status: "approval_required",
      approval: { tools: [{ id: "fs:delete", reason: "it may destroy something", arguments: [{ path: "a.json" }] }] },
    });
    expect(calls).toEqual([]);
    expect(await pml.approve(asked.workflowId)).toMatchObject({ status: "success", result: { deleted: true } });
    expect(calls).toHaveLength(1);
    await expect(pml.approve(asked.workflowId)).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
  });

  it("goes on with events for whoever answered", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const [asking, answering]: [string[], string[]] = [[], []];
    const asked = await pml.execute({ intent: "x", code: DELETE, onEvent: ({ type }) => void asking.push(type) });
    asking.length = 0;
    await pml.approve(asked.workflowId, { onEvent: ({ type }) => void answering.push(type) });
    expect(answering).toEqual(expect.arrayContaining(["run_start", "tool_start", "tool_end"]));
    expect(asking).toEqual([]);
  });

  it("shows what is known of each call: inputs, defaults, what capabilities are called with, and what only comes later", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const known = async (request: Parameters<typeof pml.execute>[0]): Promise<unknown> =>
      ((await pml.execute(request)) as ApprovalAnswer).approval.tools[0]?.arguments;
    await pml.capabilities.create({ intent: "delete a file", code: DELETE, name: "fs:remove_file" });
    const context = { path: "b.json", options: { path: "deep.json" } };
    const code = "return mcp.fs.delete({ path: args.path })";
    expect(await known({ intent: "x", code, context })).toEqual([{ path: "b.json" }]);
    expect(await known({ intent: "x", code })).toEqual([{ path: { parameter: "path" } }]);
    const spread = "return mcp.fs.delete({ ...args.options })";
    expect(await known({ intent: "x", code: spread, context })).toEqual([{ path: "deep.json" }]);
    const later = "const file = await mcp.fs.read({ path: 'list' }); return mcp.fs.delete({ path: file.content })";
    expect(await known({ intent: "x", code: later })).toEqual([{ path: { from: "file.content" } }]);
    expect(await known({ capability: "fs:remove_file" })).toEqual([{ path: "a.json" }]);
    expect(await known({ capability: "fs:remove_file", args: { path: "z" } })).toEqual([{ path: "z" }]);
    const outer = `await capabilities.fs.remove_file({}); return capabilities.fs.remove_file({ path: args.path })`;
    expect(await known({ intent: "x", code: outer, context })).toEqual([{ path: "a.json" }, { path: "b.json" }]);
    const all = "return mcp.fs.delete({ path: args.path, password: args.secret })";
    expect(await known({ intent: "x", code: all, context: { path: "a", secret: "hunter2-hunter2" } })).toEqual([
      { path: "a", password: "[redacted]" },
    ]);
  });

  it("is not asked for pure operations", async () => {
    const pml = await open({ tools: createFileTools().tools });
    expect(await pml.execute({ intent: "sum", code: "return [1, 2].map((n) => n * 2)" })).toMatchObject({
      result: [2, 4],
    });
  });

  it("is asked through the capabilities that code calls", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const asked = await pml.execute({ intent: "delete a file", code: DELETE, name: "fs:remove_file" });
    await pml.approve(asked.workflowId);
    const outer = await pml.execute({ intent: "clean up", code: "return capabilities.fs.remove_file({})" });
    expect(outer).toMatchObject({ status: "approval_required", approval: { tools: [{ id: "fs:delete" }] } });
  });

  it("is asked for a tool whose name is only known when the code runs", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools });
    const code = `return mcp.fs[args.what]({ path: "a.json" })`;
    const asked = await pml.execute({ intent: "x", code, context: { what: "read" } });
    expect(asked).toMatchObject({ status: "approval_required", approval: { tools: [{ id: "fs:*" }] } });
    expect(await pml.approve(asked.workflowId)).toMatchObject({ status: "success" });
    expect(calls).toEqual(['fs:read {"path":"a.json"}']);
  });

  it("given for some tools lets only those be called", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools });
    const code = `await mcp.mail.send({}); return mcp.fs.delete({ path: "a.json" })`;
    const asked = await pml.execute({ intent: "both", code });
    const answer = await pml.approve((asked as ApprovalAnswer).approval.id, { tools: ["mail:send"] });
    expect(answer).toMatchObject({ status: "approval_required", approval: { tools: [{ id: "fs:delete" }] } });
    expect(calls).toEqual([]);
  });

  it("rejected runs nothing, and says nothing of the capability", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools });
    const asked = await pml.execute({ intent: "delete a file", code: DELETE });
    const answer = await pml.reject(asked.workflowId, { reason: "not today" });
    expect(answer).toMatchObject({
      status: "error",
      error: { code: "PML_REJECTED", details: { reason: "not today" } },
    });
    expect(calls).toEqual([]);
    expect((await pml.store.list())[0]?.statistics.failureCount).toBe(0);
    expect(await pml.listUnfinished()).toEqual([]);
  });

  it("expires", async () => {
    let now = new Date("2026-01-01");
    const pml = await open({ tools: createFileTools().tools, clock: () => now, approval: { ttlMs: 60_000 } });
    const asked = await pml.execute({ intent: "delete a file", code: DELETE });
    now = new Date("2026-01-02");
    await expect(pml.approve(asked.workflowId)).rejects.toMatchObject({ code: "PML_APPROVAL_EXPIRED" });
    expect(await pml.listUnfinished()).toEqual([]);
  });

  it("is answered inline by a host that can", async () => {
    const asked: ApprovalRequest[] = [];
    const onApproval = (request: ApprovalRequest): { approved: boolean } => (
      asked.push(request),
      { approved: asked.length === 1 }
    );
    const { tools, calls } = createFileTools();
    const pml = await open({ tools, approval: { onApproval } });
    expect(await pml.execute({ intent: "delete a file", code: DELETE })).toMatchObject({ status: "success" });
    expect(await pml.execute({ intent: "again", code: DELETE })).toMatchObject({ error: { code: "PML_REJECTED" } });
    expect(calls).toHaveLength(1);
  });

  it("given inline for some tools is asked again for the others, and a no to those runs nothing", async () => {
    const asked: string[][] = [];
    const { tools, calls } = createFileTools();
    const code = `await mcp.mail.send({}); return mcp.fs.delete({ path: "a.json" })`;
    const answerWith = (last: boolean): NonNullable<PmlOptions["approval"]> => ({
      onApproval(request) {
        asked.push(request.tools.map(({ id }) => id));
        return { approved: request.tools.length > 1 || last, tools: ["mail:send", ...(last ? ["fs:delete"] : [])] };
      },
    });
    const no = await open({ tools, approval: answerWith(false) });
    expect(await no.execute({ intent: "both", code })).toMatchObject({ error: { code: "PML_REJECTED" } });
    expect(asked).toEqual([["fs:delete", "mail:send"], ["fs:delete"]]);
    expect(calls).toEqual([]);
    const yes = await open({ tools, approval: answerWith(true) });
    expect(await yes.execute({ intent: "both", code })).toMatchObject({ status: "success" });
  });

  it("can be given after a restart", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "pml-approval-"));
    try {
      const { tools, calls } = createFileTools();
      const first = await open({ tools, dataDir });
      const { workflowId } = await first.execute({ intent: "delete a file", code: DELETE, context: { note: "kept" } });
      await first.close();
      const second = await open({ tools, dataDir });
      expect((await second.listUnfinished()).map(({ id, status }) => [id, status])).toEqual([[workflowId, "waiting"]]);
      expect(await second.approve(workflowId)).toMatchObject({ status: "success", result: { deleted: true } });
      expect(calls).toHaveLength(1);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });

  it("of one run is given once, however many try", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools });
    const { workflowId } = await pml.execute({ intent: "delete a file", code: DELETE });
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => pml.approve(workflowId)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(calls).toHaveLength(1);
  });
});

describe("permissions", () => {
  it.each([
    ["minimal", "fs:write", `return mcp.fs.write({ path: "x", content: "" })`],
    ["minimal", "fs:delete", DELETE],
  ] as const)("%s refuses %s before anything runs", async (permissions, tool, code) => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools, permissions });
    const answer = await pml.execute({ intent: "x", code });
    expect(answer).toMatchObject({
      status: "error",
      error: { code: "PML_PERMISSION_DENIED", details: { tools: [tool] } },
    });
    expect(calls).toEqual([]);
  });

  it("of one call stand over those of the memory", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const code = `return mcp.fs.read({ path: "a.json" })`;
    expect(await pml.execute({ intent: "x", code, permissions: { allow: ["mail:*"] } })).toMatchObject({
      status: "error",
    });
    expect(await pml.execute({ intent: "x", code, permissions: { allow: ["fs:*"] } })).toMatchObject({
      status: "success",
    });
  });

  it("that deny a tool deny it to code that computes its name, whatever is approved", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools, permissions: { allow: ["*"], deny: ["fs:delete"] } });
    const code = `return mcp.fs[args.what]({ path: "a.json" })`;
    const asked = await pml.execute({ intent: "x", code, context: { what: "delete" } });
    const answer = await pml.approve(asked.workflowId, { tools: ["fs:*", "fs:delete"] });
    expect(answer).toMatchObject({ status: "error", error: { code: "SANDBOX_TOOL_DENIED" } });
    expect(calls).toEqual([]);
  });

  it("minimal has neither clock nor random numbers", async () => {
    const pml = await open({ permissions: "minimal" });
    expect(await pml.execute({ intent: "x", code: "return Date.now()" })).toMatchObject({
      error: { code: "SANDBOX_POWER_DENIED" },
    });
  });
});
