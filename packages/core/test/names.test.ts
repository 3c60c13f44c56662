import { openPglite } from "@pml/core";
import { describe, expect, it } from "vitest";

import { codeOf, defaultsOf, run } from "./names-powers.js";
import { describeNames } from "./names-suite.js";
import { createWorld, describe as read, type World } from "./names-world.js";

describeNames("PGlite", () => openPglite({ dataDir: ":memory:" }));

const READ = 'const file = await mcp.fs.read({ path: "config.json" }); return JSON.parse(file.content);';

describe("AC1: a name when it is created", () => {
  it("is checked, given, and refused when another has it", async () => {
    await using world = await createWorld();
    const [first, second] = [await world.learn(READ), await world.learn("return mcp.fs.list({ path: '.' });")];
    await expect(world.names.assign({ capabilityId: first, name: "fs:Read" })).rejects.toMatchObject({
      code: "PML_NAME_INVALID",
      details: { rule: "action" },
    });
    const record = await world.names.assign({ capabilityId: first, name: "fs:read_json" });
    expect(record).toMatchObject({ displayName: "fs:read_json", capabilityId: first, version: 1 });
    expect(await world.store.get(first)).toMatchObject({ name: "fs:read_json" });
    await expect(world.names.assign({ capabilityId: second, name: "fs:read_json" })).rejects.toMatchObject({
      code: "PML_NAME_TAKEN",
    });
    await expect(world.names.assign({ capabilityId: first, name: "fs:other_name" })).rejects.toMatchObject({
      code: "PML_CONFLICT",
    });
    expect(await world.names.assign({ capabilityId: first, name: "fs:read_json" })).toEqual(record);
  });
});

describe("AC2: calling by name", () => {
  it("runs the code with arguments over its defaults", async () => {
    await using world = await createWorld();
    await world.names.assign({ capabilityId: await world.learn(READ), name: "fs:read_json" });
    const { capability } = await world.names.resolve("fs:read_json");
    const tools = [{ id: "fs:read", call: (input: unknown) => ({ content: JSON.stringify(input) }) }];
    const call = (args: object): Promise<unknown> =>
      run(world.sandbox, { code: codeOf(capability), tools, args: { ...defaultsOf(capability), ...args } });
    expect(await call({})).toMatchObject({ status: "success", value: { path: "config.json" } });
    expect(await call({ path: "settings.json" })).toMatchObject({
      status: "success",
      value: { path: "settings.json" },
    });
  });
});

describe("AC3: names that nobody gave", () => {
  it("are unnamed_<hash>, can be called, and bring curation about after so many", async () => {
    await using world = await createWorld({ curation: { after: 3, strategy: "auto" } });
    const id = await world.learn(READ, { intent: "read the settings" });
    const [listed] = await world.names.listCapabilities();
    expect(listed?.name).toMatch(/^unnamed_[0-9a-f]{16}$/);
    expect(await world.names.resolve(listed?.name ?? "")).toMatchObject({ capability: { id }, via: "unnamed" });
    expect(await world.names.curateWhenDue()).toBeUndefined();
    await world.learn("return mcp.fs.list({ path: '.' });", { intent: "list the folder" });
    expect(await world.names.curateWhenDue()).toBeUndefined();
    await world.learn("return mcp.http.get({ url: 'https://a.b' });", { intent: "fetch the front page" });
    const report = await world.names.curateWhenDue();
    expect(report?.applied.map(({ name }) => name).sort()).toEqual([
      "api:fetch_front_page",
      "fs:list_folder",
      "fs:read_settings",
    ]);
    expect(await world.names.curateWhenDue()).toBeUndefined();
    expect(await world.names.resolve(listed?.name ?? "")).toMatchObject({ capability: { id } });
  });

  it("are counted anew after each time, when suggestions are left alone", async () => {
    await using world = await createWorld({ curation: { after: 2 } });
    const due = async (): Promise<boolean> => (await world.names.curateWhenDue()) !== undefined;
    const seen: boolean[] = [];
    for (const path of ["a", "b", "c", "d"]) {
      await world.learn(`return mcp.fs.read({ path: "${path}" });`, { intent: `read ${path}` });
      seen.push(await due());
    }
    expect(seen).toEqual([false, true, false, true]);
  });
});

