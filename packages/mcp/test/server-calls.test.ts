import { describe, expect, it } from "vitest";

import { aborted, PATH, READ, useServer } from "./server-world.js";
import { connect, until } from "./world.js";

const { pml, world, listNames } = useServer();

describe("the two calls", () => {
  it("are explained to the model", () => {
    expect(world().client.getInstructions()).toMatch(/pml_discover.*\n.*pml_execute/);
  });

  it("find tools and capabilities", async () => {
    const { results, total } = await world().call("pml_discover", { intent: "read the name in a json file" });
    expect(results?.[0]).toMatchObject({ type: "capability", name: "fs:read_name" });
    expect(total).toBeGreaterThan(1);
    const { results: found } = await world().call("pml_discover", {
      intent: "delete a file",
      filter: { type: "tool", min_score: 0 },
      detail: "full",
    });
    expect(found?.[0]).toMatchObject({ id: "fs:delete", input_schema: PATH });
  });

  it("run code, and by intent what was learned from it", async () => {
    const answer = await world().call("pml_execute", {
      intent: "read the name in a json file",
      context: { path: "b.json" },
    });
    expect(answer).toMatchObject({
      status: "success",
      mode: "speculation",
      result: "b.json",
      capability_name: "fs:read_name",
    });
    expect(answer).toHaveProperty("workflow_id");
  });

  it("suggest, with a plan in the same spelling as one is given", async () => {
    const answer = await world().call("pml_execute", { intent: "delete a file" });
    expect(answer).toMatchObject({ status: "suggestions" });
    expect(answer.suggestions?.tools[0]).toMatchObject({ id: "fs:delete" });
    const task = {
      id: "a",
      tool: "fs:read",
      type: "mcp_tool",
      arguments: { path: "c.json" },
      depends_on: [],
      side_effects: false,
      metadata: {},
    };
    const dag = { tasks: [task], returns: [{ value: { $from: "a" } }] };
    expect(await world().call("pml_execute", { intent: "read a file by plan", dag })).toMatchObject({
      status: "success",
      layer_results: [{ tasks: [{ task_id: "a", status: "success" }] }],
    });
  });

  it("give full results on demand", async () => {
    const { workflow_id, layer_results } = await world().call("pml_execute", {
      intent: "read a file by plan",
      cache: false,
      dag: {
        tasks: [
          {
            id: "a",
            tool: "fs:read",
            type: "mcp_tool",
            arguments: { path: "d" },
            depends_on: [],
            side_effects: false,
            metadata: {},
          },
        ],
      },
    });
    const task_id = layer_results?.[0]?.tasks[0]?.task_id;
    const page = await world().call("pml_get_task_result", { workflow_id, task_id, limit: 5 });
    expect(page).toMatchObject({ text: '{"con', next_offset: 5 });
  });

  it("say what is wrong with their arguments, field by field", async () => {
    const answer = await world().call("pml_discover", { intent: "x", minScore: 1 });
    expect(answer).toMatchObject({ isError: true, status: "error", error: { code: "MCP_INVALID_ARGUMENTS" } });
    expect(await world().call("pml_execute", {})).toMatchObject({
      isError: true,
      error: { code: "PML_INVALID_INPUT" },
    });
    const failed = await world().call("pml_execute", { intent: "x", code: "return mcp.fs.reed({})" });
    expect(failed).toMatchObject({ isError: true, status: "error" });
  });

  it("answer a question for approval only when told so", async () => {
    const code = `return mcp.fs.delete({ path: "a.json" })`;
    const asked = await world().call("pml_execute", { intent: "delete it", code });
    expect(asked).toMatchObject({
      status: "approval_required",
      approval: { tools: [{ id: "fs:delete", arguments: [{ path: "a.json" }] }] },
    });
    const approved = await world().call("pml_answer_approval", { id: asked.approval?.id, approved: true });
    expect(approved).toMatchObject({ status: "success", result: { deleted: "a.json" } });
    const again = await world().call("pml_execute", { intent: "delete it", code: code.replace("a.json", "b.json") });
    const rejected = await world().call("pml_answer_approval", {
      id: again.approval?.id,
      approved: false,
      reason: "no",
    });
    expect(rejected).toMatchObject({ isError: true, error: { code: "PML_REJECTED" } });
  });

  it("tell how a run goes on, to those who ask", async () => {
    const messages: string[] = [];
    const onprogress = ({ message }: { message?: string | undefined }): void => void messages.push(message ?? "");
    await world().call("pml_execute", { intent: "read", code: READ, cache: false }, { onprogress });
    expect(messages).toEqual(["starts", "calls fs:read", "fs:read answered"]);
  });

  it("tell how a run goes on that a person has let go on", async () => {
    const messages: string[] = [];
    const onprogress = ({ message }: { message?: string | undefined }): void => void messages.push(message ?? "");
    const code = `return mcp.fs.delete({ path: "c.json" })`;
    const { approval } = await world().call("pml_execute", { intent: "delete it", code });
    await world().call("pml_answer_approval", { id: approval?.id, approved: true }, { onprogress });
    expect(messages).toEqual(["starts", "calls fs:delete", "fs:delete answered"]);
  });

  it.each<[string, unknown]>([
    ["10n ** 20n", "100000000000000000000"],
    ["new Map([[1, new Set([2])]])", [[1, [2]]]],
    ["new Date(0)", "1970-01-01T00:00:00.000Z"],
    ["0 / 0", "NaN"],
    ["null", null],
  ])("give what JSON has no word for in words: %s", async (value, expected) => {
    const answer = await world().call("pml_execute", { intent: `give ${value}`, code: `return ${value}` });
    expect(answer).toMatchObject({ status: "success", result: expected });
  });

  it("stop when the client cancels", async () => {
    const controller = new AbortController();
    const waiting = world().call(
      "pml_execute",
      { intent: "wait", code: "return mcp.slow.wait({})" },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 300);
    await expect(waiting).rejects.toThrow(/abort/i);
    await until(() => aborted === 1);
  });
});

