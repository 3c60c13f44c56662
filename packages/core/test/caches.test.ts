import type { Pml, SuccessAnswer } from "@pml/core";
import { describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open, model } = usePml();
const READ = `const file = await mcp.fs.read({ path: "a.json" }); return JSON.parse(file.content).name;`;
const hitOf = (answer: unknown): string | undefined => (answer as SuccessAnswer).cacheHit;

describe("the caches", () => {
  it("answer the same code with the same context, and say so", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools });
    await pml.execute({ intent: "read", code: READ });
    const again = await pml.execute({ intent: "read", code: READ });
    expect(again).toMatchObject({ status: "success", result: "a", cacheHit: "exact" });
    expect(calls).toHaveLength(1);
    const other = await pml.execute({ intent: "read", code: READ, context: { other: 1 } });
    expect(hitOf(other)).toBeUndefined();
    expect(pml.metrics()).toMatchObject({ cacheLookups: 3, cacheHits: 1 });
  });

  it("answer a capability with the same arguments after a restart of the first level", async () => {
    let now = new Date("2026-01-01T10:00:00Z");
    const { tools, calls } = createFileTools();
    const pml = await open({ tools, clock: () => now });
    await pml.execute({ intent: "read", code: READ, name: "fs:read_name" });
    await pml.execute({ capability: "fs:read_name", args: { path: "b.json" } });
    now = new Date("2026-01-01T10:10:00Z");
    const second = await pml.execute({ capability: "fs:read_name", args: { path: "b.json" } });
    expect(second).toMatchObject({ result: "b", cacheHit: "capability" });
    now = new Date("2026-01-01T11:00:00Z");
    expect(hitOf(await pml.execute({ capability: "fs:read_name", args: { path: "b.json" } }))).toBeUndefined();
    expect(calls).toHaveLength(3);
  });

  it("never answer for a run with side effects", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools });
    const code = `return mcp.fs.write({ path: "c", content: "1" })`;
    await pml.execute({ intent: "write", code });
    expect(hitOf(await pml.execute({ intent: "write", code }))).toBeUndefined();
    expect(calls).toHaveLength(2);
  });

  it("are emptied of what rests on a tool whose schema changes, or that is gone, and that is written down", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools });
    await pml.execute({ intent: "read", code: READ, name: "fs:read_name" });
    await pml.execute({ capability: "fs:read_name" });
    const read = pml.tools.get("fs:read");
    await pml.tools.update({
      ...read,
      inputSchema: { type: "object", properties: { path: { type: "string", minLength: 1 } } },
    });
    expect(hitOf(await pml.execute({ capability: "fs:read_name" }))).toBeUndefined();
    await pml.tools.remove("fs:read");
    expect(
      (await pml.cache.listInvalidations()).map(({ trigger, toolId, entries }) => [trigger, toolId, entries]),
    ).toEqual([
      // The code and the capability in memory, and the capability on disk; then the capability in both.
      ["tool_schema_change", "fs:read", 3],
      ["tool_removed", "fs:read", 2],
    ]);
  });

  it("are cleared for a capability at its third failure", async () => {
    const { tools, files } = createFileTools();
    const pml = await open({ tools });
    await pml.execute({ intent: "read", code: READ, name: "fs:read_name" });
    await pml.execute({ capability: "fs:read_name", args: { path: "b.json" } });
    files.delete("none");
    for (let time = 0; time < 3; time++) await pml.execute({ capability: "fs:read_name", args: { path: "none" } });
    expect(await pml.cache.listInvalidations()).toMatchObject([{ trigger: "failures", entries: 3 }]);
    expect((await pml.store.listNamed())[0]).toMatchObject({ status: "degraded" });
  });

  it("keep no more of a capability than it says", async () => {
    const { tools, files } = createFileTools();
    for (const name of ["1", "2", "3"]) files.set(name, `{"name":"${name}"}`);
    let now = new Date("2026-01-01");
    const pml = await open({
      tools,
      clock: () => now,
      cache: { exact: { maxEntries: 1 }, capability: { maxEntries: 2 } },
    });
    await pml.execute({ intent: "read", code: READ, name: "fs:read_name" });
    const run = (path: string): Promise<unknown> => pml.execute({ capability: "fs:read_name", args: { path } });
    for (const path of ["1", "2", "3"]) {
      now = new Date(now.getTime() + 1000);
      await run(path);
    }
    expect([hitOf(await run("2")), hitOf(await run("1"))]).toEqual(["capability", undefined]);
  });

  it("can be switched off, for all or for one call", async () => {
    const { tools, calls } = createFileTools();
    const off = await open({ tools, cache: { enabled: false } });
    await off.execute({ intent: "read", code: READ });
    await off.execute({ intent: "read", code: READ });
    const on = await open({ tools });
    await on.execute({ intent: "read", code: READ });
    await on.execute({ intent: "read", code: READ, cache: false });
    expect(calls).toHaveLength(4);
  });

  it("answer an intent that means the same, for the same context only, where that is switched on", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools, embedder: model, cache: { intent: {} } });
    await pml.execute({ intent: "read the name in the json file", code: READ, context: { path: "a.json" } });
    const same = await pml.execute({ intent: "read the name in the json file", context: { path: "a.json" } });
    expect(same).toMatchObject({ status: "success", cacheHit: "intent" });
    expect(calls).toHaveLength(1);
    const other = await pml.execute({ intent: "read the name in the json file", context: { path: "b.json" } });
    expect(other).toMatchObject({ status: "success", result: "b" });
  });
});

