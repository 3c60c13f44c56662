import { openPglite } from "@pml/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { run } from "./names-powers.js";
import { createWorld, learn, type World } from "./names-world.js";

const at = (day: string): Date => new Date(`${day}T12:00:00Z`);

describe("versions of one name", () => {
  it("share tools and intent, and are not related for that", async () => {
    await using world = await createWorld();
    const id = await world.learn("return mcp.fs.read({ path: 'a' });", { intent: "read a" });
    await world.names.assign({ capabilityId: id, name: "fs:read_json" });
    await world.names.update("fs:read_json", { code: "const file = await mcp.fs.read({ path: 'a' }); return [file];" });
    const other = await world.learn("return { got: await mcp.fs.read({ path: 'c' }) };", { intent: "print c" });
    const { capabilityId } = await world.names.lookup("fs:read_json");
    expect(capabilityId).not.toBe(id);
    const edges = (await world.store.getAllDependencies()).filter(({ edgeType }) => edgeType === "sequence");
    expect(edges.map((edge) => [edge.fromCapabilityId, edge.toCapabilityId])).toEqual([[other, capabilityId]]);
  });
});

describe("AC12: asking", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ scope: { org: "acme", project: "webapp", actor: "erwan@acme.io" } });
    const id = await world.learn("return mcp.fs.read({ path: 'a' });", { intent: "read a" });
    await world.names.assign({ capabilityId: id, name: "fs:read_json", tags: ["json", "read"], versionTag: "v1.2.0" });
    const store = world.store.withScope({ actor: "claude" });
    const second = await learn(store, "return mcp.fs.read({ path: 'b' });", { intent: "read b", runs: 3 });
    await world.names
      .withScope({ actor: "claude" })
      .assign({ capabilityId: second, name: "api:read_100%", tags: [] })
      .catch(() => {});
    await world.names
      .withScope({ actor: "claude" })
      .assign({ capabilityId: second, name: "api:fetch_user", tags: ["json"], versionTag: "v2.0.0" });
    await world.names.tag("api:fetch_user", { visibility: "public" });
  });
  afterAll(() => world.close());

  it("looks one up by name", async () => {
    expect(await world.names.lookup("fs:read_json")).toMatchObject({
      fqdn: expect.stringMatching(/^acme\.webapp\.fs\.read_json\./),
    });
    await expect(world.names.lookup("fs:read_nothing")).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
  });

  it.each<[string, object, string[]]>([
    ["everything", {}, ["api:fetch_user", "fs:read_json"]],
    ["a creator by glob", { createdBy: "erwan@*" }, ["fs:read_json"]],
    ["a version's tag by glob", { versionTag: "v1.*" }, ["fs:read_json"]],
    ["all of some tags", { tags: ["json", "read"] }, ["fs:read_json"]],
    ["one tag", { tags: ["json"] }, ["api:fetch_user", "fs:read_json"]],
    ["what is public in a namespace", { visibility: "public", namespace: "api" }, ["api:fetch_user"]],
    ["a name by glob", { name: "*:?ead_*" }, ["fs:read_json"]],
    ["a percent sign, which is no glob", { name: "%" }, []],
    ["use", { minUsage: 2 }, ["api:fetch_user"]],
    ["success", { minSuccessRate: 1 }, ["api:fetch_user", "fs:read_json"]],
    ["a share of successes", { minSuccessRate: 0.5 }, ["api:fetch_user", "fs:read_json"]],
    ["a tag in other letters", { tags: ["JSON", "read"] }, ["fs:read_json"]],
    ["what was verified", { verified: true }, []],
    ["an age", { createdAfter: at("2025-12-25") }, []],
    ["the most used first", { sortBy: "usage" }, ["api:fetch_user", "fs:read_json"]],
    ["a page", { limit: 1, offset: 1 }, ["fs:read_json"]],
  ])("queries by %s", async (_, query, expected) => {
    expect((await world.names.query(query)).map(({ displayName }) => displayName)).toEqual(expected);
  });

  it("finds across projects only what is shared", async () => {
    const abroad = world.names.withScope({ org: "else", project: "x", actor: "eve" });
    expect((await abroad.query()).map(({ displayName }) => displayName)).toEqual(["api:fetch_user"]);
    expect((await abroad.listCapabilities()).map(({ name }) => name)).toEqual(["acme.webapp:api:fetch_user"]);
    expect((await abroad.resolve("acme.webapp:api:fetch_user")).name).toBe("api:fetch_user");
  });

  it("tells everything of one by its FQDN", async () => {
    const { fqdn } = await world.names.lookup("fs:read_json");
    expect(await world.names.whois(fqdn)).toMatchObject({
      record: { createdBy: "erwan@acme.io", usageCount: 1 },
      intent: "read a",
      toolsUsed: ["fs:read"],
      permissions: { tools: ["fs:read"] },
      versions: [{ version: 1, versionTag: "v1.2.0" }],
      renames: [{ from: expect.stringMatching(/^unnamed_/), to: "fs:read_json", by: "erwan@acme.io" }],
      forks: [],
    });
  });
});

