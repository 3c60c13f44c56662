import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { Pml } from "@pml/core";
import { connectMcpServers, type McpServers } from "@pml/mcp";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { inProcess, openMemory, RawServer, until } from "./world.js";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const ECHO = {
  name: "echo",
  description: "Say it again",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
};
const say = (text: string): object => ({ content: [{ type: "text", text }] });
const echo = (): RawServer =>
  new RawServer(
    () => [ECHO],
    (_, args) => say(JSON.stringify(args)),
  );
const QUICK = { backoff: { firstMs: 20, longestMs: 50 }, connectTimeoutMs: 3000 };

async function connected(config: Parameters<typeof connectMcpServers>[0], options = {}): Promise<McpServers> {
  const servers = await connectMcpServers(config, { ...QUICK, ...options });
  opened.push(servers);
  return servers;
}

/** One memory for all, as it takes a while to make; each test finds it without tools. */
let pml: Pml;
beforeAll(async () => {
  pml = await openMemory();
});
afterAll(() => pml.close());

async function remember(servers: McpServers): Promise<void> {
  for (const { id } of pml.tools.list()) await pml.tools.remove(id);
  await servers.follow(pml);
}

const call = (
  servers: McpServers,
  id: string,
  args: Record<string, unknown> = {},
  signal = new AbortController().signal,
): unknown => servers.tools.find((tool) => tool.id === id)?.execute(args, { signal });

const isAvailable = async (id: string): Promise<boolean> =>
  (await pml.store.listTools()).some((tool) => tool.id === id && tool.available);

describe("servers as tools", () => {
  it("have their schemas, hints and results", async () => {
    const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const server = new RawServer(
      () => [
        {
          name: "count",
          inputSchema: { type: "object" },
          outputSchema,
          annotations: { readOnlyHint: true, title: "Counts" },
        },
        ECHO,
      ],
      (name) =>
        name === "count"
          ? { content: [], structuredContent: { n: 1 } }
          : {
              content: [
                { type: "text", text: "a" },
                { type: "text", text: "b" },
              ],
            },
    );
    const servers = await connected({ raw: inProcess(() => server) });
    expect(servers.tools).toMatchObject([
      { id: "raw:count", description: "Counts", outputSchema, annotations: { readOnlyHint: true } },
      { id: "raw:echo", description: "Say it again", inputSchema: ECHO.inputSchema, annotations: {} },
    ]);
    expect(await call(servers, "raw:count")).toEqual({ n: 1 });
    expect(await call(servers, "raw:echo")).toEqual({
      content: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    });
  });

  it("are believed in what they say of themselves only as far as the host wants", async () => {
    const annotations = { readOnlyHint: true, idempotentHint: true, destructiveHint: true };
    const create = (): RawServer =>
      new RawServer(
        () => [{ ...ECHO, annotations }],
        () => say(""),
      );
    const servers = await connected({
      a: { ...inProcess(create), trustHints: false },
      b: { ...inProcess(create), approval: "auto" },
    });
    expect(servers.tools[0]?.annotations).toEqual({
      readOnlyHint: false,
      idempotentHint: false,
      destructiveHint: true,
    });
    expect(servers.tools[1]).toMatchObject({ annotations, approval: "auto" });
  });

  it("keep nobody waiting: a bad one is named, and the others work", async () => {
    const logged: string[] = [];
    const logger = { warn: (message: string) => void logged.push(message) };
    const config = {
      good: inProcess(echo),
      missing: { command: "/no/such/command" },
      dies: { command: process.execPath, args: ["-e", "console.error('it broke'); process.exit(3)"] },
      silent: { command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] },
      noise: { command: process.execPath, args: ["-e", "setInterval(() => console.log('not json'), 50)"] },
      wrong: {} as never,
      gone: { url: "http://127.0.0.1:9/mcp" },
    };
    const startedAt = Date.now();
    const servers = await connected(config, {
      connectTimeoutMs: 1500,
      backoff: { firstMs: 60_000, longestMs: 60_000 },
      logger,
    });
    expect(Date.now() - startedAt).toBeLessThan(8000);
    const states = Object.fromEntries(
      servers.list().map(({ name, state, error }) => [name, `${state} ${error?.code ?? ""}`]),
    );
    expect(states).toEqual({
      good: "connected ",
      missing: "unavailable MCP_CONNECT_FAILED",
      dies: "unavailable MCP_CONNECT_FAILED",
      silent: "unavailable MCP_CONNECT_FAILED",
      noise: "unavailable MCP_CONNECT_FAILED",
      wrong: "refused MCP_CONFIG_INVALID",
      gone: "unavailable MCP_CONNECT_FAILED",
    });
    expect(servers.list()[2]?.error?.details).toMatchObject({ server: "dies", stderr: "it broke\n" });
    expect(logged).toHaveLength(6);
    expect(await call(servers, "good:echo", { text: "x" })).toBe('{"text":"x"}');
  });

  it("that take too long are an error that names them", async () => {
    const servers = await connected({
      slow: {
        ...inProcess(
          () =>
            new RawServer(
              () => [ECHO],
              () => new Promise(() => undefined),
            ),
        ),
        timeoutMs: 100,
      },
    });
    await expect(call(servers, "slow:echo")).rejects.toMatchObject({
      code: "MCP_TOOL_TIMEOUT",
      details: { server: "slow", tool: "echo", timeoutMs: 100 },
    });
  });

  it("are told when a run is given up", async () => {
    const servers = await connected({
      slow: inProcess(
        () =>
          new RawServer(
            () => [ECHO],
            () => new Promise(() => undefined),
          ),
      ),
    });
    const controller = new AbortController();
    const waiting = call(servers, "slow:echo", {}, controller.signal);
    controller.abort(new Error("given up"));
    await expect(waiting).rejects.toThrow("given up");
  });

  it("over streamable HTTP are reached with their headers, which nobody sees again", async () => {
    const seen: (string | undefined)[] = [];
    const http = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end(`no: ${request.headers.authorization}`);
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const servers = await connected({ web: { url, headers: { Authorization: "Bearer s3cret-token" } } });
    expect(seen[0]).toBe("Bearer s3cret-token");
    expect(servers.list()[0]).toMatchObject({ state: "unavailable" });
    expect(JSON.stringify(servers.list())).not.toContain("s3cret");
    http.close();
  });
});

