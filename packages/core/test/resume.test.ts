import type { DAGStructure } from "@pml/analyzer";
import type { ApprovalAnswer, ExecuteAnswer, Pml, SuccessAnswer, Tool } from "@pml/core";
import { describe, expect, it } from "vitest";

import { usePml } from "./pml-world.js";

const { open } = usePml();

const KEY = { type: "object", properties: { key: { type: "string" } }, required: ["key"] };

/** Tools that write down what they are called with; a call whose key is in `stuck` never answers. */
function createSlate(): { tools: Tool[]; calls: string[]; stuck: Set<string> } {
  const calls: string[] = [];
  const stuck = new Set<string>();
  const tool = (id: string, annotations: Tool["annotations"]): Tool => ({
    id,
    description: id,
    inputSchema: KEY,
    ...(annotations !== undefined && { annotations }),
    execute({ key }) {
      calls.push(`${id} ${String(key)}`);
      return stuck.has(String(key)) ? new Promise(() => {}) : { key: String(key).toUpperCase() };
    },
  });
  return { tools: [tool("log:write", undefined), tool("log:read", { readOnlyHint: true })], calls, stuck };
}

type Work = { code: string } | { dag: DAGStructure };

let projects = 0;

/** As a minute after the end of its process. */
async function lapse({ store }: Pml): Promise<void> {
  await store.context.database.query("update workflow set held_until = now() where holder = $1", [
    store.context.origin,
  ]);
}

/** Begins a run that gets stuck, and opens the memory anew, as after the end of its process. */
async function cutOff(
  work: Work,
  { at, done }: { at: string; done: number },
): Promise<{ pml: Pml; workflowId: string; calls: string[] }> {
  const { tools, calls, stuck } = createSlate();
  stuck.add(at);
  const scope = { project: `cut-${projects++}` };
  const first = await open({ tools, scope });
  void first.execute({ intent: "write", context: { who: "x" }, ...work });
  await expect.poll(() => calls.some((call) => call.endsWith(` ${at}`))).toBe(true);
  await lapse(first);
  const pml = await open({ tools, scope });
  const [workflow] = await pml.listUnfinished();
  // What a call gave is written behind the run.
  await expect.poll(() => countDone(pml, workflow?.id ?? "")).toBe(done);
  stuck.clear();
  return { pml, workflowId: workflow?.id ?? "", calls };
}

async function countDone({ store }: Pml, workflowId: string): Promise<number> {
  const [row] = await store.context.database.query<{ count: number }>(
    "select count(*)::int as count from workflow_checkpoint where workflow_id = $1 and state ->> 'status' = 'done'",
    [workflowId],
  );
  return row?.count ?? 0;
}

const task = (id: string, key: unknown, dependsOn: string[] = []): DAGStructure["tasks"][number] => ({
  id,
  tool: "log:write",
  type: "mcp_tool",
  arguments: { key: key as string },
  dependsOn,
  sideEffects: true,
  metadata: {},
});

const DAG: DAGStructure = {
  tasks: [task("t1", "a"), task("t2", { $from: "t1", path: ["key"] }, ["t1"]), task("t3", "c", ["t2"])],
  returns: [
    {
      value: [
        { $from: "t2", path: ["key"] },
        { $from: "t3", path: ["key"] },
      ],
    },
  ],
};

