import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, describe, expect, it } from "vitest";

import { call, ECHO, echo, say, useServers } from "./client-world.js";
import { inProcess, RawServer } from "./world.js";

const { connected } = useServers();

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

  it("come in pages, and all of them are there", async () => {
    const names = Array.from({ length: 25 }, (_, at) => `tool${at}`);
    const server = new RawServer(
      (cursor = "0") => {
        const [from, to] = [Number(cursor), Number(cursor) + 10];
        const tools = names.slice(from, to).map((name) => ({ name, inputSchema: { type: "object" } }));
        return { tools, ...(to < names.length && { nextCursor: String(to) }) };
      },
      (name) => say(name),
    );
    const servers = await connected({ raw: inProcess(() => server) });
    expect(servers.tools.map(({ id }) => id)).toEqual(names.map((name) => `raw:${name}`));
    expect(await call(servers, "raw:tool24")).toBe("tool24");
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
});

describe("servers over streamable HTTP", () => {
  const hosts: Server[] = [];
  afterEach(() => hosts.splice(0).forEach((each) => each.close()));
  const headers = { Authorization: "Bearer s3cret-token", "X-Key": "other-s3cret" };

  async function host(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    hosts.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  it("are reached with their headers, which nobody sees again", async () => {
    const seen: unknown[] = [];
    const url = await host((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end(`no: ${request.headers.authorization}`);
    });
    const servers = await connected({ web: { url, headers } });
    expect(seen[0]).toBe("Bearer s3cret-token");
    expect(servers.list()[0]).toMatchObject({ state: "unavailable" });
    expect(JSON.stringify(servers.list())).not.toContain("s3cret");
  });

  it("cannot send us, and our headers, to another host", async () => {
    const elsewhere: unknown[] = [];
    const other = await host((request, response) => void (elsewhere.push(request.headers), response.end("{}")));
    const url = await host((_, response) => void response.writeHead(307, { location: other }).end());
    const servers = await connected({ web: { url, headers } });
    expect(servers.list()[0]).toMatchObject({ state: "unavailable", error: { code: "MCP_CONNECT_FAILED" } });
    expect(elsewhere).toEqual([]);
  });

  it("cannot fill our memory with one message", async () => {
    let sent = 0;
    const url = await host((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const megabyte = " ".repeat(1_000_000);
      const more = (): void => {
        while (!response.destroyed && (sent++, response.write(megabyte)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    const servers = await connected({ web: { url } }, { connectTimeoutMs: 10_000 });
    expect(servers.list()[0]?.error?.message).toContain("is over 10485760 bytes");
    expect(sent).toBeLessThan(100);
  });
});