describe("AC4: curation", () => {
  it("suggest proposes names that are free, changes nothing, and says why", async () => {
    await using world = await createWorld();
    const [first = "", second = "", third = ""] = await fill(world);
    const { suggestions, applied } = await world.names.curate({ strategy: "suggest" });
    const names = Object.fromEntries(suggestions.map(({ id, name }) => [id, name]));
    expect(names).toEqual({
      [first]: "fs:read_settings",
      [second]: "api:fetch_user",
      [third]: "fs:read_settings_host",
    });
    expect(suggestions[0]).toMatchObject({ by: "rule", namespace: "fs", reason: expect.stringContaining("fs:read") });
    expect(applied).toEqual([]);
    expect(await world.names.listCapabilities({ namedOnly: true })).toEqual([]);
  });

  it("auto gives them, apply gives those it is told, and both go on after a failure", async () => {
    await using world = await createWorld();
    const [first = "", second = "", third = ""] = await fill(world);
    const renames = [
      { id: first, name: "fs:load_settings" },
      { id: second, name: "fs:load_settings" },
      { id: third, name: "Not A Name" },
    ];
    const report = await world.names.curate({ strategy: "apply", renames });
    expect(report.applied).toEqual([{ id: first, from: expect.stringMatching(/^unnamed_/), name: "fs:load_settings" }]);
    expect(report.failed).toMatchObject([
      { id: second, code: "PML_NAME_TAKEN" },
      { id: third, code: "PML_NAME_INVALID" },
    ]);
    const auto = await world.names.curate({ strategy: "auto" });
    expect(auto.applied.map(({ name }) => name).sort()).toEqual(["api:fetch_user", "fs:read_settings"]);
    expect((await world.names.whois("fs:read_settings")).renames).toMatchObject([{ by: "curation" }]);
  });

  it("goes by its filters", async () => {
    await using world = await createWorld();
    const [first = ""] = await fill(world);
    const idsOf = async (filter: object): Promise<string[]> =>
      (await world.names.curate({ strategy: "suggest", filter })).suggestions.map(({ id }) => id);
    expect(await idsOf({ minUsage: 3 })).toEqual([first]);
    expect(await idsOf({ namespace: "api" })).toHaveLength(1);
    await world.names.assign({ capabilityId: first, name: "fs:load_settings" });
    expect(await idsOf({})).toHaveLength(2);
    expect(await idsOf({ unnamedOnly: false })).toHaveLength(3);
  });

  it("asks the host's model, checks what it says, and falls back on the rules", async () => {
    const answers = new Map([
      ["fetch the user", "api:load_person"],
      ["read the settings of the app", "I would call it fs:read_settings."],
    ]);
    await using world = await createWorld({
      nameWith: ({ intent }) => {
        const answer = answers.get(intent);
        if (answer === undefined) throw new Error("no model");
        return answer;
      },
    });
    await fill(world);
    const { suggestions } = await world.names.curate({ strategy: "suggest" });
    expect(suggestions.map(({ name, by }) => `${name} ${by}`).sort()).toEqual([
      "api:load_person host",
      "fs:read_settings rule",
      "fs:read_settings_host rule",
    ]);
    expect(world.warnings).toHaveLength(2);
  });

  it("proposes one parent for what differs in values only, and makes it when told", async () => {
    await using world = await createWorld();
    const ids = [
      await world.learn(pickFrom("a.json", "name"), { intent: "read the name from a.json" }),
      await world.learn(pickFrom("b.json", "age"), { intent: "read the age from b.json" }),
      await world.learn(pickFrom("c.json", "name").replace("pick", "drop"), { intent: "read the rest from c.json" }),
    ];
    const { parents } = await world.names.curate({ strategy: "suggest" });
    expect(parents).toHaveLength(1);
    const [parent] = parents;
    expect(parent?.ids.sort()).toEqual(ids.slice(0, 2).sort());
    expect(Object.keys(parent?.parameters ?? {}).sort()).toEqual(["key", "path"]);
    const made = await world.names.curate({
      strategy: "apply",
      parents: [{ ids: parent?.ids ?? [], name: "fs:read_field" }],
    });
    expect(made.failed).toEqual([]);
    const { capability } = await world.names.resolve("fs:read_field");
    expect(Object.keys((capability.parameters as { properties: object }).properties).sort()).toEqual(["key", "path"]);
    const tools = [
      { id: "fs:read", call: (input: unknown) => ({ content: (input as { path: string }).path }) },
      { id: "json:pick", call: (input: unknown) => input },
    ];
    const args = { ...defaultsOf(capability), path: "b.json", key: "age" };
    expect(await run(world.sandbox, { code: codeOf(capability), tools, args })).toMatchObject({
      value: { json: "b.json", key: "age" },
    });
  });

  it("never takes two different requests for one, though only a value differs", async () => {
    await using world = await createWorld();
    for (const [method, intent] of [
      ["GET", "get the user"],
      ["DELETE", "delete the user"],
    ])
      await world.learn(`return mcp.http.request({ method: "${method}" });`, { intent: intent ?? "" });
    expect((await world.names.curate({ strategy: "suggest" })).parents).toEqual([]);
  });
});