describe("servers behind it", () => {
  it("that are still being started are waited for by calls, and by nothing else", async () => {
    let [start, started]: [() => void, boolean] = [() => undefined, false];
    const settled = new Promise<void>((resolve) => (start = resolve));
    const { client, call } = await connect(pml(), { servers: { list: () => [], settled } });
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    const waiting = call("meta__servers").then((answer) => (expect(started).toBe(true), answer));
    await new Promise((resolve) => setTimeout(resolve, 100));
    started = true;
    start();
    expect(await waiting).toHaveProperty("servers");
    await client.close();
  });

  it("that are away are named, where tools are found and where they are listed", async () => {
    const away = { name: "slow", id: "slow", state: "unavailable", tools: ["slow:wait"], warnings: [] } as const;
    const servers = { list: () => [{ ...away, tools: ["slow:wait"], warnings: [] }] };
    const { client, call } = await connect(pml(), { servers });
    const { results } = await call("pml_discover", { intent: "wait until told to stop", filter: { type: "tool" } });
    expect(results).toContainEqual(expect.objectContaining({ id: "slow:wait", available: false }));
    expect(results).toContainEqual(expect.not.objectContaining({ available: false }));
    expect(await call("meta__tools", { server: "slow" })).toMatchObject({ tools: [{ available: false }] });
    await client.close();
    await pml().store.setToolAvailable("slow:wait", false);
    expect(await world().call("meta__tools", { server: "slow" })).toMatchObject({ tools: [{ available: false }] });
    await pml().store.setToolAvailable("slow:wait", true);
  });
});

describe("what the tools say of themselves", () => {
  it("is that they only read, that they write, or that they may do anything", async () => {
    const { tools } = await world().client.listTools();
    const own = tools.filter(({ name }) => !name.startsWith("cap__"));
    const kindOf = ({ annotations = {} }: (typeof own)[number]): string =>
      annotations.readOnlyHint === true ? "reads" : annotations.destructiveHint === false ? "writes" : "anything";
    const named = (kind: string): string[] => own.filter((tool) => kindOf(tool) === kind).map(({ name }) => name);
    expect(named("anything")).toEqual(["pml_execute", "pml_answer_approval"]);
    expect(named("writes").join(" ")).toBe(
      "pml_curate_capabilities dns__fork dns__merge dns__rename dns__tag learn__save learn__curate learn__feedback",
    );
    expect(named("reads")).toHaveLength(own.length - 10);
    for (const { outputSchema, description, title } of own)
      expect({ outputSchema, described: Boolean(description && title) }).toMatchObject({
        outputSchema: { type: "object" },
        described: true,
      });
  });
});

describe("names of an earlier interface", () => {
  it.each([
    ["pml_search_tools", "pml_discover"],
    ["pml_search_capabilities", "pml_discover"],
    ["pml_find_capabilities", "pml_discover"],
    ["pml_execute_dag", "pml_execute({ intent, dag })"],
    ["pml_execute_code", "pml_execute({ intent, code })"],
  ])("%s answers with %s, and is not listed", async (name, instead) => {
    const answer = await world().call(name, { query: "anything" });
    expect(answer).toMatchObject({ isError: true, error: { code: "MCP_TOOL_REPLACED" } });
    expect(answer.error?.message).toContain(instead);
    expect(await listNames()).not.toContain(name);
  });
});

describe("what nobody should send", () => {
  it.each(["nothing", "__proto__", "constructor", "pml_", ""])("a tool named %j does not exist", async (name) => {
    await expect(world().client.callTool({ name, arguments: {} })).rejects.toThrow(/Unknown tool/);
  });

  it.each([
    ["pml_execute", "context"],
    ["pml_execute", "dag"],
    ["cap__fs__read_name", "path"],
  ])("%s with a %s that is nested deeper than anything is refused by name", async (name, field) => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`) as object;
    const answer = await world().call(name, { intent: "x", code: "return 1", [field]: deep });
    expect(answer).toMatchObject({ isError: true, error: { code: "MCP_INVALID_ARGUMENTS" } });
  });

  it("__proto__ in arguments changes nothing", async () => {
    const args = JSON.parse('{"intent":"x","code":"return args","context":{"__proto__":{"polluted":true}}}') as Record<
      string,
      unknown
    >;
    await world().call("pml_execute", args);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("a cursor of somebody else's is refused", async () => {
    await expect(world().client.listTools({ cursor: "abc" })).rejects.toThrow(/cursor/);
  });
});