describe("what is kept", () => {
  it("is a copy: what one caller does to it does not reach the next", async () => {
    const pml = await open({ tools: createFileTools().tools });
    const code = `return { list: [(await mcp.fs.read({ path: "a.json" })).content] }`;
    for (let time = 0; time < 3; time++) {
      const { result } = (await pml.execute({ intent: "x", code })) as { result: { list: unknown[] } };
      expect(result.list).toHaveLength(1);
      result.list.push("mine");
    }
  });

  it.each([
    ["the clock", "return Date.now()"],
    ["random numbers", "return Math.random()"],
  ])("is nothing that depends on %s", async (_, code) => {
    const pml = await open();
    const first = await pml.execute({ intent: "x", code });
    await new Promise((done) => setTimeout(done, 5));
    const second = await pml.execute({ intent: "x", code });
    expect(hitOf(second)).toBeUndefined();
    expect((second as SuccessAnswer).result).not.toBe((first as SuccessAnswer).result);
  });

  it("is not given for other values of the same look", async () => {
    const pml = await open();
    const code = "return args.when.getUTCFullYear()";
    const yearOf = async (when: string): Promise<unknown> =>
      ((await pml.execute({ intent: "year", code, context: { when: new Date(when) } })) as SuccessAnswer).result;
    expect([await yearOf("2024-05-01"), await yearOf("2025-05-01")]).toEqual([2024, 2025]);
  });

  it("does not stand in the way of what a run is for besides its result: a capability, or its name", async () => {
    const pml = await open({ tools: createFileTools().tools });
    await pml.execute({ intent: "read", code: READ, learn: false });
    const learned = (await pml.execute({ intent: "read", code: READ })) as SuccessAnswer;
    expect((await pml.store.get(learned.capabilityId ?? "")).status).toBe("active");
    expect(hitOf(await pml.execute({ intent: "read", code: READ }))).toBe("exact");
    await pml.execute({ intent: "read", code: READ, name: "fs:read_name" });
    expect((await pml.capabilities.get("fs:read_name")).id).toBe(learned.capabilityId);
  });

  it("rests on what capabilities that are called stand for, and on the tools of those", async () => {
    const { tools, files } = createFileTools();
    const pml = await open({ tools });
    await pml.execute({ intent: "inner", code: READ, name: "fs:read_name" });
    const outer = `return capabilities.fs.read_name({}) `;
    const run = async (): Promise<[unknown, unknown]> => {
      const answer = await pml.execute({ capability: "fs:read_outer" });
      return [(answer as SuccessAnswer).result, hitOf(answer)];
    };
    await pml.execute({ intent: "outer", code: outer, name: "fs:read_outer" });
    expect(await run()).toEqual(["a", "exact"]);
    await pml.names.update("fs:read_name", { code: READ.replace("a.json", "b.json"), acceptDifferences: true });
    expect(await run()).toEqual(["b", undefined]);
    files.set("b.json", '{"name":"c"}');
    expect(await run()).toEqual(["b", "exact"]);
    const read = pml.tools.get("fs:read");
    await pml.tools.update({ ...read, inputSchema: { type: "object", properties: { path: { type: ["string"] } } } });
    expect(await run()).toEqual(["c", undefined]);
    const [change] = await pml.cache.listInvalidations();
    expect(change).toMatchObject({ trigger: "tool_schema_change", toolId: "fs:read" });
  });
});

async function make(
  cacheConfig: object,
  clock = (): Date => new Date(),
): Promise<{ run(): Promise<string | undefined>; pml: Pml }> {
  const pml = await open({ tools: createFileTools().tools, clock });
  await pml.capabilities.create({ intent: "read", code: READ, name: "fs:read_name", cacheConfig });
  return { pml, run: async () => hitOf(await pml.execute({ capability: "fs:read_name", intent: "read the name" })) };
}

