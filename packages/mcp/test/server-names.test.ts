import { describe, expect, it } from "vitest";

import { useServer } from "./server-world.js";
import { connect, until } from "./world.js";

const { pml, world, listNames } = useServer();

describe("AC7: named capabilities are tools", () => {
  it("is listed with its parameters and what its tools say of themselves", async () => {
    const { tools: listed } = await world().client.listTools();
    const tool = listed.find(({ name }) => name === "cap__fs__read_name");
    expect(tool).toMatchObject({
      title: "fs:read_name",
      inputSchema: { type: "object", properties: { path: { type: "string", default: "a.json" } } },
      annotations: { readOnlyHint: true, destructiveHint: false },
    });
  });

  it.each(["cap__fs__read_name", "cap:fs:read_name", "cap:fs:read_name@v1"])("runs as %s", async (name) => {
    expect(await world().call(name, { path: "z" })).toMatchObject({ status: "success", result: "z" });
  });

  it("has a name that every client takes however long its own is, and is called by either", async () => {
    const name = `util:count_${"very_".repeat(9)}long_words`;
    const code = `return "counted " + (await mcp.fs.read({ path: args.path })).content.length`;
    await world().call("learn__save", { intent: "count the words of a long document", code, name });
    const { tools } = await world().client.listTools();
    const listed = tools.find(({ title }) => title === name)?.name ?? "";
    expect(listed).toMatch(/^cap_[a-z_]+___[0-9a-f]{24}$/);
    for (const each of [listed, `cap:${name}`])
      expect(await world().call(each, { path: "x" })).toMatchObject({ status: "success", result: "counted 12" });
  });

  it("says so when there is none of the name", async () => {
    expect(await world().call("cap:fs:read_nothing")).toMatchObject({ isError: true, status: "error" });
  });
});

describe("AC8: the list follows the names", () => {
  it("notifies when a capability is named and renamed; the new name is there at once, and the old one works", async () => {
    let changes = 0;
    const other = await connect(
      pml(),
      {},
      { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void changes++ } } },
    );
    await other.call("pml_execute", {
      intent: "say hello",
      code: `return "hello " + (await mcp.fs.read({ path: "hello" })).content`,
      name: "util:say_hello",
    });
    await until(() => changes === 1);
    expect(await listNames()).toContain("cap__util__say_hello");
    await other.call("dns__rename", { name: "util:say_hello", to: "util:greet_file" });
    await until(() => changes === 2);
    expect(await listNames()).toContain("cap__util__greet_file");
    expect(await listNames()).not.toContain("cap__util__say_hello");
    const answer = await other.call("cap__util__say_hello");
    expect(answer).toMatchObject({ status: "success" });
    expect(answer.warnings?.join()).toContain("util:greet_file");
    await other.client.close();
  });
});

describe("AC8: the list follows, and clients hear of,", () => {
  it.each<[string, (id: string) => Promise<unknown>]>([
    [
      "curation",
      (id) => world().call("learn__curate", { strategy: "apply", renames: [{ id, name: "util:read_again" }] }),
    ],
    ["another part of the host", (id) => pml().names.assign({ capabilityId: id, name: "util:read_otherwise" })],
    ["a name that is gone", () => pml().capabilities.remove("util:read_again")],
  ])("%s", async (what, change) => {
    const code = `return (await mcp.fs.read({ path: "again" })).content.length + ${what.length}`;
    const { capability_id } = await world().call("pml_execute", { intent: `what ${what} is for`, code });
    let changes = 0;
    const listChanged = { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void changes++ } };
    const other = await connect(pml(), {}, { listChanged });
    const before = await listNames();
    await change(capability_id ?? "");
    await until(() => changes === 1);
    expect(await listNames()).not.toEqual(before);
    await other.client.close();
  });
});

describe("AC9: every call is counted", () => {
  it("in tool_usage, under the server of capabilities, beside the real tools", async () => {
    await world().call("cap__fs__read_name");
    for (const name of ["cap__fs__read_name", "cap:fs:read_name@v1"])
      expect(await world().call(name, { path: 5 })).toMatchObject({ error: { code: "PML_INVALID_ARGUMENTS" } });
    const { tool_usage } = await world().call("meta__stats", { server: "pml-capabilities" });
    const usage = new Map((tool_usage ?? []).map((each) => [each.tool_id, each]));
    expect(usage.get("cap:fs:read_name")).toMatchObject({ failures: 2, server_id: "pml-capabilities" });
    const all = (await world().call("meta__stats")).tool_usage?.map(({ tool_id }) => tool_id);
    expect(all).toEqual(expect.arrayContaining(["pml:execute", "fs:read", "dns:rename", "learn:curate", "meta:stats"]));
  });
});

