import { connectMcpServers } from "@pml/mcp";
import { describe, expect, it } from "vitest";

import { call, ECHO, echo, say, useMemory, useServers } from "./client-world.js";
import { inProcess, RawServer, until } from "./world.js";

const { connected } = useServers();
const { pml, remember } = useMemory();

const isAvailable = async (id: string): Promise<boolean> =>
  (await pml().store.listTools()).some((tool) => tool.id === id && tool.available);

describe("a memory that follows servers", () => {
  it("has the tools they add, change and remove", async () => {
    let listed: object[] = [ECHO];
    const server = new RawServer(
      () => listed,
      (name) => say(name),
    );
    await remember(await connected({ raw: inProcess(() => server) }));
    expect(
      pml()
        .tools.list()
        .map(({ id }) => id),
    ).toEqual(["raw:echo"]);
    listed = [
      { ...ECHO, description: "Say it twice" },
      { name: "more", inputSchema: { type: "object" } },
    ];
    await server.sendToolListChanged();
    await until(() => pml().tools.find("raw:more") !== undefined);
    expect(pml().tools.get("raw:echo").description).toBe("Say it twice");
    expect(await pml().execute({ intent: "more", code: "return mcp.raw.more({})" })).toMatchObject({ result: "more" });
    listed = [{ name: "more", inputSchema: { type: "object" } }];
    await server.sendToolListChanged();
    await until(() => pml().tools.find("raw:echo") === undefined);
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
    const failed = await pml().execute({ intent: "echo", code });
    expect(failed).toMatchObject({ status: "error" });
    expect(failed).toMatchObject({
      error: {
        code: "SANDBOX_TOOL_FAILED",
        message: expect.stringContaining("The server raw is not available"),
        details: { tool: "raw:echo", cause: { code: "MCP_SERVER_UNAVAILABLE", details: { server: "raw" } } },
      },
    });
    await expect(call(servers, "raw:echo")).rejects.toMatchObject({
      code: "MCP_SERVER_UNAVAILABLE",
      details: { server: "raw" },
    });
    isDown = false;
    await until(() => isAvailable("raw:echo"));
    expect(servers.list()[0]).toMatchObject({ state: "connected" });
    expect(await pml().execute({ intent: "echo", code })).toMatchObject({ status: "success" });
  });

  it("does not take for there what is away, because something else has changed", async () => {
    const place = inProcess(echo);
    let isDown = false;
    const connect = (): ReturnType<typeof place.connect> =>
      isDown ? Promise.reject(new Error("down")) : place.connect();
    let listed: object[] = [ECHO];
    const other = new RawServer(
      () => listed,
      (name) => say(name),
    );
    await remember(await connected({ raw: { connect }, other: inProcess(() => other) }));
    isDown = true;
    await place.kill();
    await until(async () => !(await isAvailable("raw:echo")));
    listed = [{ ...ECHO, name: "more" }];
    await other.sendToolListChanged();
    await until(async () => (await isAvailable("other:more")) && !(await isAvailable("other:echo")));
    await until(async () => !(await isAvailable("raw:echo")));
    const stored = await pml().store.listTools();
    expect(stored.filter(({ available }) => available).map(({ id }) => id)).toEqual(["other:more"]);
    isDown = false;
    await until(() => isAvailable("raw:echo"));
  });

  it("loses a call that was under way, and nothing else, when a server dies", async () => {
    const dying: RawServer = new RawServer(
      () => [ECHO],
      () => (void place.kill(), new Promise(() => undefined)),
    );
    const place = inProcess(() => dying);
    await remember(await connected({ dies: place, lives: inProcess(echo) }));
    const answer = await pml().execute({ intent: "wait for ever", code: `return mcp.dies.echo({})` });
    expect(answer).toMatchObject({ status: "error" });
    expect(JSON.stringify(answer)).toContain("The server dies went away while echo ran");
    expect(await pml().execute({ intent: "echo", code: "return mcp.lives.echo({})" })).toMatchObject({
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
