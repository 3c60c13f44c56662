import type { DAGStructure } from "@pml/analyzer";
import type { ErrorAnswer, LayerResult, SuccessAnswer, Tool } from "@pml/core";
import { describe, expect, it } from "vitest";

import { usePml } from "./pml-world.js";

const { open } = usePml();

function createTool(execute: Tool["execute"], rest: Partial<Tool> = {}): Tool {
  return { id: "x:do", description: "Do it", annotations: { readOnlyHint: true }, execute, ...rest };
}

type Task = DAGStructure["tasks"][number];
function createDag(...tasks: (Partial<Task> & { id: string })[]): DAGStructure {
  return {
    tasks: tasks.map((task) => ({
      tool: "x:do",
      type: "mcp_tool",
      arguments: {},
      dependsOn: [],
      sideEffects: false,
      metadata: {},
      ...task,
    })),
    returns: [{ value: { $from: tasks.at(-1)?.id ?? "" } }],
  };
}

const never: Tool["execute"] = () => new Promise(() => {});
const listStatus = (layers: readonly LayerResult[] = []): string[] =>
  layers.flatMap(({ tasks }) => tasks.map(({ taskId, status }) => `${taskId} ${status}`));

describe("a DAG is held to the limits that code is held to:", () => {
  const LIST = Array.from({ length: 20 }, (_, at) => at);
  it.each<[what: string, tool: Tool, dag: DAGStructure, limits: object, code: string]>([
    ["time", createTool(never), createDag({ id: "t1" }), { timeoutMs: 100 }, "SANDBOX_TIMEOUT"],
    [
      "calls",
      createTool(() => 1),
      createDag({ id: "t1", forEach: { items: LIST } }),
      { maxToolCalls: 10 },
      "SANDBOX_TOOL_CALLS",
    ],
    [
      "arguments",
      createTool(() => 1),
      createDag({ id: "t1", arguments: { text: "x".repeat(2000) } }),
      { maxArgumentBytes: 1000 },
      "SANDBOX_ARGUMENTS_TOO_LARGE",
    ],
    [
      "results",
      createTool(() => "x".repeat(2000)),
      createDag({ id: "t1" }),
      { maxResultBytes: 1000 },
      "SANDBOX_RESULT_TOO_LARGE",
    ],
    [
      "all results together",
      createTool(() => "x".repeat(2000)),
      createDag({ id: "t1", forEach: { items: LIST } }),
      { maxInputBytes: 10_000 },
      "SANDBOX_INPUT_TOO_LARGE",
    ],
    ["data", createTool(() => () => 1), createDag({ id: "t1" }), {}, "SANDBOX_VALUE_REFUSED"],
  ])("%s", async (_, tool, dag, limits, code) => {
    const pml = await open({ tools: [tool] });
    const answer = await pml.execute({ intent: "do it", dag, limits });
    expect(answer).toMatchObject({ status: "error", error: { code, details: { task: "t1" } } });
  });

  it("no task is so safe to fail that the rest would go on after one was reached", async () => {
    const calls: unknown[] = [];
    const pml = await open({ tools: [createTool((args) => (calls.push(args), never(args, {} as never)))] });
    const dag = createDag({ id: "t1", metadata: { safeToFail: true } }, { id: "t2", dependsOn: [] }, { id: "t3" });
    const answer = await pml.execute({ intent: "do it", dag, limits: { timeoutMs: 100 } });
    expect(answer).toMatchObject({ status: "error", error: { code: "SANDBOX_TIMEOUT" } });
    expect(calls).toHaveLength(3);
  });

  it("its own time, where a tool says one", async () => {
    const pml = await open({ tools: [createTool(never, { timeoutMs: 50, annotations: {} })] });
    const answer = await pml.execute({ intent: "do it", dag: createDag({ id: "t1" }) });
    expect(answer).toMatchObject({ status: "error", error: { code: "PML_TOOL_TIMEOUT" } });
  });

  it("and so is a capability that has become one by itself", async () => {
    const pml = await open({ tools: [createTool(() => 1)], cache: { enabled: false } });
    const code = `const a = await mcp.x.do({}); const b = await mcp.x.do({}); const c = await mcp.x.do({}); return [a, b, c];`;
    await pml.execute({ intent: "three", code, name: "x:do_three" });
    const { layerResults } = (await pml.execute({ capability: "x:do_three" })) as SuccessAnswer;
    expect(layerResults).toHaveLength(1);
    const answer = await pml.execute({ capability: "x:do_three", limits: { maxToolCalls: 2 } });
    expect(answer).toMatchObject({ status: "error", error: { code: "SANDBOX_TOOL_CALLS" } });
  });
});