describe("AC13: versions", () => {
  it("are kept with every change of code, and found by @latest, @v1, @v1.2.0 and @date", async () => {
    await using world = await createWorld();
    const { names, clock } = world;
    const codes = ["a", "b", "c"].map((path) => `const x = 1;\nreturn mcp.fs.read({ path: "${path}" });`);
    clock.now = at("2025-12-01");
    await names.assign({ capabilityId: await world.learn(codes[0] ?? ""), name: "fs:read_json", versionTag: "v1.0.0" });
    clock.now = at("2025-12-10");
    await names.update("fs:read_json", { code: codes[1] ?? "", versionTag: "v1.2.0", changeSummary: "Reads b" });
    clock.now = at("2025-12-22");
    expect(await names.update("fs:read_json", { code: codes[2] ?? "", versionTag: "v2.0.0" })).toMatchObject({
      version: 3,
    });
    const pathOf = async (name: string): Promise<string | undefined> => {
      const { capability } = await names.resolve(name);
      return /"(.)"/.exec(capability.source.type === "code" ? capability.source.code : "")?.[1];
    };
    const asked = ["", "@latest", "@v1", "@v1.0.0", "@v1.2.0", "@v2", "@2025-12-22", "@2025-12-21", "@2025-12-01"];
    expect(await Promise.all(asked.map((each) => pathOf(`fs:read_json${each}`)))).toEqual([
      "c",
      "c",
      "b",
      "a",
      "b",
      "c",
      "c",
      "b",
      "a",
    ]);
    await expect(names.resolve("fs:read_json@v9")).rejects.toMatchObject({
      code: "PML_NOT_FOUND",
      message: expect.stringContaining("v1.2.0"),
    });
    await expect(names.update("fs:read_json", { code: codes[2] ?? "" })).rejects.toMatchObject({
      code: "PML_INVALID_INPUT",
    });
    await expect(names.tag("fs:read_json", { versionTag: "v1.0.0" })).rejects.toMatchObject({ code: "PML_CONFLICT" });
    await learn(world.store, codes[0] ?? "", { runs: 1 });
    expect((await world.store.searchByIntent("do it")).map(({ capability }) => capability.source)).not.toContainEqual({
      type: "code",
      code: codes[0],
    });
    expect((await world.store.listNamed()).map(({ name }) => name)).toEqual(["fs:read_json"]);
    expect(await names.listCapabilities({ includeDrafts: true })).toHaveLength(1);
  });

  it("have a history with diffs, and can be rolled back to", async () => {
    await using world = await createWorld();
    const { names } = world;
    const first = "const path = 'a';\nreturn mcp.fs.read({ path });";
    await names.assign({ capabilityId: await world.learn(first), name: "fs:read_json" });
    await names.update("fs:read_json", { code: first.replace("'a'", "'b'"), changeSummary: "Reads b" });
    const rolled = await names.rollback("fs:read_json", "v1");
    expect(rolled).toMatchObject({ version: 3, displayName: "fs:read_json" });
    expect((await names.resolve("fs:read_json")).capability.source).toEqual({ type: "code", code: first });
    const history = await names.history("fs:read_json");
    expect(history.map(({ version, changeSummary }) => [version, changeSummary])).toEqual([
      [3, "Back to version 1"],
      [2, "Reads b"],
      [1, undefined],
    ]);
    expect(history[1]?.diff).toContain("-const path = 'a';\n+const path = 'b';\n return mcp.fs.read({ path });");
    expect(history[2]?.diff).toContain("+const path = 'a';");
    await expect(names.rollback("fs:read_json", "v3")).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
    await names.remove("fs:read_json");
    expect(await world.store.list()).toEqual([]);
  });
});

it("names move with the memory into another database", async () => {
  await using world = await createWorld({ scope: { org: "acme" } });
  await world.names.assign({
    capabilityId: await world.learn("return mcp.fs.read({ path: 'a' });"),
    name: "fs:read_old",
  });
  await world.names.rename("fs:read_old", "fs:read_new");
  await world.names.update("fs:read_new", { code: "return mcp.fs.read({ path: 'b' });" });
  const database = await openPglite({ dataDir: ":memory:" });
  await world.store.copyTo(database);
  await using moved = await createWorld({ database, scope: { org: "acme" } });
  for (const name of ["fs:read_old", "fs:read_new", "fs:read_new@v1"])
    expect((await moved.names.resolve(name)).capability).toEqual((await world.names.resolve(name)).capability);
  expect(await moved.names.whois("fs:read_new")).toEqual(await world.names.whois("fs:read_new"));
});

