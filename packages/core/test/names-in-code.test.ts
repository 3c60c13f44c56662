import { openPglite, type ResolvedCalls } from "@pml/core";
import { describe, expect, it } from "vitest";

import { run } from "./names-powers.js";
import { createWorld, describe as read, learn } from "./names-world.js";

describe("names inside code", () => {
  const tools = [{ id: "fs:read", call: (input: unknown) => (input as { path: string }).path }];

  it.each([
    ["capabilities.fs.read_json", "return capabilities.fs.read_json({});", "b", "fs:read_json", 2],
    ['capabilities["fs:read_json@v1"]', 'return capabilities["fs:read_json@v1"]({});', "a", "fs:read_json@v1", 1],
    ['mcp.cap["fs:read_json"]', 'return mcp.cap["fs:read_json"]({ path: "mine" });', "mine", "fs:read_json", 2],
    ["an old name", "return capabilities.fs.load_json({});", "b", "fs:load_json", 2],
    [
      "a name with its home",
      'return capabilities["acme.default:fs:read_json"]({});',
      "b",
      "acme.default:fs:read_json",
      2,
    ],
  ])("%s is resolved before the run, and the trace says to what", async (_, code, value, called, version) => {
    await using world = await createWorld({ scope: { org: "acme" } });
    await world.names.assign({
      capabilityId: await world.learn('return mcp.fs.read({ path: "a" });'),
      name: "fs:load_json",
    });
    await world.names.rename("fs:load_json", "fs:read_json");
    await world.names.update("fs:read_json", { code: 'return mcp.fs.read({ path: "b" });' });
    const { permissions } = read(code) as { permissions: { capabilities: string[] } };
    const calls = await world.names.resolveCapabilities(permissions.capabilities);
    expect(await run(world.sandbox, { code, tools, calls })).toMatchObject({ status: "success", value });
    const { traceId } = await world.store.recordRun({
      trace: { success: true, startedAt: new Date(), durationMs: 1, resolutions: calls.resolutions },
    });
    const { fqdn } = await world.names.lookup("fs:read_json");
    expect((await world.store.getTrace(traceId)).resolutions).toMatchObject([
      { called, name: "fs:read_json", fqdn, version, signature: expect.stringMatching(/^sha256:/) },
    ]);
  });

  it("are followed through the capabilities they call, around circles too", async () => {
    await using world = await createWorld();
    const chain = async (name: string, code: string): Promise<void> => {
      await world.names.assign({ capabilityId: await world.learn(code), name });
    };
    await chain("fs:read_inner", 'return mcp.fs.read({ path: "a" });');
    await chain("fs:read_outer", "return capabilities.fs.read_inner({});");
    await chain(
      "fs:read_circle",
      "return args.again ? capabilities.fs.read_circle({}) : capabilities.fs.read_outer({});",
    );
    const calls: ResolvedCalls = await world.names.resolveCapabilities(["fs:read_circle"]);
    expect(calls.resolutions.map(({ called }) => called)).toEqual(["fs:read_circle", "fs:read_inner", "fs:read_outer"]);
    expect(calls.find("fs:read_inner")?.toolsUsed).toEqual(["fs:read"]);
    await expect(world.names.resolveCapabilities(["fs:read_absent"])).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
  });

  it("of a capability of another project are names of that project, and never mean two things at once", async () => {
    const database = await openPglite({ dataDir: ":memory:" });
    await using there = await createWorld({ database, scope: { org: "acme", project: "shared", actor: "a" } });
    const inner = await there.learn('return mcp.fs.read({ path: "theirs" });');
    await there.names.assign({ capabilityId: inner, name: "fs:read_inner" });
    await there.names.assign({
      capabilityId: await there.learn("return capabilities.fs.read_inner({});"),
      name: "fs:read_outer",
      visibility: "org",
    });
    const here = there.names.withScope({ project: "webapp", actor: "b" });
    await expect(here.resolveCapabilities(["acme.shared:fs:read_outer"])).rejects.toMatchObject({
      code: "PML_NOT_FOUND",
    });
    await there.names.tag("fs:read_inner", { visibility: "org" });
    const calls = await here.resolveCapabilities(["acme.shared:fs:read_outer"]);
    expect(calls.find("fs:read_inner")?.id).toBe(inner);
    const store = there.store.withScope({ project: "webapp", actor: "b" });
    await here.assign({
      capabilityId: await learn(store, 'return mcp.fs.read({ path: "ours" });'),
      name: "fs:read_inner",
    });
    await expect(here.resolveCapabilities(["acme.shared:fs:read_outer", "fs:read_inner"])).rejects.toMatchObject({
      code: "PML_NAME_AMBIGUOUS",
      message: expect.stringMatching(/acme\.(shared|webapp)\.fs\.read_inner\.[0-9a-f]{4} and acme\..*\.[0-9a-f]{4}\. /),
    });
  });
});
