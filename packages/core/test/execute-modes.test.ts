import type { ExecuteRequest, PmlEvent } from "@pml/core";
import { describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open, model } = usePml();
const READ = `const file = await mcp.fs.read({ path: "a.json" }); return JSON.parse(file.content).name;`;

describe("execute with code", () => {
  it("runs it, remembers it, and runs it again by intent with another context", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools, embedder: model });
    const first = await pml.execute({ intent: "read the name in the json file a.json", code: READ });
    expect(first).toMatchObject({ status: "success", result: "a", mode: "direct" });
    const again = await pml.execute({ intent: "read the name in the json file b.json", context: { path: "b.json" } });
    expect(again).toMatchObject({ status: "success", result: "b", mode: "speculation" });
    expect(calls).toEqual(['fs:read {"path":"a.json"}', 'fs:read {"path":"b.json"}']);
    expect(pml.metrics()).toMatchObject({ executions: 2, reuses: 1, promotions: 1 });
  });

  it("answers with the name that it gave, asked for or proposed by the code (AC1)", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools });
    const read = await pml.execute({ intent: "read the name", code: READ, name: "fs:read_name" });
    expect(read).toMatchObject({ status: "success", capabilityName: "fs:read_name" });
    const hinting = `pml.hint({ name: "fs:read_whole", toolsUsed: ["fs:read"] }); return mcp.fs.read({ path: "b.json" });`;
    const whole = await pml.execute({ intent: "read all of it", code: hinting });
    expect(whole).toMatchObject({ status: "success", capabilityName: "fs:read_whole" });
    const taken = await pml.execute({ intent: "read the name", code: `${READ} // else`, name: "fs:read_whole" });
    expect(taken).toMatchObject({ status: "error", error: { code: "PML_NAME_TAKEN" } });
  });

  it("stores a draft before it runs, and makes it active with its first success", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools });
    const failed = await pml.execute({ intent: "read c", code: `return mcp.fs.read({ path: "c.json" })` });
    expect(failed).toMatchObject({ status: "error", error: { code: "SANDBOX_TOOL_FAILED" } });
    const { capabilityId = "" } = failed as { capabilityId?: string };
    expect(await pml.store.get(capabilityId)).toMatchObject({ status: "draft", statistics: { failureCount: 1 } });
    const { results } = await pml.discover({ intent: "read c", filter: { type: "capability" } });
    expect(results).toEqual([]);
  });

  it.each([
    ["code", { code: "return mcp.far.call({})" }],
    [
      "a DAG",
      {
        dag: {
          tasks: [
            {
              id: "t",
              tool: "far:call",
              type: "mcp_tool",
              arguments: {},
              dependsOn: [],
              sideEffects: true,
              metadata: {},
            },
          ],
        },
      },
    ],
  ])("says in %s why a tool failed, where that is known, and keeps a host's own details to itself", async (_, work) => {
    let thrown = { code: "MCP_SERVER_UNAVAILABLE", details: { server: "far" } as object };
    const execute = (): never => {
      throw Object.assign(new Error("It is away."), thrown);
    };
    const pml = await open({ tools: [{ id: "far:call", description: "Call", execute }] });
    const fail = async (): Promise<object> => {
      const answer = await pml.execute({ intent: "call it", ...work } as ExecuteRequest);
      return (answer as { error: { details: object } }).error.details;
    };
    expect(await fail()).toMatchObject({ tool: "far:call", cause: thrown });
    thrown = { code: "HOST_FAILED", details: { password: "hunter2" } };
    expect(await fail()).not.toHaveProperty("cause");
  });

  it("keeps a trace whose path names nodes of the structure, and learns the way it took", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools });
    const code = `const file = await mcp.fs.read({ path });
      if (file.content.length > 5) return "long";
      return "short";`;
    const answer = await pml.execute({ intent: "how long", code, context: { path: "a.json" } });
    const trace = await pml.store.getTrace((answer as { traceId: string }).traceId);
    expect(trace).toMatchObject({
      success: true,
      executedPath: ["n1", "d1"],
      decisions: [{ nodeId: "d1", outcome: "true" }],
      args: { path: "a.json" },
      result: "long",
      tasks: [{ taskId: "n1", tool: "fs:read", result: { content: '{"name":"a"}' } }],
    });
    const { learning } = await pml.store.get((answer as { capabilityId: string }).capabilityId);
    expect(learning).toMatchObject({ paths: [{ nodes: ["n1", "d1"], count: 1, successes: 1 }] });
  });

  it.each<[what: string, code: string, error: string]>([
    ["does not parse", "return mcp.fs.read({", "ANALYZER_SYNTAX"],
    ["calls a tool that is not there", `return mcp.fs.raed({ path: "a" })`, "PML_TOOL_NOT_FOUND"],
    ["calls a capability that is not there", `return capabilities.fs.read_nothing({})`, "PML_NOT_FOUND"],
  ])("that %s is an answer, and nothing is run or stored", async (_, code, error) => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools });
    const answer = await pml.execute({ intent: "x", code });
    expect(answer).toMatchObject({ status: "error", error: { code: error } });
    expect(calls).toEqual([]);
    expect(await pml.store.list()).toEqual([]);
  });

  it("names near matches of a tool that is not there", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const answer = await pml.execute({ intent: "x", code: `return mcp.fs.raed({ path: "a" })` });
    expect(answer).toMatchObject({ error: { details: { suggestions: ["fs:read"] } } });
  });

  it("says which field of a tool's input is wrong, and does not count it against the capability", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools });
    const answer = await pml.execute({ intent: "read", code: `return mcp.fs.read({ file: "x" })` });
    expect(answer).toMatchObject({ status: "error", error: { message: expect.stringContaining('"path" is missing') } });
    expect(calls).toEqual([]);
    const { statistics } = await pml.store.get((answer as { capabilityId: string }).capabilityId);
    expect(statistics).toMatchObject({ usageCount: 0, failureCount: 0 });
  });

  it("that holds a secret is run, and not remembered", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools });
    const key = `sk-live-${"a1B2".repeat(8)}`;
    const answer = await pml.execute({ intent: "x", code: `return "${key}".length` });
    expect(answer).toMatchObject({ status: "success", result: key.length });
    expect(answer.warnings?.[0]).toContain("secret");
    expect(await pml.store.list()).toEqual([]);
  });

  it("can be run without learning from it", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools });
    const answer = await pml.execute({ intent: "x", code: READ, learn: false });
    expect(answer).toMatchObject({ status: "success", result: "a" });
    expect(await pml.store.list()).toEqual([]);
    expect((await pml.store.listTraces())[0]).toMatchObject({ success: true });
  });

  it("streams what happens, to the call and to who listens", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools });
    const [own, all]: [PmlEvent[], PmlEvent[]] = [[], []];
    const stop = pml.events((event) => all.push(event));
    await pml.execute({ intent: "x", code: READ, onEvent: (event) => own.push(event) });
    stop();
    const types = own.map(({ type }) => type);
    expect(types.filter((type) => !type.startsWith("tool_"))).toEqual(["run_start", "run_end"]);
    expect(types.indexOf("tool_start")).toBeLessThan(types.indexOf("tool_end"));
    expect(all.map(({ type }) => type)).toEqual([...types.slice(0, -1), "capability_learned", "run_end"]);
  });

  it("ends when its signal aborts, and that says nothing of the capability", async () => {
    const pml = await open({ tools: [{ id: "slow:wait", description: "Wait", execute: () => new Promise(() => {}) }] });
    const controller = new AbortController();
    const running = pml.execute({ intent: "x", code: "return mcp.slow.wait({})", signal: controller.signal });
    setTimeout(() => controller.abort(), 200);
    const answer = await running;
    expect(answer).toMatchObject({ status: "error", error: { code: "SANDBOX_ABORTED" } });
    const { statistics } = await pml.store.get((answer as { capabilityId: string }).capabilityId);
    expect(statistics.failureCount).toBe(0);
  });
});