describe("a DAG", () => {
  it("ends when its signal aborts, and that says nothing of the capability", async () => {
    const pml = await open({ tools: [createTool(never)] });
    const controller = new AbortController();
    const running = pml.execute({ intent: "wait", dag: createDag({ id: "t1" }), signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    const answer = (await running) as ErrorAnswer;
    expect(answer).toMatchObject({ status: "error", error: { code: "SANDBOX_ABORTED" } });
    const { statistics } = await pml.store.get(answer.capabilityId ?? "");
    expect(statistics).toMatchObject({ usageCount: 0, failureCount: 0 });
  });

  it("says by the code of this project what failed, whatever code a tool's error has", async () => {
    const broken = createTool(() => {
      throw Object.assign(new Error("no such file"), { code: "ENOENT" });
    });
    const pml = await open({ tools: [broken] });
    const answer = await pml.execute({ intent: "do it", dag: createDag({ id: "t1" }) });
    expect(answer).toMatchObject({
      status: "error",
      error: {
        code: "SANDBOX_TOOL_FAILED",
        message: 'The tool "x:do" failed: no such file',
        details: { tool: "x:do" },
      },
    });
  });

  it("gives each tool a copy, so that none can change what another gets", async () => {
    const kept = { list: [1] };
    const tool = createTool(({ from }) => {
      (from as typeof kept | undefined)?.list.push(2);
      return kept;
    });
    const pml = await open({ tools: [tool] });
    const dag = createDag(
      { id: "t1" },
      { id: "t2", arguments: { from: { $from: "t1" } }, dependsOn: ["t1"] },
      { id: "t3", arguments: { from: { $from: "t1" } }, dependsOn: ["t2"] },
    );
    const answer = (await pml.execute({ intent: "do it", dag })) as SuccessAnswer;
    expect(kept).toEqual({ list: [1] });
    expect(answer.result).toEqual({ list: [1] });
    (answer.result as typeof kept).list.push(3);
    expect(kept).toEqual({ list: [1] });
  });

  it("calls a tool that is idempotent again after it failed, with longer and longer pauses, three times in all", async () => {
    const times: number[] = [];
    const tool = createTool(
      () => {
        times.push(performance.now());
        throw new Error("down");
      },
      { annotations: { idempotentHint: true } },
    );
    const pml = await open({ tools: [tool] });
    const answer = await pml.execute({ intent: "do it", dag: createDag({ id: "t1" }) });
    expect(answer).toMatchObject({ status: "error" });
    expect(times).toHaveLength(3);
    const [first = 0, second = 0, third = 0] = times;
    expect(third - second).toBeGreaterThan(second - first);
  });

  it("has neither clock nor random numbers where its permissions have none", async () => {
    const pml = await open({ permissions: "minimal", tools: [createTool(() => 1)] });
    const dag = createDag({ id: "t1", type: "code_execution", tool: "code:expression", code: "Math.random()" });
    const answer = await pml.execute({ intent: "do it", dag });
    expect(answer).toMatchObject({ status: "error", error: { code: "SANDBOX_POWER_DENIED" } });
  });

  it("keeps the whole of what each task gave: turns of a loop, operations, and tasks that the code names otherwise", async () => {
    const pml = await open({ tools: [createTool(({ n }) => ({ n }))], cache: { enabled: false } });
    const dag = createDag(
      { id: "all", arguments: { n: { $from: "all" } }, forEach: { items: [1, 2] } },
      {
        id: "sum",
        type: "code_execution",
        tool: "code:expression",
        code: "list.length",
        arguments: { list: { $from: "all" } },
        dependsOn: ["all"],
      },
    );
    const { workflowId, result } = (await pml.execute({ intent: "count", dag })) as SuccessAnswer;
    expect(result).toBe(2);
    expect(await pml.getTaskResult({ workflowId, taskId: "all" })).toMatchObject({ result: [{ n: 1 }, { n: 2 }] });
    expect(await pml.getTaskResult({ workflowId, taskId: "sum" })).toMatchObject({ result: 2 });
    const code = `const a = await mcp.x.do({ n: 1 }); const b = await mcp.x.do({ n: 2 }); return [a.n, b.n];`;
    await pml.execute({ intent: "two", code, name: "x:do_two" });
    const again = (await pml.execute({ capability: "x:do_two" })) as SuccessAnswer;
    for (const { taskId } of again.layerResults?.[0]?.tasks ?? [])
      expect((await pml.getTaskResult({ workflowId: again.workflowId, taskId })).size).toBe(7);
  });
});

function createWrites(): { tools: Tool[]; calls: unknown[] } {
  const calls: unknown[] = [];
  return { tools: [createTool((args) => (calls.push(args["n"]), args), { annotations: {} })], calls };
}

describe("between its layers", () => {
  const WRITES = createDag({ id: "t1", arguments: { n: 1 } }, { id: "t2", arguments: { n: 2 }, dependsOn: ["t1"] });

  it("a DAG shows the whole of what was done, for whoever has to say whether it may go on", async () => {
    const pml = await open({ tools: createWrites().tools });
    const { workflowId } = await pml.execute({ intent: "write", dag: WRITES, perLayerValidation: true });
    expect(await pml.getTaskResult({ workflowId, taskId: "t1" })).toMatchObject({ result: { n: 1 } });
  });

  it("going on takes an answer: resuming asks again", async () => {
    const { tools, calls } = createWrites();
    const pml = await open({ tools });
    const asked = await pml.execute({ intent: "write", dag: WRITES, perLayerValidation: true });
    expect(await pml.resume(asked.workflowId)).toMatchObject({ status: "approval_required" });
    expect(calls).toEqual([1]);
    expect(await pml.approve(asked.workflowId)).toMatchObject({ status: "success" });
    expect(calls).toEqual([1, 2]);
  });

  it.each<[what: string, inline: boolean]>([
    ["said later", false],
    ["said inline", true],
  ])("a no, %s, ends it with a trace of what it did", async (_, inline) => {
    const { tools, calls } = createWrites();
    const approval = inline ? { onApproval: () => ({ approved: false, reason: "enough" }) } : {};
    const pml = await open({ tools, approval });
    const asked = await pml.execute({ intent: "write", dag: WRITES, perLayerValidation: true });
    const answer = inline ? asked : await pml.reject(asked.workflowId, { reason: "enough" });
    expect(answer).toMatchObject({ status: "error", error: { code: "PML_REJECTED" } });
    expect(listStatus((answer as ErrorAnswer).layerResults)).toEqual(["t1 success"]);
    expect(calls).toEqual([1]);
    expect(await pml.listUnfinished()).toEqual([]);
    const [trace] = await pml.store.listTraces();
    expect(trace).toMatchObject({ success: false, tasks: [{ taskId: "t1", tool: "x:do", result: { n: 1 } }] });
    const [capability] = await pml.store.list();
    expect(capability?.statistics).toMatchObject({ usageCount: 0, failureCount: 0 });
  });

  it("code pauses too where it is a DAG, and says so where it is none", async () => {
    const { tools, calls } = createWrites();
    const pml = await open({ tools });
    const chain = `const a = await mcp.x.do({ n: 1 }); return mcp.x.do({ n: a.n });`;
    const asked = await pml.execute({ intent: "chain", code: chain, perLayerValidation: true });
    expect(asked).toMatchObject({ status: "approval_required", approval: { layerResults: [{ layer: 0 }] } });
    expect(calls).toEqual([1]);
    const loop = `let n = 1; while (n < 4) n = (await mcp.x.do({ n })).n + 1; return n;`;
    const answer = await pml.execute({ intent: "loop", code: loop, perLayerValidation: true });
    expect(answer).toMatchObject({ status: "success", warnings: [expect.stringContaining("no DAG")] });
  });
});
