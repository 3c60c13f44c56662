import type { SuccessAnswer } from "@pml/core";
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
      (await pml.tools.listInvalidations()).map(({ trigger, toolId, entries }) => [trigger, toolId, entries]),
    ).toEqual([
      ["tool_schema_change", "fs:read", 1],
      ["tool_removed", "fs:read", 1],
    ]);
  });

  it("are cleared for a capability at its third failure", async () => {
    const { tools, files } = createFileTools();
    const pml = await open({ tools });
    await pml.execute({ intent: "read", code: READ, name: "fs:read_name" });
    await pml.execute({ capability: "fs:read_name", args: { path: "b.json" } });
    files.delete("none");
    for (let time = 0; time < 3; time++) await pml.execute({ capability: "fs:read_name", args: { path: "none" } });
    expect(await pml.tools.listInvalidations()).toMatchObject([{ trigger: "failures", entries: 1 }]);
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