describe("AC14: fork and merge", () => {
  it("forks what is public into a project of one's own, and remembers where from", async () => {
    await using world = await createWorld({ scope: { org: "marketplace", project: "public", actor: "m" } });
    await world.names.assign({
      capabilityId: await world.learn("return mcp.fs.read({ path: 'a' });"),
      name: "fs:read_json",
      visibility: "public",
    });
    const acme = world.names.withScope({ org: "acme", project: "webapp", actor: "erwan" });
    const forked = await acme.fork({ source: "marketplace.public.fs.read_json", name: "fs:read_json_custom" });
    const { fqdn: origin } = await world.names.lookup("fs:read_json");
    expect(forked).toMatchObject({
      org: "acme",
      project: "webapp",
      forkedFrom: origin,
      parentId: origin,
      createdBy: "erwan",
      usageCount: 0,
    });
    await acme.update("fs:read_json_custom", { code: "return mcp.fs.read({ path: 'mine' });" });
    expect((await world.names.resolve("fs:read_json")).capability.source).toMatchObject({
      code: "return mcp.fs.read({ path: 'a' });",
    });
    expect((await world.names.whois("fs:read_json")).forks).toEqual([]);
    await acme.tag("fs:read_json_custom", { visibility: "public" });
    expect((await world.names.whois("fs:read_json")).forks).toEqual([forked.fqdn]);
  });

  it("forks within a project without storing the same code twice", async () => {
    await using world = await createWorld();
    const id = await world.learn("return mcp.fs.read({ path: 'a' });");
    await world.names.assign({ capabilityId: id, name: "fs:read_json" });
    const forked = await world.names.fork({ source: "fs:read_json", name: "fs:read_copy" });
    expect(forked.capabilityId).toBe(id);
    await world.names.remove("fs:read_json");
    expect(await world.names.resolve("fs:read_copy")).toMatchObject({ capability: { id, name: "fs:read_copy" } });
    expect(await world.store.get(id)).toMatchObject({ name: "fs:read_copy" });
    const changed = await world.names.fork({
      source: "fs:read_copy",
      name: "fs:read_other",
      code: "return mcp.fs.read({ path: 'z' });",
    });
    expect(changed.capabilityId).not.toBe(id);
  });

  it("merges capabilities into a pipeline whose code is written from what they take and give", async () => {
    await using world = await createWorld();
    const readId = await world.learn(
      "const file = await mcp.fs.read({ path: 'a.json' }); return { content: file.content };",
      {
        intent: "read the file",
        result: { content: "{}" },
      },
    );
    const checkId = await world.learn("return mcp.json.validate({ content: args.content, schema: args.schema });", {
      intent: "validate it",
    });
    await world.names.assign({ capabilityId: readId, name: "fs:read_json" });
    await world.names.assign({ capabilityId: checkId, name: "transform:validate_schema" });
    const merged = await world.names.merge({
      sources: ["cap:fs:read_json", "cap:transform:validate_schema"],
      name: "fs:read_validated_json",
    });
    const { capability } = await world.names.resolve("fs:read_validated_json");
    expect(capability.source).toEqual({
      type: "code",
      code: [
        'const { path = "a.json", schema } = args;',
        'const step1 = await capabilities["fs:read_json"]({ path });',
        'return await capabilities["transform:validate_schema"]({ content: step1.content, schema });',
      ].join("\n"),
    });
    expect(capability.intent).toBe("read the file, then validate it");
    const calls = await world.names.resolveCapabilities(["fs:read_validated_json"]);
    const tools = [
      { id: "fs:read", call: (input: unknown) => ({ content: `content of ${(input as { path: string }).path}` }) },
      { id: "json:validate", call: (input: unknown) => input },
    ];
    const code = 'return capabilities.fs.read_validated_json({ path: "b.json", schema: 7 });';
    expect(await run(world.sandbox, { code, tools, calls })).toMatchObject({
      value: { content: "content of b.json", schema: 7 },
    });
    expect((await world.store.getDependencies(merged.capabilityId, "from")).map(({ edgeType }) => edgeType)).toContain(
      "contains",
    );
  });

  it("stores nothing for a name that is taken", async () => {
    await using world = await createWorld();
    await nameTwo(world);
    const taken = { code: "PML_NAME_TAKEN" };
    const name = "fs:read_two";
    await expect(world.names.merge({ sources: ["fs:read_one", name], name })).rejects.toMatchObject(taken);
    await expect(world.names.fork({ source: "fs:read_one", name, code: "return 1;" })).rejects.toMatchObject(taken);
    expect(await world.store.list()).toHaveLength(2);
  });

  it("stores nothing of a pipeline that cannot be read, or whose dry run fails", async () => {
    await using world = await createWorld();
    await nameTwo(world);
    const merge = (code: string): Promise<unknown> =>
      world.names.merge({ sources: ["fs:read_one", "fs:read_two"], name: "fs:read_both", code });
    await expect(merge("return (;")).rejects.toMatchObject({ code: "ANALYZER_SYNTAX" });
    await expect(merge("const a = await capabilities.fs.read_one({}); return a.no.such;")).rejects.toMatchObject({
      code: "PML_DRY_RUN_FAILED",
    });
    await expect(merge("return capabilities.fs.read_nothing({});")).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
    expect(await world.store.list()).toHaveLength(2);
  });
});

async function nameTwo(world: World): Promise<void> {
  for (const [path, name] of [
    ["a", "fs:read_one"],
    ["b", "fs:read_two"],
  ] as const)
    await world.names.assign({ capabilityId: await world.learn(`return mcp.fs.read({ path: "${path}" });`), name });
}