describe("a memory that follows servers", () => {
  it("has the tools they add, change and remove", async () => {
    let listed: object[] = [ECHO];
    const server = new RawServer(
      () => listed,
      (name) => say(name),
    );
    await remember(await connected({ raw: inProcess(() => server) }));
    expect(pml.tools.list().map(({ id }) => id)).toEqual(["raw:echo"]);
    listed = [
      { ...ECHO, description: "Say it twice" },
      { name: "more", inputSchema: { type: "object" } },
    ];
    await server.sendToolListChanged();
    await until(() => pml.tools.find("raw:more") !== undefined);
    expect(pml.tools.get("raw:echo").description).toBe("Say it twice");
    expect(await pml.execute({ intent: "more", code: "return mcp.raw.more({})" })).toMatchObject({ result: "more" });
    listed = [{ name: "more", inputSchema: { type: "object" } }];
    await server.sendToolListChanged();
    await until(() => pml.tools.find("raw:echo") === undefined);
  });

  it("knows that one is away, says so by name, and calls it again once it is back", async () => {
    const place = inProcess(echo);
    let isDown = false;
    const connect = (): ReturnType<typeof place.connect> =>
      isDown ? Promise.reject(new Error("down")) : place.connect();
    const servers = await connected({ raw: { connect } });
    await remember(servers);
    isDown = true;
    await place.kill();
    await until(async () => !(await isAvailable("raw:echo")));
    const code = `return mcp.raw.echo({ text: "x" })`;
    const failed = await pml.execute({ intent: "echo", code });
    expect(failed).toMatchObject({ status: "error" });
    expect(JSON.stringify(failed)).toMatch(/The server raw is not available/);
    await expect(call(servers, "raw:echo")).rejects.toMatchObject({
      code: "MCP_SERVER_UNAVAILABLE",
      details: { server: "raw" },
    });
    isDown = false;
    await until(() => isAvailable("raw:echo"));
    expect(servers.list()[0]).toMatchObject({ state: "connected" });
    expect(await pml.execute({ intent: "echo", code })).toMatchObject({ status: "success" });
  });

  it("loses a call that was under way, and nothing else, when a server dies", async () => {
    const dying: RawServer = new RawServer(
      () => [ECHO],
      () => (void place.kill(), new Promise(() => undefined)),
    );
    const place = inProcess(() => dying);
    await remember(await connected({ dies: place, lives: inProcess(echo) }));
    const answer = await pml.execute({ intent: "wait for ever", code: `return mcp.dies.echo({})` });
    expect(answer).toMatchObject({ status: "error" });
    expect(JSON.stringify(answer)).toContain("The server dies went away while echo ran");
    expect(await pml.execute({ intent: "echo", code: "return mcp.lives.echo({})" })).toMatchObject({
      status: "success",
    });
  });

  it("calls nothing any more once it is closed", async () => {
    const servers = await connectMcpServers({ raw: inProcess(echo) });
    const [tool] = servers.tools;
    await servers.close();
    await servers.close();
    const { signal } = new AbortController();
    await expect(tool?.execute({}, { signal })).rejects.toMatchObject({ code: "MCP_CLOSED" });
  });
});

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
      const answer = await pml.execute({ intent: `call ${id.slice(0, 50)}`, code });
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
      const answer = await pml.execute({
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
    expect(pml.tools.list().map(({ id }) => id)).toEqual(["raw:odd", "raw:echo"]);
    expect(await pml.execute({ intent: "odd", code: "return mcp.raw.odd({})" })).toMatchObject({ result: "odd" });
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
    await pml.execute({ intent: "echo", code: "return Object.assign({}, await mcp.raw.echo({}))" });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
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