describe("a capability's cacheConfig", () => {
  it.each([
    ["not cacheable", { cacheable: false }],
    ["of no key", { keyStrategy: "none" }],
    ["without time to live", { ttlSeconds: 0 }],
  ])("that says %s keeps nothing, at any level", async (_, cacheConfig) => {
    const { run } = await make(cacheConfig);
    expect([await run(), await run()]).toEqual([undefined, undefined]);
  });

  it("shortens how long a result is kept, at every level", async () => {
    let now = new Date("2026-01-01T10:00:00Z");
    const { run } = await make({ ttlSeconds: 60 }, () => now);
    await run();
    now = new Date("2026-01-01T10:00:50Z");
    expect(await run()).toBe("exact");
    now = new Date("2026-01-01T10:01:10Z");
    expect(await run()).toBeUndefined();
  });

  it("that ends with the day gives nothing of yesterday, and that is written down", async () => {
    let now = new Date("2026-01-01T23:59:00Z");
    const { run, pml } = await make({ invalidateOn: ["daily"], ttlSeconds: 86_400 }, () => now);
    await run();
    expect(await run()).toBe("exact");
    now = new Date("2026-01-02T00:00:30Z");
    expect(await run()).toBeUndefined();
    expect(await pml.cache.listInvalidations()).toMatchObject([{ trigger: "daily", entries: 1 }]);
  });

  it("that is invalidated by hand only outlives a change of a tool, on disk", async () => {
    const { run, pml } = await make({ invalidateOn: ["manual_only"] });
    await run();
    const read = pml.tools.get("fs:read");
    await pml.tools.update({ ...read, inputSchema: { type: "object", properties: { path: { type: ["string"] } } } });
    expect(await run()).toBe("capability");
    expect(await pml.cache.invalidate({ capability: "fs:read_name" })).toBe(1);
    expect(await run()).toBeUndefined();
  });

  it("by likeness of intents answers an intent that means the same, for the same context, though that is off for all", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools, embedder: model });
    const intent = "read the name in the json file";
    const cacheConfig = { keyStrategy: "intent_similarity" as const };
    await pml.capabilities.create({
      intent,
      code: "return JSON.parse((await mcp.fs.read({ path: args.path })).content).name",
      cacheConfig,
    });
    const context = { path: "a.json" };
    expect(hitOf(await pml.execute({ intent, context }))).toBeUndefined();
    expect(await pml.execute({ intent, context })).toMatchObject({ result: "a", cacheHit: "intent" });
    expect(await pml.execute({ intent, context, scope: { actor: "someone" } })).not.toMatchObject({
      cacheHit: "intent",
    });
    expect(await pml.execute({ intent, context: { path: "b.json" } })).toMatchObject({ result: "b" });
    expect(calls).toHaveLength(3);
  });
});

describe("invalidation by hand", () => {
  it("throws out what is kept of a capability, of a tool, or of all, and says how much", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools });
    await pml.execute({ intent: "read", code: READ, name: "fs:read_name" });
    await pml.execute({ intent: "sum", code: "return 1 + 1" });
    const fill = (): Promise<unknown> => pml.execute({ capability: "fs:read_name" });
    await fill();
    expect(await pml.cache.invalidate({ capability: "fs:read_name" })).toBe(3);
    await fill();
    expect(await pml.cache.invalidate({ tool: "fs:read" })).toBe(2);
    await fill();
    expect(await pml.cache.invalidate()).toBe(3);
    expect((await pml.cache.listInvalidations()).map(({ trigger, entries }) => [trigger, entries])).toEqual([
      ["manual", 3],
      ["manual", 2],
      ["manual", 3],
    ]);
    await expect(pml.cache.invalidate({ capability: "no:such_one" })).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
  });
});

describe("the walls between projects", () => {
  it("stand in search, graph, caches, names and events", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools, embedder: model });
    const seen: string[] = [];
    pml.events((event) => seen.push(event.type));
    const scope = { project: "elsewhere" };
    const intent = "read the name in the json file a.json";
    await pml.execute({ intent, code: READ, name: "fs:read_name", scope });
    expect(seen).toEqual([]);
    expect((await pml.discover({ intent, filter: { type: "capability" } })).results).toEqual([]);
    expect((await pml.discover({ intent, filter: { type: "capability" }, scope })).results).toHaveLength(1);
    expect(pml.graph.listNodes()).toEqual([]);
    expect(await pml.execute({ capability: "fs:read_name" })).toMatchObject({ status: "error" });
    const own = await pml.execute({ intent, code: READ });
    expect(hitOf(own)).toBeUndefined();
    expect(calls).toHaveLength(2);
    expect(await pml.execute({ intent: "x", context: { path: "a.json" }, scope: { project: "third" } })).toMatchObject({
      status: "suggestions",
    });
  });
});
