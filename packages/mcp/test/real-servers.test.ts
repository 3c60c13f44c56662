import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Pml } from "@pml/core";
import { connectMcpServers, type McpServers, type StdioServerConfig } from "@pml/mcp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { call, serve } from "./command-world.js";
import { openMemory, until } from "./world.js";

const HOME = realpathSync(mkdtempSync(join(tmpdir(), "pml-mcp-")));
const SECRET = "tr0ub4dor-and-3";
const { resolve } = createRequire(import.meta.url);
const pathOf = (name: string): string =>
  resolve(`@modelcontextprotocol/server-${name}/package.json`).replace("package.json", "dist/index.js");
const start = (name: string, ...args: string[]): StdioServerConfig => ({
  command: process.execPath,
  args: [pathOf(name), ...args],
});
const mcpServers = {
  fs: start("filesystem", HOME),
  memory: { ...start("memory"), env: { MEMORY_FILE_PATH: join(HOME, "memory.jsonl") } },
  everything: { ...start("everything"), env: { MY_API_KEY: SECRET } },
  thinking: start("sequential-thinking"),
};
const CONFIG = join(HOME, "mcp.json");
writeFileSync(CONFIG, JSON.stringify({ mcpServers }));
writeFileSync(join(HOME, "order.json"), JSON.stringify({ customer: "Ada", items: 3 }));
writeFileSync(join(HOME, "other.json"), JSON.stringify({ customer: "Grace", items: 5 }));
afterAll(() => rmSync(HOME, { recursive: true, force: true }));

const INTENT = "remember the customer of an order file in the knowledge graph";
const CODE = `
  const file = await mcp.fs.read_text_file({ path: args.path });
  const order = JSON.parse(file.content);
  const said = await mcp.everything.echo({ message: order.customer });
  await mcp.memory.create_entities({ entities: [{ name: order.customer, entityType: "customer", observations: [said] }] });
  return { customer: order.customer, said };
`;
const path = join(HOME, "order.json");

describe("servers from the registry, as tools", () => {
  let servers: McpServers;
  let pml: Pml;
  beforeAll(async () => {
    servers = await connectMcpServers({ mcpServers }, { backoff: { firstMs: 50, longestMs: 200 } });
    pml = await openMemory({ tools: servers.tools });
    await servers.follow(pml);
  }, 120_000);
  afterAll(async () => {
    await servers.close();
    await pml.close();
  });

  it("are all connected, with schemas and hints", () => {
    expect(servers.list().map(({ id, state }) => [id, state])).toEqual(
      Object.keys(mcpServers).map((id) => [id, "connected"]),
    );
    expect(pml.tools.get("fs:read_text_file")).toMatchObject({
      inputSchema: { properties: { path: { type: "string" } } },
      outputSchema: { properties: { content: { type: "string" } } },
      annotations: { readOnlyHint: true },
    });
    expect(pml.tools.get("fs:write_file").annotations).toMatchObject({ destructiveHint: true });
  });

  it.each([
    ["read the text of a file", "fs:read_text_file"],
    ["add people to the knowledge graph", "memory:create_entities"],
    ["think about a problem step by step", "thinking:sequentialthinking"],
  ])("are found: %s", async (intent, id) => {
    const { results } = await pml.discover({ intent, filter: { type: "tool" }, limit: 3 });
    expect(results.map((each) => each.id)).toContain(id);
  });

  it("run in one piece of code over three of them, which is learned and runs again by intent", async () => {
    const first = await pml.execute({ intent: INTENT, code: CODE, context: { path } });
    expect(first).toMatchObject({ status: "success", result: { customer: "Ada", said: "Echo: Ada" } });
    const again = await pml.execute({ intent: INTENT, context: { path: join(HOME, "other.json") } });
    expect(again).toMatchObject({ status: "success", mode: "speculation", result: { customer: "Grace" } });
    expect(readFileSync(join(HOME, "memory.jsonl"), "utf8")).toMatch(/Ada[^]*Grace/);
    const { tasks } = await pml.store.getTrace((first as { traceId: string }).traceId);
    expect(tasks.map(({ tool }) => tool).filter((tool) => !tool.startsWith("code:"))).toEqual([
      "fs:read_text_file",
      "everything:echo",
      "memory:create_entities",
    ]);
  });

  it("ask before they destroy", async () => {
    const code = `return mcp.fs.write_file({ path: ${JSON.stringify(join(HOME, "new.txt"))}, content: "x" })`;
    const asked = await pml.execute({ intent: "write a file", code });
    expect(asked).toMatchObject({ status: "approval_required", approval: { tools: [{ id: "fs:write_file" }] } });
  });

  it("cannot bring a secret of their environment into a result or a trace", async () => {
    const answer = await pml.execute({ intent: "show the environment", code: `return mcp.everything["get-env"]({})` });
    expect(JSON.stringify(answer)).toContain("MY_API_KEY");
    expect(JSON.stringify([answer, await pml.store.listTraces()])).not.toContain(SECRET);
  });

  it("may be killed in the middle of a run: the run fails by name, the server comes back, and the run works", async () => {
    const code = `return mcp.everything["trigger-long-running-operation"]({ duration: 20, steps: 2 })`;
    const answer = await pml.execute({ intent: "take long", code, onEvent: killOnceCalled });
    expect(answer).toMatchObject({ status: "error" });
    expect(JSON.stringify(answer)).toContain("The server everything went away");
    expect(
      servers
        .list()
        .filter(({ state }) => state === "connected")
        .map(({ id }) => id),
    ).toEqual(expect.arrayContaining(["fs", "memory", "thinking"]));
    await until(() => servers.list().every(({ state }) => state === "connected"));
    const again = await pml.execute({ intent: INTENT, code: CODE, context: { path } });
    expect(again).toMatchObject({ status: "success" });
  });
});

