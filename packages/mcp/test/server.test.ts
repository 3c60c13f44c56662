import type { Pml, Tool } from "@pml/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { connect, type Connected, openMemory, until } from "./world.js";

const PATH = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const tools: Tool[] = [
  {
    id: "fs:read",
    description: "Read a file as text",
    inputSchema: PATH,
    annotations: { readOnlyHint: true },
    execute: ({ path }) => ({ content: JSON.stringify({ name: path }) }),
  },
  {
    id: "fs:delete",
    description: "Delete a file",
    inputSchema: PATH,
    annotations: { destructiveHint: true },
    execute: ({ path }) => ({ deleted: path }),
  },
  {
    id: "slow:wait",
    description: "Wait until it is told to stop",
    execute: (_, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => (aborted++, reject(signal.reason as Error))),
      ),
  },
];
let aborted = 0;

const READ = `const file = await mcp.fs.read({ path: "a.json" }); return JSON.parse(file.content).name;`;
let pml: Pml;
let world: Connected;

beforeAll(async () => {
  pml = await openMemory({ tools });
  world = await connect(pml);
  await world.call("pml_execute", { intent: "read the name in a json file", code: READ, name: "fs:read_name" });
});
afterAll(async () => {
  await world.client.close();
  await pml.close();
});

const listNames = async (): Promise<string[]> => (await world.client.listTools()).tools.map(({ name }) => name);