describe("a run that was cut off", () => {
  it.each<[what: string, work: Work, at: string, done: string[], result: unknown]>([
    [
      "code, one call after the other",
      {
        code: `const a = await mcp.log.write({ key: "a" }); const b = await mcp.log.write({ key: "b" }); return [a.key, b.key];`,
      },
      "b",
      ["a"],
      ["A", "B"],
    ],
    [
      "code in a loop, by its turn",
      {
        code: `const all = []; for (const key of ["a", "b", "c"]) all.push((await mcp.log.write({ key })).key); return all;`,
      },
      "c",
      ["a", "b"],
      ["A", "B", "C"],
    ],
    [
      "code with Promise.all, by its branch",
      {
        code: `const all = await Promise.all(["a", "b", "c"].map((key) => mcp.log.write({ key }))); return all.map((each) => each.key);`,
      },
      "b",
      ["a", "c"],
      ["A", "B", "C"],
    ],
    ["a DAG, by its layer", { dag: DAG }, "c", ["a", "A"], ["A", "C"]],
  ])("is taken up, what it did not being done again: %s", async (_, work, at, done, result) => {
    const { pml, workflowId, calls } = await cutOff(work, { at, done: done.length });
    calls.length = 0;
    const asked = await pml.resume(workflowId);
    expect(asked).toMatchObject({
      status: "approval_required",
      approval: { tools: [{ reason: "log:write was under way when the run was cut off, and may have happened" }] },
    });
    expect(calls).toEqual([]);
    expect(await pml.approve((asked as ApprovalAnswer).approval.id)).toMatchObject({ status: "success", result });
    expect(calls).toEqual([`log:write ${at}`]);
    expect(await pml.listUnfinished()).toEqual([]);
    const [trace] = await pml.store.listTraces();
    expect(trace?.tasks).toHaveLength(done.length + 1);
  });

  it("does not ask about a call that may be repeated", async () => {
    const { pml, workflowId, calls } = await cutOff(
      { code: `const a = await mcp.log.write({ key: "a" }); return [a.key, (await mcp.log.read({ key: "b" })).key];` },
      { at: "b", done: 1 },
    );
    calls.length = 0;
    expect(await pml.resume(workflowId)).toMatchObject({ status: "success", result: ["A", "B"] });
    expect(calls).toEqual(["log:read b"]);
  });

  it("is asked about inline by a host that answers so, and leaves a trace of what it did when that says no", async () => {
    const { tools, calls, stuck } = createSlate();
    stuck.add("b");
    const scope = { project: "inline-resume" };
    const code = `await mcp.log.write({ key: "a" }); await mcp.log.write({ key: "b" });`;
    const first = await open({ tools, scope });
    void first.execute({ intent: "write", code });
    await expect.poll(() => calls).toHaveLength(2);
    await lapse(first);
    const pml = await open({ tools, scope, approval: { onApproval: () => ({ approved: false, reason: "no" }) } });
    const [workflow] = await pml.listUnfinished();
    const answer = await pml.resume(workflow?.id ?? "");
    expect(answer).toMatchObject({
      status: "error",
      error: { code: "PML_REJECTED", message: "The run was rejected: no. What it had done before stands." },
    });
    expect(calls).toHaveLength(2);
    expect(await pml.listUnfinished()).toEqual([]);
    const [trace] = await pml.store.listTraces();
    expect(trace).toMatchObject({
      success: false,
      tasks: [
        { taskId: "n1", tool: "log:write", success: true, result: { key: "A" } },
        { taskId: "n2", success: false, error: "It was under way when the run was cut off." },
      ],
    });
    const [capability] = await pml.store.list();
    expect(capability?.statistics).toMatchObject({ usageCount: 0, failureCount: 0 });
  });

  it("is not taken up twice at once, nor while it runs, here or in another process", async () => {
    const { tools, calls, stuck } = createSlate();
    const code = `return (await mcp.log.read({ key: "a" })).key`;
    stuck.add("a");
    const scope = { project: "twice" };
    const first = await open({ tools, scope });
    void first.execute({ intent: "read", code });
    await expect.poll(() => calls).toHaveLength(1);
    const [{ id = "" } = {}] = await first.listUnfinished();
    await expect(first.resume(id)).rejects.toMatchObject({ code: "PML_CONFLICT" });
    stuck.clear();
    const second = await open({ tools, scope });
    expect(await second.listUnfinished()).toMatchObject([{ id, status: "running", held: true }]);
    await expect(second.resume(id)).rejects.toMatchObject({ code: "PML_CONFLICT" });
    expect(calls).toHaveLength(1);
    await lapse(first);
    expect(await second.listUnfinished()).toMatchObject([{ id, held: false }]);
    const settled = await Promise.allSettled([second.resume(id), second.resume(id)]);
    expect(settled.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(settled.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "PML_CONFLICT" } });
    expect(calls).toHaveLength(2);
    await expect(second.resume(id)).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
  });

  it("may do no more than it might have done, and knows names as they were", async () => {
    const { tools, calls, stuck } = createSlate();
    stuck.add("b");
    const scope = { project: "as-then" };
    const first = await open({ tools, scope });
    await first.execute({
      intent: "read a",
      code: `return (await mcp.log.read({ key: "a" })).key`,
      name: "log:read_key",
    });
    const code = `const b = await mcp.log.read({ key: "b" }); return capabilities.log.read_key({});`;
    void first.execute({ intent: "both", code, permissions: { allow: ["log:read"] }, cache: false });
    await expect.poll(() => calls).toContain("log:read b");
    await first.names.update("log:read_key", {
      code: `return (await mcp.log.read({ key: "other" })).key`,
      acceptDifferences: true,
    });
    stuck.clear();
    await lapse(first);
    const second = await open({ tools, scope });
    const [workflow] = await second.listUnfinished();
    expect(workflow?.request).toMatchObject({ options: { permissions: { allow: ["log:read"] } } });
    expect(await second.resume(workflow?.id ?? "")).toMatchObject({ status: "success", result: "A" });
  });

  it("has its inputs as they were, also where they are more than JSON", async () => {
    const { tools, calls, stuck } = createSlate();
    stuck.add("a");
    const scope = { project: "inputs" };
    const first = await open({ tools, scope });
    const code = `await mcp.log.read({ key: "a" }); return [args.when.getUTCFullYear(), args.sizes.get("m")];`;
    void first.execute({
      intent: "x",
      code,
      context: { when: new Date("2026-05-01T00:00:00Z"), sizes: new Map([["m", 2]]) },
    });
    await expect.poll(() => calls).toHaveLength(1);
    stuck.clear();
    await lapse(first);
    const second = await open({ tools, scope });
    const [workflow] = await second.listUnfinished();
    expect(await second.resume(workflow?.id ?? "")).toMatchObject({ status: "success", result: [2026, 2] });
  });
});