describe("AC9: nothing is counted", () => {
  it.each(["cap:fs:read_nothing", "cap__fs__read_nothing", "cap:__proto__:a_b", `cap:fs:${"x".repeat(10_000)}`])(
    "under a name that somebody made up",
    async (name) => {
      const list = async (): Promise<unknown> =>
        (await world().call("meta__stats", { server: "pml-capabilities" })).tool_usage?.map(({ tool_id }) => tool_id);
      const before = await list();
      expect(await world().call(name)).toMatchObject({ isError: true, status: "error" });
      expect(await list()).toEqual(before);
    },
  );
});

describe("AC15: the standard library", () => {
  it("has its families, in names that every client takes", async () => {
    const names = await listNames();
    const expected =
      "dns__lookup dns__query dns__whois dns__history dns__fork dns__merge dns__rename dns__tag meta__tools meta__servers meta__stats learn__save learn__curate learn__feedback pml_curate_capabilities pml_list_capabilities";
    expect(names).toEqual(expect.arrayContaining(expected.split(" ")));
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each<[string, Record<string, unknown>, object]>([
    ["dns:lookup", { name: "fs:read_name" }, { display_name: "fs:read_name", version: 1 }],
    ["dns__query", { namespace: "f*", sort_by: "usage" }, { records: [{ display_name: "fs:read_name" }] }],
    ["dns__whois", { name: "fs:read_name" }, { tools_used: ["fs:read"], record: { namespace: "fs" } }],
    ["dns__history", { name: "fs:read_name" }, { versions: [{ version: 1, source: { type: "code" } }] }],
    ["dns__fork", { source: "fs:read_name", name: "fs:read_title" }, { display_name: "fs:read_title" }],
    ["dns__tag", { name: "fs:read_title", add: ["json"] }, { tags: ["json"] }],
    ["meta__tools", { server: "slow" }, { total: 1, tools: [{ id: "slow:wait", available: true }] }],
    [
      "meta__servers",
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
    expect(await world().call(name, args)).toMatchObject(expected);
  });

  it("saves a capability without running it, and runs it later", async () => {
    const code = `return "Title: " + (await mcp.fs.read({ path: args.path })).content`;
    const given = { intent: "show the title of a page", code, name: "fs:show_title", description: "Shows a title" };
    const saved = await world().call("learn__save", given);
    expect(saved).toMatchObject({ capability_name: "fs:show_title", capability_status: "active" });
    expect(await listNames()).toContain("cap__fs__show_title");
    expect(await world().call("cap__fs__show_title", { path: "x" })).toMatchObject({ status: "success" });
    const again = await world().call("learn:save", { ...given, name: "fs:read_name" });
    expect(again).toMatchObject({ isError: true, error: { code: "PML_NAME_TAKEN" } });
  });

  it("learns from what the user says of a run, once", async () => {
    const { trace_id } = await world().call("cap__fs__read_name", { path: "q" });
    expect(await world().call("learn__feedback", { trace_id, ok: true })).toMatchObject({ counted: true });
    expect(await world().call("learn:feedback", { trace_id, ok: false })).toMatchObject({ counted: false });
  });

  it("makes a pipeline of capabilities", async () => {
    const code = `return [await capabilities.fs.read_name(args), await capabilities.fs.read_title(args)]`;
    const sources = ["cap:fs:read_name", "cap:fs:read_title"];
    const merged = await world().call("dns__merge", { sources, name: "fs:read_twice", code });
    expect(merged).toMatchObject({ display_name: "fs:read_twice" });
    expect(await world().call("cap__fs__read_twice", { path: "p" })).toMatchObject({ result: ["p", "p"] });
  });

  it.each([
    ["dns__lookup", { name: "fs:read_nothing" }, "PML_NOT_FOUND"],
    ["dns__rename", { name: "fs:read_name", to: "Not A Name" }, "PML_NAME_INVALID"],
  ])("%s %j is an error with a code", async (name, args, code) => {
    expect(await world().call(name, args)).toMatchObject({ isError: true, error: { code } });
  });
});

describe("pages of the list", () => {
  it("hold every tool once, whatever their size", async () => {
    const all = await listNames();
    for (const pageSize of [1, 7, all.length - 1, all.length, all.length + 1]) {
      const { client } = await connect(pml(), { pageSize });
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
    const { client, call } = await connect(pml(), { scope: { project: "other" } });
    const { tools: listed } = await client.listTools();
    expect(listed.filter(({ name }) => name.startsWith("cap_"))).toEqual([]);
    expect(await call("cap__fs__read_name")).toMatchObject({ isError: true });
    expect(await call("dns__lookup", { name: "fs:read_name" })).toMatchObject({ isError: true });
    const ours = (await world().call("meta__stats")).tool_usage?.map(({ tool_id }) => tool_id);
    expect(ours).toContain("cap:fs:read_title");
    const theirs = (await call("meta__stats")).tool_usage?.map(({ tool_id }) => tool_id);
    expect(theirs).toEqual(["dns:lookup"]);
    expect(
      (await call("pml_discover", { intent: "read the name in a json file", filter: { type: "capability" } }))[
        "results"
      ],
    ).toEqual([]);
    await client.close();
  });
});