describe("execute by name", () => {
  it("runs what has the name, with arguments over its defaults", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools });
    await pml.execute({ intent: "read a name", code: READ, name: "fs:read_name" });
    expect(await pml.execute({ capability: "fs:read_name" })).toMatchObject({ status: "success", result: "a" });
    const other = await pml.execute({ capability: "fs:read_name", args: { path: "b.json" } });
    expect(other).toMatchObject({ status: "success", result: "b", capabilityName: "fs:read_name" });
  });

  it("is found under its old name too, with a warning", async () => {
    const pml = await open({ tools: createFileTools().tools });
    await pml.execute({ intent: "read a name", code: READ, name: "fs:read_name" });
    await pml.names.rename("fs:read_name", "fs:name_of");
    const answer = await pml.execute({ capability: "fs:read_name" });
    expect(answer).toMatchObject({ status: "success", warnings: [expect.stringContaining("old name")] });
  });

  it("calls capabilities from code, and keeps what the names stood for", async () => {
    const pml = await open({ tools: createFileTools().tools });
    await pml.execute({ intent: "read a name", code: READ, name: "fs:read_name" });
    const code = `return [await capabilities.fs.read_name({ path: "b.json" }), await capabilities["fs:read_name@v1"]({})]`;
    const answer = await pml.execute({ intent: "two names", code });
    expect(answer).toMatchObject({ status: "success", result: ["b", "a"] });
    const { resolutions, tasks } = await pml.store.getTrace((answer as { traceId: string }).traceId);
    expect(resolutions.map(({ called, name }) => [called, name])).toEqual([
      ["fs:read_name", "fs:read_name"],
      ["fs:read_name@v1", "fs:read_name"],
    ]);
    expect(tasks.map(({ taskId, tool }) => `${taskId} ${tool}`)).toEqual([
      "n1 cap:fs:read_name",
      "n1/n1 fs:read",
      "n2 cap:fs:read_name@v1",
      "n2/n1 fs:read",
    ]);
  });

  it("refuses arguments that its parameters do not allow, naming the field", async () => {
    const pml = await open({ tools: createFileTools().tools });
    await pml.execute({ intent: "read a name", code: READ, name: "fs:read_name" });
    const answer = await pml.execute({ capability: "fs:read_name", args: { path: 5 } });
    expect(answer).toMatchObject({ status: "error", error: { code: "PML_INVALID_ARGUMENTS" } });
    expect((answer as { error: { message: string } }).error.message).toContain('"path"');
  });

  it("refuses a name that another capability has", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools });
    await pml.execute({ intent: "read a name", code: READ, name: "fs:read_name" });
    const taken = await pml.execute({
      intent: "other",
      code: `return mcp.fs.read({ path: "b.json" })`,
      name: "fs:read_name",
    });
    expect(taken).toMatchObject({ status: "error", error: { code: "PML_NAME_TAKEN" } });
    expect(calls).toHaveLength(1);
  });

  it("hands a tool capability on to its tool", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools });
    const { capability } = await pml.store.create({
      intent: "read the second file",
      source: { type: "tool", toolId: "fs:read", defaultArgs: { path: "b.json" } },
      toolsUsed: ["fs:read"],
    });
    expect(await pml.execute({ capability: capability.id })).toMatchObject({ result: { content: '{"name":"b"}' } });
    expect(calls).toEqual(['fs:read {"path":"b.json"}']);
  });

  it("does not run what needs a tool that is gone, and runs it again once that is back", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools });
    await pml.execute({ intent: "read a name", code: READ, name: "fs:read_name" });
    const read = pml.tools.get("fs:read");
    await pml.tools.remove("fs:read");
    const answer = await pml.execute({ capability: "fs:read_name" });
    expect(answer).toMatchObject({ status: "error", error: { code: "PML_CAPABILITY_DEGRADED" } });
    const { results } = await pml.discover({ intent: "fs:read_name" });
    expect(results[0]).toMatchObject({ name: "fs:read_name", status: "degraded" });
    await pml.tools.add(read);
    expect(await pml.execute({ capability: "fs:read_name" })).toMatchObject({ status: "success" });
  });
});
