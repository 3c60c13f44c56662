import { type Database, findDominantPath, openPglite, type Queryable, type SuccessAnswer } from "@pml/core";
import { afterAll, describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open } = usePml();
const shared = openPglite({ dataDir: ":memory:" });
afterAll(async () => (await shared).close());

/** A database in which statements that match fail, for as long as there is something to match. */
async function createBroken(): Promise<{ database: Database; fail: { on: RegExp | undefined } }> {
  const real = await shared;
  const fail: { on: RegExp | undefined } = { on: undefined };
  const guard = (queryable: Queryable): Queryable => ({
    query(sql, parameters) {
      if (fail.on?.test(sql) === true) return Promise.reject(new Error("the disk is gone"));
      return queryable.query(sql, parameters);
    },
    exec: (sql) => queryable.exec(sql),
  });
  const database: Database = {
    ...guard(real),
    transaction: (work) => real.transaction((transaction) => work(guard(transaction))),
    listen: (channel, listener) => real.listen(channel, listener),
    close: async () => {},
  };
  return { database, fail };
}

const CODE = `const file = await mcp.fs.read({ path: args.path }); return JSON.parse(file.content).name;`;
let projects = 0;

describe("what a run teaches is written in one transaction", () => {
  it.each([
    ["the trace", /insert into execution_trace/],
    ["the counts of the capability", /update workflow_pattern set usage_count/],
    ["the path", /insert into learned_path/],
    ["the types of results", /insert into learned_type/],
    ["the past intent", /insert into intent_memory/],
    ["what rests on what", /insert into learned_from/],
    ["the full results", /insert into task_result/],
  ])("so that if %s cannot be, nothing of it is there, and the run has its result all the same", async (_, on) => {
    const { database, fail } = await createBroken();
    const pml = await open({ tools: createFileTools().tools, database, scope: { project: `broken-${projects++}` } });
    fail.on = on;
    const answer = await pml.execute({ intent: "read a name", code: CODE, context: { path: "a.json" } });
    expect(answer).toMatchObject({
      status: "success",
      result: "a",
      warnings: [expect.stringContaining("not recorded")],
    });
    fail.on = undefined;
    expect(await pml.store.listTraces()).toEqual([]);
    expect(await pml.store.listPastIntents()).toEqual([]);
    expect(await pml.store.listToolUsage()).toEqual([]);
    expect(await pml.store.list()).toMatchObject([{ status: "draft", statistics: { usageCount: 0 } }]);
    const { workflowId } = answer;
    await expect(pml.getTaskResult({ workflowId, taskId: "n1" })).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
    expect(pml.graph.hasNode("fs:read")).toBe(false);
    expect(await pml.execute({ intent: "read a name", code: CODE, context: { path: "a.json" } })).toMatchObject({
      status: "success",
    });
    expect(await pml.store.list()).toMatchObject([{ status: "active", statistics: { usageCount: 1 } }]);
  });
});

describe("what runs add up to", () => {
  const BRANCHES = `const file = await mcp.fs.read({ path: args.path });
    if (file.content.length > 12) return (await mcp.fs.write({ path: "long", content: file.content })).written;
    return "short";`;

  it("is counted by way, with how decisions went, and the way that most took; failures count too", async () => {
    const { tools, files } = createFileTools();
    files.set("long.json", '{"name":"a long one"}');
    const pml = await open({ tools, cache: { enabled: false } });
    const { capabilityId = "" } = (await pml.execute({
      intent: "copy what is long",
      code: BRANCHES,
      context: { path: "a.json" },
    })) as SuccessAnswer;
    for (const path of ["b.json", "long.json", "none"]) await pml.execute({ capability: capabilityId, args: { path } });
    const { learning, statistics } = await pml.store.get(capabilityId);
    expect(learning.paths.map(({ nodes, count, successes }) => [nodes, count, successes])).toEqual([
      [["n1", "d1"], 2, 2],
      [["n1", "d1", "n2"], 1, 1],
      [["n1"], 1, 0],
    ]);
    expect(learning.decisions).toEqual([
      { nodeId: "d1", outcome: "false", count: 2 },
      { nodeId: "d1", outcome: "true", count: 1 },
    ]);
    expect(findDominantPath(learning)).toEqual(["n1", "d1"]);
    expect(statistics).toMatchObject({ usageCount: 4, successCount: 3, failureCount: 1, consecutiveFailures: 1 });
    const { results } = await pml.discover({ intent: "copy what is long", filter: { type: "capability" } });
    const [found] = results;
    expect(found).toMatchObject({ id: capabilityId, reliability: 12 / 14 });
    const { low = 1, high = 0 } = found?.type === "capability" ? found.reliabilityInterval : {};
    expect(low).toBeLessThan(0.75);
    expect(high).toBeGreaterThan(0.75);
    const [failed] = await pml.store.listTraces({ capabilityId });
    expect(failed).toMatchObject({ success: false, tasks: [{ tool: "fs:read", success: false }] });
  });
});