function killOnceCalled({ type }: { type: string }): void {
  if (type === "tool_start") setTimeout(killEverything, 100);
}

/** Of our own children, the one that runs that server. */
function killEverything(): void {
  const table = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" });
  const mine = table.split("\n").map((line) => line.trim().split(/\s+/));
  const found = mine.find(
    ([, parent, ...args]) => parent === String(process.pid) && args.join(" ").includes(pathOf("everything")),
  );
  process.kill(Number(found?.[0]), "SIGKILL");
}

describe("a server over streamable HTTP", () => {
  it("is a tool like any other, is missed when it dies, and is found again", async () => {
    const port = await findPort();
    const launch = (): ReturnType<typeof spawn> =>
      spawn(process.execPath, [pathOf("everything"), "streamableHttp"], {
        env: { ...process.env, PORT: String(port) },
        stdio: "ignore",
      });
    let child = launch();
    const config = { web: { url: `http://127.0.0.1:${port}/mcp` } };
    const servers = await connectMcpServers(config, { backoff: { firstMs: 100, longestMs: 200 } });
    try {
      const state = (): string => servers.list()[0]?.state ?? "";
      await until(() => state() === "connected");
      const echo = servers.tools.find(({ id }) => id === "web:echo");
      const { signal } = new AbortController();
      expect(await echo?.execute({ message: "hi" }, { signal })).toBe("Echo: hi");
      child.kill("SIGKILL");
      await new Promise((done) => child.once("exit", done));
      await expect(echo?.execute({ message: "hi" }, { signal })).rejects.toMatchObject({
        code: "MCP_SERVER_UNAVAILABLE",
      });
      child = launch();
      await until(() => state() === "connected");
      expect(await echo?.execute({ message: "again" }, { signal })).toBe("Echo: again");
    } finally {
      await servers.close();
      child.kill("SIGKILL");
    }
  });
});

function findPort(): Promise<number> {
  const server = createServer();
  return new Promise((done) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

describe("pml-mcp", () => {
  const args = ["--data", join(HOME, "data"), "--config", CONFIG];

  it("learns from one client and serves the next, over stdio and from disk", async () => {
    await serve(args, async (client) => {
      const states = (await call(client, "meta__servers")).servers;
      expect(states?.filter(({ state }) => state === "connected").map(({ id }) => id)).toEqual(Object.keys(mcpServers));
      const given = { intent: INTENT, code: CODE, context: { path }, name: "graph:remember_customer" };
      const answer = await call(client, "pml_execute", given);
      expect(answer).toMatchObject({ status: "success", result: { customer: "Ada" } });
    });
    await serve(args, async (client) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("cap__graph__remember_customer");
      const other = { path: join(HOME, "other.json") };
      for (const name of ["cap__graph__remember_customer", "cap:graph:remember_customer"])
        expect(await call(client, name, other)).toMatchObject({ status: "success", result: { customer: "Grace" } });
      const byIntent = await call(client, "pml_execute", { intent: INTENT, context: other });
      expect(byIntent).toMatchObject({ status: "success", mode: "speculation", result: { customer: "Grace" } });
      const { results } = await call(client, "pml_discover", { intent: INTENT, limit: 1 });
      expect(results).toMatchObject([{ name: "graph:remember_customer" }]);
    });
  }, 180_000);
});