describe("AC5: listing", () => {
  it("shows names, filters by namespace and sorts", async () => {
    await using world = await createWorld();
    const [a, b] = [
      await world.learn(READ, { description: "Reads JSON" }),
      await world.learn("return mcp.fs.list({});", { runs: 3 }),
    ];
    world.clock.now = new Date("2025-12-21T12:00:00Z");
    const c = await world.learn("return mcp.http.get({ url: 'u' });", { runs: 2 });
    await world.store.put({ ...read("return mcp.fs.stat({});"), intent: "a draft" });
    await world.names.assign({ capabilityId: a, name: "fs:read_json" });
    await world.names.assign({ capabilityId: c, name: "api:get_page" });
    const namesOf = async (options?: object): Promise<string[]> =>
      (await world.names.listCapabilities(options)).map(({ name }) => name.replace(/_[0-9a-f]{16}$/, ""));
    expect(await namesOf()).toEqual(["api:get_page", "fs:read_json", "unnamed"]);
    expect(await namesOf({ namedOnly: true, sortBy: "usage" })).toEqual(["api:get_page", "fs:read_json"]);
    expect(await namesOf({ sortBy: "usage" })).toEqual(["unnamed", "api:get_page", "fs:read_json"]);
    expect((await namesOf({ sortBy: "created" }))[0]).toBe("api:get_page");
    expect(await namesOf({ namespace: "fs" })).toEqual(["fs:read_json"]);
    expect(await namesOf({ includeDrafts: true })).toHaveLength(4);
    expect((await world.names.listCapabilities({ namespace: "fs" }))[0]).toMatchObject({
      id: a,
      description: "Reads JSON",
      usageCount: 1,
      successRate: 1,
      parameters: ["path"],
    });
    expect(b).toBeDefined();
  });
});

describe("AC6: discovery", () => {
  it("shows a name that can be called as it is", async () => {
    await using world = await createWorld();
    const id = await world.learn(READ, { intent: "read the settings" });
    await world.names.assign({ capabilityId: id, name: "fs:read_settings" });
    const [match] = await world.store.searchByIntent("read the settings");
    expect(match?.capability.name).toBe("fs:read_settings");
    expect(await world.names.resolve(match?.capability.name ?? "")).toMatchObject({ capability: { id } });
  });
});

async function fill(world: World): Promise<string[]> {
  return [
    await world.learn(READ, { intent: "read the settings of the app", runs: 5 }),
    await world.learn("return mcp.http.get({ url: 'https://a.b' });", { intent: "fetch the user", runs: 2 }),
    await world.learn("return mcp.fs.read({ path: 'settings' });", { intent: "read the settings of the host" }),
  ];
}

function pickFrom(path: string, key: string): string {
  return `const file = await mcp.fs.read({ path: "${path}" });\nreturn mcp.json.pick({ json: file.content, key: "${key}" });`;
}
