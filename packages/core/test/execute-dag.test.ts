import type { DAGStructure } from "@pml/analyzer";
import type { ApprovalAnswer, Tool } from "@pml/core";
import { describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open } = usePml();

type Task = DAGStructure["tasks"][number];
function task(id: string, tool: string, rest: Partial<Task> = {}): Task {
  const type = tool.startsWith("code:") ? "code_execution" : "mcp_tool";
  return { id, tool, type, arguments: {}, dependsOn: [], sideEffects: true, metadata: {}, ...rest };
}

/** The first task fails, the second needs it, the third does not. */
function withMissing(metadata: object): DAGStructure {
  return {
    tasks: [
      task("t1", "fs:read", { arguments: { path: "none" }, metadata }),
      task("t2", "fs:read", { arguments: { path: { $from: "t1", path: ["content"] } }, dependsOn: ["t1"] }),
      task("t3", "fs:read", { arguments: { path: "a.json" } }),
    ],
    returns: [{ value: { $from: "t3", path: ["content"] } }],
  };
}

/** Fails the first time. */
function createFlaky(): { execute: () => string; calls: () => number } {
  let calls = 0;
  return {
    calls: () => calls,
    execute: () => {
      if (++calls < 2) throw new Error("not yet");
      return "ok";
    },
  };
}

/** A tool that says how many of its calls are under way at most. */
function createGauge(annotations: Tool["annotations"] = { readOnlyHint: true }): Gauge {
  let [underWay, most, awaited] = [0, 0, 1];
  const tooFew = (): boolean => most < awaited;
  const tool: Tool = {
    id: "web:get",
    description: "Get a page",
    ...(annotations && { annotations }),
    execute: async ({ url }) => {
      most = Math.max(most, ++underWay);
      do await new Promise((done) => setTimeout(done, 20));
      while (tooFew());
      underWay--;
      return { page: `page of ${String(url)}` };
    },
  };
  return { tool, most: () => most, awaitTogether: (count) => void (awaited = count) };
}

interface Gauge {
  tool: Tool;
  /** Calls that were under way at the same time. */
  most: () => number;
  /** No call ends before so many are under way: however busy the machine is. */
  awaitTogether: (count: number) => void;
}

