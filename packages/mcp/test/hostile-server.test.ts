import { describe, expect, it } from "vitest";

import { call, ECHO, echo, say, useMemory, useServers } from "./client-world.js";
import { inProcess, RawServer } from "./world.js";

const { connected } = useServers();
const { pml, remember } = useMemory();

const nest = (levels: number): object =>
  levels === 0 ? { type: "object" } : { type: "object", properties: { a: nest(levels - 1) } };
/** Takes for ever to find out that nothing matches. */
const ENDLESS = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
const a = `${"a".repeat(60)}!`;

describe("a hostile server", () => {
  const names = [
    "read file",
    "read_file",
    "read\nfile",
    "a:b",
    "__proto__",
    "constructor",
    "then",
    "toString",
    "😀",
    "'; drop table",
    "x".repeat(500),
    "read_file",
  ];

  it("with odd names has each tool once, and all can be called", async () => {
    const server = new RawServer(
      () => names.map((name) => ({ name, inputSchema: { type: "object" } })),
      (name) => say(name),
    );
    const servers = await connected({ __proto__x: inProcess(() => server) });
    const ids = servers.tools.map(({ id }) => id);
    expect(new Set(ids).size).toBe(new Set(names).size);
    expect(servers.list()[0]?.warnings).toEqual([expect.stringContaining("same name")]);
    await remember(servers);
    for (const id of ids) {
      const [server_, ...rest] = id.split(":");
      const code = `return mcp[${JSON.stringify(server_)}][${JSON.stringify(rest.join(":"))}]({})`;
      const answer = await pml().execute({ intent: `call ${id.slice(0, 50)}`, code });
      expect(names, id).toContain((answer as { result?: unknown }).result);
    }
  });

  it.each(["__proto__", "constructor", "cap", "code", "a b:c"])(
    "named %j has tools that can be called",
    async (name) => {
      const config = Object.fromEntries([[name, inProcess(echo)]]);
      const servers = await connected(config);
      await remember(servers);
      const id = servers.tools[0]?.id ?? "";
      const answer = await pml().execute({
        intent: "echo",
        code: `return mcp[${JSON.stringify(id.split(":")[0])}].echo({ text: "x" })`,
      });
      expect(answer).toMatchObject({ status: "success", result: '{"text":"x"}' });
    },
  );

  it.each<[string, object]>([
    [
      "huge",
      {
        type: "object",
        properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field${at}`, { type: "string" }])),
      },
    ],
    ["of a type that is none", { type: "object", properties: { a: { type: "banana" } } }],
    ["that refers to nothing", { type: "object", properties: { a: { $ref: "#/$defs/none" } } }],
    ["that refers elsewhere", { type: "object", properties: { a: { $ref: "https://example.org/schema.json" } } }],
    ["with a pattern that is none", { type: "object", properties: { a: { type: "string", pattern: "(" } } }],
    ["that is deeper than any", nest(60)],
    [
      "with __proto__",
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string"}},"__proto__":{"polluted":true}}',
      ) as object,
    ],
  ])("with a schema %s has tools all the same", async (_, inputSchema) => {
    const server = new RawServer(
      () => [{ name: "odd", inputSchema }, ECHO],
      (name) => say(name),
    );
    const servers = await connected({ raw: inProcess(() => server) });
    await remember(servers);
    expect(
      pml()
        .tools.list()
        .map(({ id }) => id),
    ).toEqual(["raw:odd", "raw:echo"]);
    expect(await pml().execute({ intent: "odd", code: "return mcp.raw.odd({})" })).toMatchObject({ result: "odd" });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  it.each<[string, unknown, string]>([
    ["a text where a number was promised", { content: [], structuredContent: { n: "one" } }, "MCP_RESULT_INVALID"],
    ["no structured content where it was promised", { content: [{ type: "text", text: "1" }] }, "MCP_RESULT_INVALID"],
    ["content of no known kind", { content: [{ type: "hologram" }] }, "MCP_RESULT_INVALID"],
    ["an error", { isError: true, content: [{ type: "text", text: "disk full" }] }, "MCP_TOOL_FAILED"],
  ])("that answers %s is an error that names it", async (_, result, code) => {
    const server = new RawServer(
      () => [{ ...ECHO, outputSchema }],
      () => result,
    );
    const servers = await connected({ liar: inProcess(() => server) });
    await expect(call(servers, "liar:echo")).rejects.toMatchObject({
      code,
      message: expect.stringContaining("liar"),
      details: { server: "liar" },
    });
  });

  it.each<[string, object, string]>([
    ["inputs", { inputSchema: ENDLESS }, "PML_INVALID_ARGUMENTS"],
    ["answers", { outputSchema: ENDLESS }, "is not what it says it answers"],
  ])("whose schema of %s takes for ever to check does not hold the host", async (_, schemas, reason) => {
    const server = new RawServer(
      () => [{ ...ECHO, ...schemas }],
      () => ({ content: [], structuredContent: { a } }),
    );
    await remember(await connected({ raw: inProcess(() => server) }));
    const answer = await pml().execute({ intent: "echo", code: `return mcp.raw.echo({ a: "${a}" })` });
    expect(answer).toMatchObject({ status: "error" });
    expect(JSON.stringify(answer)).toContain(reason);
    expect(JSON.stringify(answer)).toContain("longer than");
  });

  it("with more tools than anybody can know has the first of them", async () => {
    const tools = Array.from({ length: 1200 }, (_, at) => ({ name: `t${at}`, inputSchema: { type: "object" } }));
    const servers = await connected({
      raw: inProcess(
        () =>
          new RawServer(
            () => tools,
            () => say(""),
          ),
      ),
    });
    expect(servers.tools).toHaveLength(1000);
    expect(servers.list()[0]?.warnings).toEqual([expect.stringContaining("1200 tools")]);
  });

  it("whose list has no end is not connected, and keeps nobody waiting", async () => {
    let pages = 0;
    const endless = new RawServer(
      () => ({ tools: [{ ...ECHO, name: `t${pages}` }], nextCursor: String(pages++) }),
      () => say(""),
    );
    const servers = await connected({ endless: inProcess(() => endless), good: inProcess(echo) });
    expect(servers.list()).toMatchObject([{ state: "unavailable" }, { state: "connected" }]);
  });

  it("that answers with __proto__ changes nothing here", async () => {
    const structuredContent = JSON.parse('{"__proto__":{"polluted":true},"a":1}') as Record<string, unknown>;
    const servers = await connected({
      raw: inProcess(
        () =>
          new RawServer(
            () => [ECHO],
            () => ({ content: [], structuredContent }),
          ),
      ),
    });
    await remember(servers);
    await pml().execute({ intent: "echo", code: "return Object.assign({}, await mcp.raw.echo({}))" });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("that shows a secret of another, in what it says of its tools or in what they answer, is not heard", async () => {
    const [secret, word] = ["tr0ub4dor-and-3", "memory"];
    const shown = `the ${word} of ${secret}`;
    const inputSchema = { type: "object", properties: { a: { default: secret } } };
    const reads = new RawServer(
      () => [{ ...ECHO, description: shown, inputSchema }],
      () => say(shown),
    );
    const other = { command: "/no/such/command", args: ["--password", secret], env: { SESSION_STORE: word } };
    const servers = await connected({ raw: inProcess(() => reads), other });
    expect(servers.tools[0]?.description).toBe("the memory of [redacted]");
    expect(await call(servers, "raw:echo")).toBe("the memory of [redacted]");
    await remember(servers);
    expect(JSON.stringify(await pml().store.listTools())).not.toContain(secret);
  });

  it("that shows a secret it was given does not bring it into a trace, an answer or a log", async () => {
    const secret = "tr0ub4dor-and-3";
    const logged: unknown[] = [];
    const script = `process.stderr.write(process.env.MY_API_KEY); process.exit(1)`;
    const servers = await connected(
      { leaks: { command: process.execPath, args: ["-e", script], env: { MY_API_KEY: secret } } },
      { logger: { warn: (...all: unknown[]) => void logged.push(all) } },
    );
    expect(servers.list()[0]?.error?.details).toMatchObject({ stderr: "[redacted]" });
    expect(JSON.stringify([servers.list(), logged])).not.toContain(secret);
  });
});