describe("the two calls", () => {
  it("are explained to the model", () => {
    expect(world.client.getInstructions()).toMatch(/pml_discover.*\n.*pml_execute/);
  });

  it("find tools and capabilities", async () => {
    const { results, total } = await world.call("pml_discover", { intent: "read the name in a json file" });
    expect(results[0]).toMatchObject({ type: "capability", name: "fs:read_name" });
    expect(total).toBeGreaterThan(1);
    const { results: found } = await world.call("pml_discover", {
      intent: "delete a file",
      filter: { type: "tool", min_score: 0 },
      detail: "full",
    });
    expect(found[0]).toMatchObject({ id: "fs:delete", input_schema: PATH });
  });

  it("run code, and by intent what was learned from it", async () => {
    const answer = await world.call("pml_execute", {
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
    const answer = await world.call("pml_execute", { intent: "delete a file" });
    expect(answer).toMatchObject({ status: "suggestions" });
    expect(answer["suggestions"].tools[0]).toMatchObject({ id: "fs:delete" });
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
    expect(await world.call("pml_execute", { intent: "read a file by plan", dag })).toMatchObject({
      status: "success",
      layer_results: [{ tasks: [{ task_id: "a", status: "success" }] }],
    });
  });

  it("give full results on demand", async () => {
    const { workflow_id, layer_results } = await world.call("pml_execute", {
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
    const task_id = layer_results[0].tasks[0].task_id as string;
    const page = await world.call("pml_get_task_result", { workflow_id, task_id, limit: 5 });
    expect(page).toMatchObject({ text: '{"con', next_offset: 5 });
  });

  it("say what is wrong with their arguments, field by field", async () => {
    const answer = await world.call("pml_discover", { intent: "x", minScore: 1 });
    expect(answer).toMatchObject({ isError: true, status: "error", error: { code: "MCP_INVALID_ARGUMENTS" } });
    expect(await world.call("pml_execute", {})).toMatchObject({ isError: true, error: { code: "PML_INVALID_INPUT" } });
    const failed = await world.call("pml_execute", { intent: "x", code: "return mcp.fs.reed({})" });
    expect(failed).toMatchObject({ isError: true, status: "error" });
  });

  it("answer a question for approval only when told so", async () => {
    const code = `return mcp.fs.delete({ path: "a.json" })`;
    const asked = await world.call("pml_execute", { intent: "delete it", code });
    expect(asked).toMatchObject({
      status: "approval_required",
      approval: { tools: [{ id: "fs:delete", arguments: [{ path: "a.json" }] }] },
    });
    const approved = await world.call("pml_answer_approval", { id: asked["approval"].id, approved: true });
    expect(approved).toMatchObject({ status: "success", result: { deleted: "a.json" } });
    const again = await world.call("pml_execute", { intent: "delete it", code: code.replace("a.json", "b.json") });
    const rejected = await world.call("pml_answer_approval", {
      id: again["approval"].id,
      approved: false,
      reason: "no",
    });
    expect(rejected).toMatchObject({ isError: true, error: { code: "PML_REJECTED" } });
  });

  it("tell how a run goes on, to those who ask", async () => {
    const messages: string[] = [];
    const onprogress = ({ message }: { message?: string | undefined }): void => void messages.push(message ?? "");
    await world.call("pml_execute", { intent: "read", code: READ, cache: false }, { onprogress });
    expect(messages).toEqual(["starts", "calls fs:read", "fs:read answered"]);
  });

  it("stop when the client cancels", async () => {
    const controller = new AbortController();
    const waiting = world.call(
      "pml_execute",
      { intent: "wait", code: "return mcp.slow.wait({})" },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 300);
    await expect(waiting).rejects.toThrow();
    await until(() => aborted === 1);
  });
});

describe("AC7: named capabilities are tools", () => {
  it("is listed with its parameters and what its tools say of themselves", async () => {
    const { tools: listed } = await world.client.listTools();
    const tool = listed.find(({ name }) => name === "cap_fs_read_name");
    expect(tool).toMatchObject({
      title: "fs:read_name",
      inputSchema: { type: "object", properties: { path: { type: "string", default: "a.json" } } },
      annotations: { readOnlyHint: true, destructiveHint: false },
    });
  });

  it.each(["cap_fs_read_name", "cap:fs:read_name", "cap:fs:read_name@v1"])("runs as %s", async (name) => {
    expect(await world.call(name, { path: "z" })).toMatchObject({ status: "success", result: "z" });
  });

  it("says so when there is none of the name", async () => {
    expect(await world.call("cap:fs:read_nothing")).toMatchObject({ isError: true, status: "error" });
  });
});

describe("AC8: the list follows the names", () => {
  it("notifies when a capability is named and renamed; the new name is there at once, and the old one works", async () => {
    let changes = 0;
    const other = await connect(
      pml,
      {},
      { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void changes++ } } },
    );
    await other.call("pml_execute", {
      intent: "say hello",
      code: `return "hello " + (await mcp.fs.read({ path: "hello" })).content`,
      name: "util:say_hello",
    });
    await until(() => changes === 1);
    expect(await listNames()).toContain("cap_util_say_hello");
    await other.call("dns_rename", { name: "util:say_hello", to: "util:greet_file" });
    await until(() => changes === 2);
    expect(await listNames()).toContain("cap_util_greet_file");
    expect(await listNames()).not.toContain("cap_util_say_hello");
    const answer = await other.call("cap_util_say_hello");
    expect(answer).toMatchObject({ status: "success" });
    expect(answer["warnings"]?.join()).toContain("util:greet_file");
    await other.client.close();
  });
});

describe("AC9: every call is counted", () => {
  it("in tool_usage, under the server of capabilities, beside the real tools", async () => {
    await world.call("cap_fs_read_name");
    await world.call("cap:fs:read_nothing");
    const { tool_usage } = await world.call("meta_stats", { server: "pml-capabilities" });
    const usage = new Map<string, { calls: number; failures: number; server_id: string }>(
      (tool_usage as { tool_id: string; calls: number; failures: number; server_id: string }[]).map((each) => [
        each.tool_id,
        each,
      ]),
    );
    expect(usage.get("cap:fs:read_name")).toMatchObject({ failures: 0, server_id: "pml-capabilities" });
    expect(usage.get("cap:fs:read_nothing")).toMatchObject({ failures: 2 });
    const all = ((await world.call("meta_stats")) as { tool_usage: { tool_id: string }[] }).tool_usage.map(
      ({ tool_id }) => tool_id,
    );
    expect(all).toEqual(expect.arrayContaining(["pml:execute", "pml:discover", "fs:read", "dns:rename", "meta:stats"]));
  });
});

describe("AC15: the standard library", () => {
  it("has its families, in names that every client takes", async () => {
    const names = await listNames();
    const expected =
      "dns_lookup dns_query dns_whois dns_history dns_fork dns_merge dns_rename dns_tag meta_tools meta_servers meta_stats learn_curate pml_curate_capabilities pml_list_capabilities";
    expect(names).toEqual(expect.arrayContaining(expected.split(" ")));
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each<[string, Record<string, unknown>, object]>([
    ["dns:lookup", { name: "fs:read_name" }, { display_name: "fs:read_name", version: 1 }],
    ["dns_query", { namespace: "f*", sort_by: "usage" }, { records: [{ display_name: "fs:read_name" }] }],
    ["dns_whois", { name: "fs:read_name" }, { tools_used: ["fs:read"], record: { namespace: "fs" } }],
    ["dns_history", { name: "fs:read_name" }, { versions: [{ version: 1, source: { type: "code" } }] }],
    ["dns_fork", { source: "fs:read_name", name: "fs:read_title" }, { display_name: "fs:read_title" }],
    ["dns_tag", { name: "fs:read_title", add: ["json"] }, { tags: ["json"] }],
    ["meta_tools", { server: "slow" }, { total: 1, tools: [{ id: "slow:wait", available: true }] }],
    [
      "meta_servers",
      {},
      {
        servers: expect.arrayContaining([
          { id: "fs", state: "given", tools: 2 },
          { id: "pml-capabilities", state: "virtual" },
        ]),
      },
    ],
    [
      "pml_list_capabilities",
      { namespace: "fs", named_only: true },
      {
        capabilities: expect.arrayContaining([expect.objectContaining({ name: "fs:read_name", parameters: ["path"] })]),
      },
    ],
    ["pml_curate_capabilities", { strategy: "suggest" }, { applied: [] }],
    ["learn:curate", { strategy: "suggest" }, { applied: [] }],
  ])("%s %j", async (name, args, expected) => {
    expect(await world.call(name, args)).toMatchObject(expected);
  });

  it("makes a pipeline of capabilities", async () => {
    const code = `return [await capabilities.fs.read_name(args), await capabilities.fs.read_title(args)]`;
    const sources = ["cap:fs:read_name", "cap:fs:read_title"];
    const merged = await world.call("dns_merge", { sources, name: "fs:read_twice", code });
    expect(merged).toMatchObject({ display_name: "fs:read_twice" });
    expect(await world.call("cap_fs_read_twice", { path: "p" })).toMatchObject({ result: ["p", "p"] });
  });

  it.each([
    ["dns_lookup", { name: "fs:read_nothing" }, "PML_NOT_FOUND"],
    ["dns_rename", { name: "fs:read_name", to: "Not A Name" }, "PML_NAME_INVALID"],
  ])("%s %j is an error with a code", async (name, args, code) => {
    expect(await world.call(name, args)).toMatchObject({ isError: true, error: { code } });
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
    const answer = await world.call(name, { query: "anything" });
    expect(answer).toMatchObject({ isError: true, error: { code: "MCP_TOOL_REPLACED" } });
    expect(answer["error"].message).toContain(instead);
    expect(await listNames()).not.toContain(name);
  });
});

describe("what nobody should send", () => {
  it.each(["nothing", "__proto__", "constructor", "pml_", ""])("a tool named %j does not exist", async (name) => {
    await expect(world.client.callTool({ name, arguments: {} })).rejects.toThrow(/Unknown tool/);
  });

  it("__proto__ in arguments changes nothing", async () => {
    const args = JSON.parse('{"intent":"x","code":"return args","context":{"__proto__":{"polluted":true}}}') as Record<
      string,
      unknown
    >;
    await world.call("pml_execute", args);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("a cursor of somebody else's is refused", async () => {
    await expect(world.client.listTools({ cursor: "abc" })).rejects.toThrow(/cursor/);
  });
});

describe("pages of the list", () => {
  it("hold every tool once, whatever their size", async () => {
    const all = await listNames();
    for (const pageSize of [1, 7, all.length - 1, all.length, all.length + 1]) {
      const { client } = await connect(pml, { pageSize });
      const names: string[] = [];
      let cursor: string | undefined;
      let pages = 0;
      do {
        const page = await client.listTools(
          cursor === undefined ? { cursor: Buffer.from("at 0").toString("base64url") } : { cursor },
        );
        expect(page.tools.length).toBeLessThanOrEqual(pageSize);
        names.push(...page.tools.map(({ name }) => name));
        cursor = page.nextCursor;
        pages++;
      } while (cursor !== undefined);
      expect(names).toEqual(all);
      expect(pages).toBe(Math.ceil(all.length / pageSize));
      await client.close();
    }
  });
});

describe("the walls between scopes", () => {
  it("hold: another project neither lists nor runs nor looks up what is ours", async () => {
    const { client, call } = await connect(pml, { scope: { project: "other" } });
    const { tools: listed } = await client.listTools();
    expect(listed.filter(({ name }) => name.startsWith("cap_"))).toEqual([]);
    expect(await call("cap_fs_read_name")).toMatchObject({ isError: true });
    expect(await call("dns_lookup", { name: "fs:read_name" })).toMatchObject({ isError: true });
    expect(
      (await call("pml_discover", { intent: "read the name in a json file", filter: { type: "capability" } }))[
        "results"
      ],
    ).toEqual([]);
    await client.close();
  });
});