describe("a DAG", () => {
  it("runs layer by layer, takes arguments from results and inputs, and returns what it says", async () => {
    const { tools, files } = createFileTools();
    const pml = await open({ tools });
    const dag: DAGStructure = {
      tasks: [
        task("t1", "fs:read", { arguments: { path: { $param: "from" } }, sideEffects: false }),
        task("t2", "fs:write", {
          arguments: { path: { $param: "to" }, content: { $from: "t1", path: ["content"] } },
          dependsOn: ["t1"],
        }),
      ],
      returns: [{ value: { wrote: { $from: "t2", path: ["written"] } } }],
    };
    const answer = await pml.execute({ intent: "copy a file", dag, context: { from: "a.json", to: "c.json" } });
    expect(answer).toMatchObject({
      status: "success",
      result: { wrote: true },
      layerResults: [
        { layer: 0, tasks: [{ taskId: "t1", status: "success", resultPreview: expect.any(String) }] },
        { layer: 1, tasks: [{ taskId: "t2", status: "success" }] },
      ],
    });
    expect(files.get("c.json")).toBe('{"name":"a"}');
    const { capabilityId = "" } = answer as { capabilityId?: string };
    expect(await pml.store.get(capabilityId)).toMatchObject({ status: "active", source: { type: "dag" } });
  });

  it("shows the first of a large result, and gives the whole of it page by page", async () => {
    const { tools, files } = createFileTools();
    files.set("big.txt", "x".repeat(1000));
    const pml = await open({ tools });
    const dag = { tasks: [task("t1", "fs:read", { arguments: { path: "big.txt" } })] };
    const answer = await pml.execute({ intent: "read a big file", dag });
    const { layerResults, workflowId } = answer as ApprovalAnswer & {
      layerResults: { tasks: { resultPreview: string }[] }[];
    };
    expect(layerResults[0]?.tasks[0]?.resultPreview).toHaveLength(240);
    const whole = await pml.getTaskResult({ workflowId, taskId: "t1" });
    expect(whole).toMatchObject({ result: { content: "x".repeat(1000) }, size: 1014 });
    const page = await pml.getTaskResult({ workflowId, taskId: "t1", offset: 1000, limit: 10 });
    expect(page).toEqual({ text: "xxxxxxxxxx", size: 1014, nextOffset: 1010 });
    await expect(pml.getTaskResult({ workflowId, taskId: "t9" })).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
  });

  it("skips the branch that was not taken", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools });
    const dag: DAGStructure = {
      tasks: [
        task("d1", "code:decision", {
          code: "size > 3",
          arguments: { size: { $param: "size" } },
          sideEffects: false,
          metadata: { pure: true, decision: { kind: "truthy", outcomes: ["true", "false"] } },
        }),
        task("t1", "fs:read", {
          arguments: { path: "a.json" },
          dependsOn: ["d1"],
          when: { decision: "d1", outcome: "true" },
        }),
        task("t2", "fs:read", {
          arguments: { path: "b.json" },
          dependsOn: ["d1"],
          when: { decision: "d1", outcome: "false" },
        }),
      ],
    };
    const answer = await pml.execute({ intent: "one or the other", dag, context: { size: 5 } });
    expect(answer).toMatchObject({ status: "success" });
    expect(calls).toEqual(['fs:read {"path":"a.json"}']);
    const { tasks } = (answer as { layerResults: { tasks: { status: string }[] }[] }).layerResults[1] ?? { tasks: [] };
    expect(tasks.map(({ status }) => status)).toEqual(["success", "skipped"]);
  });

  it("goes on around a task that is safe to fail, and stops at one that is not", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools });
    const safe = await pml.execute({ intent: "safe", dag: withMissing({ safeToFail: true }) });
    expect(safe).toMatchObject({ status: "success", result: '{"name":"a"}' });
    const layers = (safe as { layerResults: { tasks: { taskId: string; status: string }[] }[] }).layerResults;
    expect(layers.flatMap(({ tasks }) => tasks.map(({ taskId, status }) => `${taskId} ${status}`))).toEqual([
      "t1 error",
      "t3 success",
      "t2 skipped",
    ]);
    const strict = await pml.execute({ intent: "strict", dag: withMissing({}) });
    expect(strict).toMatchObject({ status: "error", error: { details: { task: "t1" } } });
  });

  it("calls a tool that does no harm again after it failed, and no other", async () => {
    const [read, write] = [createFlaky(), createFlaky()];
    const pml = await open({
      tools: [
        { id: "x:read", description: "", annotations: { readOnlyHint: true }, execute: read.execute },
        { id: "x:write", description: "", execute: write.execute },
      ],
    });
    expect(await pml.execute({ intent: "read", dag: { tasks: [task("t1", "x:read")] } })).toMatchObject({
      status: "success",
    });
    expect(await pml.execute({ intent: "write", dag: { tasks: [task("t1", "x:write")] } })).toMatchObject({
      status: "error",
    });
    expect([read.calls(), write.calls()]).toEqual([2, 1]);
  });

  it("pauses between layers when asked to, and never does a layer twice", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools });
    const dag: DAGStructure = {
      tasks: [
        task("t1", "fs:write", { arguments: { path: "1", content: "1" } }),
        task("t2", "fs:write", { arguments: { path: "2", content: "2" }, dependsOn: ["t1"] }),
        task("t3", "fs:write", { arguments: { path: "3", content: "3" }, dependsOn: ["t2"] }),
      ],
    };
    const first = await pml.execute({ intent: "three writes", dag, perLayerValidation: true });
    expect(first).toMatchObject({ status: "approval_required", approval: { layerResults: [{ layer: 0 }] } });
    const second = await pml.approve(first.workflowId);
    expect(second).toMatchObject({
      status: "approval_required",
      approval: { layerResults: [{ layer: 0 }, { layer: 1 }] },
    });
    expect(calls).toHaveLength(2);
    expect(await pml.approve(first.workflowId)).toMatchObject({ status: "success" });
    expect(calls).toHaveLength(3);
  });

  it.each<[what: string, dag: unknown]>([
    [
      "tasks that wait for each other",
      { tasks: [task("t1", "fs:read", { dependsOn: ["t2"] }), task("t2", "fs:read", { dependsOn: ["t1"] })] },
    ],
    ["no tasks", {}],
    ["a task of no kind", { tasks: [{ id: "t1" }] }],
  ])("with %s is refused", async (_, dag) => {
    const pml = await open({ tools: createFileTools().tools });
    const answer = await pml.execute({ intent: "x", dag: dag as DAGStructure });
    expect(answer).toMatchObject({ status: "error", error: { code: "ANALYZER_INVALID_DAG" } });
  });
});

describe("a capability that is run again", () => {
  const SIX = `const pages = [];
    ${[1, 2, 3, 4, 5, 6].map((n) => `const p${n} = await mcp.web.get({ url: "u${n}" });`).join("\n")}
    return [p1.page, p2.page, p3.page, p4.page, p5.page, p6.page];`;

  it("does independent reads at the same time, however its code was written", async () => {
    const { tool, most, awaitTogether } = createGauge();
    const pml = await open({ tools: [tool], cache: { enabled: false } });
    const first = await pml.execute({ intent: "get six pages", code: SIX, name: "web:get_six" });
    expect(most()).toBe(1);
    awaitTogether(6);
    const again = await pml.execute({ capability: "web:get_six" });
    expect(most()).toBe(6);
    expect((again as { result: unknown }).result).toEqual((first as { result: unknown }).result);
  });

  it("keeps the order of tools that may have effects", async () => {
    const { tool, most } = createGauge({});
    const pml = await open({ tools: [tool], cache: { enabled: false } });
    await pml.execute({ intent: "get six pages", code: SIX, name: "web:get_six" });
    await pml.execute({ capability: "web:get_six" });
    expect(most()).toBe(1);
  });

  it("has no more under way than allowed", async () => {
    const { tool, most, awaitTogether } = createGauge();
    const pml = await open({ tools: [tool], concurrency: 2, cache: { enabled: false } });
    await pml.execute({ intent: "get six pages", code: SIX, name: "web:get_six" });
    awaitTogether(2);
    await pml.execute({ capability: "web:get_six" });
    expect(most()).toBe(2);
  });
});