describe("closing a memory", () => {
  it.each<[what: string, work: Work]>([
    ["code", { code: `await mcp.log.write({ key: "a" }); return (await mcp.log.read({ key: "c" })).key;` }],
    ["a DAG", { dag: { tasks: [task("t1", "a"), { ...task("t2", "c", ["t1"]), tool: "log:read" }] } }],
  ])("cuts off what runs, so that it can be resumed: %s", async (_, work) => {
    const { tools, calls, stuck } = createSlate();
    stuck.add("c");
    const scope = { project: `closing-${projects++}` };
    const first = await open({ tools, scope });
    const running = first.execute({ intent: "write", ...work });
    await expect.poll(() => calls).toContain("log:read c");
    await first.close();
    const answer = (await running) as ExecuteAnswer & { error: { code: string } };
    expect(answer).toMatchObject({ status: "error", error: { code: "PML_CLOSED" } });
    stuck.clear();
    calls.length = 0;
    const second = await open({ tools, scope });
    expect(await second.store.listTraces()).toEqual([]);
    expect(((await second.resume(answer.workflowId)) as SuccessAnswer).status).toBe("success");
    expect(calls).toEqual(["log:read c"]);
  });

  it("keeps anything more from being begun", async () => {
    const pml = await open();
    await pml.close();
    await expect(pml.execute({ intent: "x", code: "return 1" })).rejects.toMatchObject({ code: "PML_CLOSED" });
  });
});
