import type { PmlError } from "@pml/core";
import { CapabilityStore, type Database, type ListOptions, type NewCapability, type StoreOptions } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { describeInput } from "./store-input-suite.js";
import { describeLearning } from "./store-learning-suite.js";
import { describeSharing } from "./store-sharing-suite.js";

/** What a store does, whatever database is behind it. Each call of `open` gives an empty one. */
export function describeStore(name: string, open: () => Promise<Database>): void {
  const create = async (options: Partial<StoreOptions> = {}): Promise<CapabilityStore> =>
    CapabilityStore.open({ database: await open(), embedder: createHashEmbedder(), ...options });

  describe(`a store on ${name}`, () => {
    let store: CapabilityStore;
    const warnings: string[] = [];
    let serial = 0;
    const code = (given: Partial<NewCapability> = {}): NewCapability => ({
      source: { type: "code", code: `return mcp.fs.read({ path: "file-${++serial}.json" });` },
      intent: `read the file number ${serial}`,
      ...given,
    });
    const putOne = async (given: Partial<NewCapability> = {}): Promise<string> =>
      (await store.put(code(given))).capability.id;
    const run = (capabilityId: string, success = true): Promise<unknown> =>
      store.recordRun({ trace: { capabilityId, success, startedAt: new Date(), durationMs: 10 } });

    const contain = (from: string, to: string): Promise<unknown> =>
      store.addDependency({ fromCapabilityId: from, toCapabilityId: to, edgeType: "contains" });

    beforeAll(async () => {
      store = await create({ warn: (message) => warnings.push(message) });
    });
    afterAll(() => store.close());

    it.each<[string, NewCapability["source"]]>([
      ["code", { type: "code", code: "return mcp.a.b({ c: 1 });" }],
      ["a DAG", { type: "dag", dagStructure: { tasks: [{ id: "t1", tool: "a:b", arguments: {}, dependsOn: [] }] } }],
      ["a tool", { type: "tool", toolId: "a:b", defaultArgs: { c: 1 } }],
    ])("keeps %s as it was given", async (_, source) => {
      const { capability } = await store.put({ source, intent: "do it", toolsUsed: ["a:b"] });
      expect(await store.get(capability.id)).toEqual(capability);
      expect(capability).toMatchObject({ source, intent: "do it", status: "draft", toolsUsed: ["a:b"] });
    });

    it("stores the same code once, whatever its layout", async () => {
      const first = await store.put({ source: { type: "code", code: "return mcp.x.y({ z: 2 })" }, intent: "one" });
      const again = await store.put({
        source: { type: "code", code: "// again\nreturn  mcp.x.y({ z: 2 });" },
        intent: "two",
      });
      expect(again).toMatchObject({ created: false, capability: { id: first.capability.id, intent: "one" } });
    });

    it("makes a draft active when somebody creates it by hand", async () => {
      const given = code();
      const { capability } = await store.put(given);
      expect(await store.create(given)).toMatchObject({
        created: false,
        capability: { id: capability.id, status: "active" },
      });
      expect(await store.put(given)).toMatchObject({ capability: { status: "active" } });
    });

    it("makes a draft active with its first success in which every call succeeded", async () => {
      const id = await putOne();
      await run(id, false);
      expect((await store.get(id)).status).toBe("draft");
      await store.recordRun({
        trace: { capabilityId: id, success: true, allCallsSucceeded: false, startedAt: new Date(), durationMs: 1 },
      });
      expect((await store.get(id)).status).toBe("draft");
      await run(id);
      expect(await store.get(id)).toMatchObject({
        status: "active",
        statistics: { usageCount: 3, successCount: 2, failureCount: 1, consecutiveFailures: 0 },
      });
    });

    it("degrades what fails three times in a row, until one success", async () => {
      const id = await putOne();
      await run(id);
      for (const expected of ["active", "active", "degraded", "degraded"] as const) {
        await run(id, false);
        expect((await store.get(id)).status).toBe(expected);
      }
      await run(id);
      expect((await store.get(id)).status).toBe("active");
    });

    it("does not count what says nothing of the capability", async () => {
      const id = await putOne();
      await store.recordRun({
        counts: false,
        trace: { capabilityId: id, success: false, startedAt: new Date(), durationMs: 1 },
      });
      expect((await store.get(id)).statistics).toMatchObject({
        usageCount: 0,
        failureCount: 0,
        successRate: undefined,
      });
    });

    it("finds active capabilities by intent, never drafts", async () => {
      const active = await putOne({ intent: "convert the invoice to a spreadsheet" });
      await putOne({ intent: "convert the invoice to a spreadsheet now" });
      await run(active);
      const found = await store.searchByIntent("convert the invoice to a spreadsheet", { limit: 5 });
      expect(found[0]).toMatchObject({ capability: { id: active } });
      expect(found.every(({ capability }) => capability.status === "active")).toBe(true);
    });

    it("returns what a capability depends on with it", async () => {
      const [report, data] = [await putOne({ intent: "weekly report of sales" }), await putOne()];
      await run(report);
      await store.addDependency({ fromCapabilityId: report, toCapabilityId: data, edgeType: "dependency" });
      const [first] = await store.searchByIntentWithDeps("weekly report of sales", { limit: 1 });
      expect(first?.dependencies.map(({ id }) => id)).toEqual([data]);
    });

    it("makes an inferred edge an observed one at three observations", async () => {
      const [from, to] = [await putOne(), await putOne()];
      const edge = { fromCapabilityId: from, toCapabilityId: to, edgeType: "sequence" as const };
      expect(await store.addDependency(edge)).toMatchObject({
        edgeSource: "inferred",
        observedCount: 1,
        confidenceScore: 0.7,
      });
      expect(await store.addDependency(edge)).toMatchObject({ edgeSource: "inferred", observedCount: 2 });
      await store.updateDependency({ from, to });
      expect(await store.getDependencies(from, "from")).toMatchObject([
        { edgeSource: "observed", observedCount: 3, confidenceScore: 1 },
      ]);
    });

    it("refuses to create an edge that is there, and does not count that as an observation", async () => {
      const [from, to] = [await putOne(), await putOne()];
      const edge = { fromCapabilityId: from, toCapabilityId: to, edgeType: "alternative" as const };
      await store.createDependency(edge);
      const again = [edge, { ...edge, fromCapabilityId: to, toCapabilityId: from }, edge];
      const refused = await Promise.allSettled(again.map((each) => store.createDependency(each)));
      expect(refused.map((each) => each.status === "rejected" && (each.reason as PmlError).code)).toEqual(
        again.map(() => "PML_CONFLICT"),
      );
      expect(await store.getDependencies(from)).toMatchObject([{ observedCount: 1, edgeSource: "inferred" }]);
    });

    it("counts the dependencies of many at once as it counts those of one", async () => {
      const [a, b, c] = [await putOne(), await putOne(), await putOne()];
      await store.addDependency({ fromCapabilityId: a, toCapabilityId: b, edgeType: "sequence" });
      await store.addDependency({ fromCapabilityId: b, toCapabilityId: a, edgeType: "alternative" });
      const counts = await store.listDependencyCounts([a, b, c, a]);
      expect(Object.fromEntries(counts)).toEqual({ [a]: 2, [b]: 2 });
      expect(await store.getDependenciesCount(a)).toBe(2);
    });

    it("lists what passes every filter, and counts it", async () => {
      const [good, bad, unused] = [await putOne(), await putOne(), await putOne()];
      for (const success of [true, true]) await run(good, success);
      for (const success of [true, false, false]) await run(bad, success);
      const ids = async (options: ListOptions): Promise<string[]> => {
        const found = (await store.list({ ...options, limit: 1000 })).map(({ id }) => id);
        expect(await store.count({ ...options, limit: 1 })).toBe(found.length);
        return [good, bad, unused].filter((id) => found.includes(id));
      };
      expect(await ids({})).toEqual([good, bad, unused]);
      expect(await ids({ status: "draft" })).toEqual([unused]);
      expect(await ids({ minUsage: 3 })).toEqual([bad]);
      expect(await ids({ minSuccessRate: 0.5 })).toEqual([good]);
      expect(await ids({ minSuccessRate: 0 })).toEqual([good, bad]);
      expect(await ids({ currentOnly: true, status: "active" })).toEqual([good, bad]);
    });

    it("lets two capabilities depend on each other, in each direction and type", async () => {
      const [a, b] = [await putOne(), await putOne()];
      await store.addDependency({ fromCapabilityId: a, toCapabilityId: b, edgeType: "sequence" });
      await store.addDependency({ fromCapabilityId: b, toCapabilityId: a, edgeType: "sequence", edgeSource: "manual" });
      await store.addDependency({ fromCapabilityId: a, toCapabilityId: b, edgeType: "alternative" });
      expect(await store.getDependenciesCount(a)).toBe(3);
      expect(await store.getDependencies(a, "to")).toMatchObject([
        { edgeType: "sequence", edgeSource: "manual", confidenceScore: 1 },
        { edgeType: "alternative", fromCapabilityId: b, toCapabilityId: a },
      ]);
      await store.removeDependency({ from: b, to: a, type: "alternative" });
      expect(await store.getDependenciesCount(a)).toBe(2);
      expect((await store.getAllDependencies(0.9)).every(({ confidenceScore }) => confidenceScore >= 0.9)).toBe(true);
    });

    it("warns when capabilities contain each other in a circle", async () => {
      const [a, b, c] = [await putOne(), await putOne(), await putOne()];
      await contain(a, b);
      await contain(b, c);
      expect(warnings).toEqual([]);
      await contain(c, a);
      expect(warnings).toHaveLength(1);
      await store.recordRun({
        trace: { success: true, startedAt: new Date(), durationMs: 1 },
        capabilityDependencies: [{ fromCapabilityId: b, toCapabilityId: a, edgeType: "contains" }],
      });
      expect(warnings, "a run that shows a circle too").toHaveLength(2);
    });

    it("removes the edges of a capability with it", async () => {
      const [a, b] = [await putOne(), await putOne()];
      await store.addDependency({ fromCapabilityId: a, toCapabilityId: b, edgeType: "dependency" });
      await store.remove(b);
      expect(await store.getDependencies(a)).toEqual([]);
      expect(await store.find(b)).toBeUndefined();
    });

    it("infers a sequence between capabilities that share half of their tools", async () => {
      const first = await putOne({ toolsUsed: ["share:a", "share:b"] });
      const other = await putOne({ toolsUsed: ["share:a", "else:c", "else:d"] });
      const second = await putOne({ toolsUsed: ["share:b"] });
      const edges = await store.getDependencies(second, "from");
      expect(edges.map(({ toCapabilityId }) => toCapabilityId)).toEqual([first]);
      expect(edges[0]).toMatchObject({ edgeType: "sequence", edgeSource: "inferred" });
      expect(await store.getDependencies(other, "to")).toEqual([]);
    });

    it("keeps a run whole: trace, statistics, edges and results, or nothing", async () => {
      const id = await putOne();
      const workflowId = crypto.randomUUID();
      const { traceId } = await store.recordRun({
        trace: {
          capabilityId: id,
          workflowId,
          intent: "do it",
          success: true,
          startedAt: new Date(5),
          durationMs: 7,
          args: { path: "a\0b \ud800" },
          result: [1, null],
          executedPath: ["n1"],
          decisions: [{ nodeId: "d1", outcome: "true" }],
          tasks: [
            { taskId: "t1", tool: "fs:read", success: true, startedAtMs: 5, durationMs: 2, result: { content: "x" } },
          ],
        },
        toolDependencies: [{ fromToolId: "fs:read", toToolId: "json:parse", edgeType: "dependency" }],
        taskResults: [{ taskId: "t1", result: { content: "x" } }],
      });
      expect(await store.getTrace(traceId)).toMatchObject({
        args: { path: "a\0b \ud800" },
        result: [1, null],
        executedPath: ["n1"],
        startedAt: new Date(5),
        createdBy: "local",
      });
      expect(await store.findTaskResult(workflowId, "t1")).toEqual({ result: { content: "x" } });

      const before = (await store.get(id)).statistics;
      const missing = crypto.randomUUID();
      const broken = store.recordRun({
        trace: { capabilityId: id, success: true, startedAt: new Date(), durationMs: 1 },
        capabilityDependencies: [{ fromCapabilityId: id, toCapabilityId: missing, edgeType: "contains" }],
      });
      await expect(broken).rejects.toMatchObject({ code: "PML_CONFLICT" });
      expect((await store.get(id)).statistics).toEqual(before);
      expect(await store.listTraces({ capabilityId: id })).toHaveLength(1);
    });

    it("forgets results that have expired, and old traces, but not what they taught", async () => {
      let now = new Date("2026-01-01T00:00:00Z");
      const own = await create({ now: () => now });
      const { capability } = await own.put(code());
      const workflowId = crypto.randomUUID();
      await own.recordRun({
        trace: { capabilityId: capability.id, workflowId, success: true, startedAt: now, durationMs: 1 },
        taskResults: [{ taskId: "t1", result: 1 }],
      });
      now = new Date("2026-01-01T02:00:00Z");
      expect(await own.findTaskResult(workflowId, "t1")).toBeUndefined();
      expect(await own.retain({ maxAgeMs: 60 * 60 * 1000 })).toEqual({ traces: 1, taskResults: 1 });
      expect((await own.get(capability.id)).statistics.usageCount).toBe(1);
      await own.close();
    });

    it("keeps the newest traces up to a number of bytes", async () => {
      const own = await create();
      for (let second = 0; second < 5; second++)
        await own.recordRun({
          trace: { success: true, startedAt: new Date(second * 1000), durationMs: 1, args: { text: "x".repeat(1000) } },
        });
      expect(await own.retain({ maxBytes: 2500 })).toMatchObject({ traces: 3 });
      expect((await own.listTraces()).map(({ startedAt }) => startedAt.getTime())).toEqual([4000, 3000]);
      await own.close();
    });

    it("raises a tool's version with its schema, not with its description", async () => {
      const tool = {
        id: "fs:read",
        description: "Reads a file",
        inputSchema: { type: "object", properties: { b: {}, a: {} } },
      };
      await store.putTools([tool]);
      await store.putTools([
        { ...tool, description: "Reads any file", inputSchema: { properties: { a: {}, b: {} }, type: "object" } },
      ]);
      expect((await store.listTools()).find(({ id }) => id === "fs:read")).toMatchObject({
        version: 1,
        description: "Reads any file",
      });
      const [changed] = await store.putTools([{ ...tool, inputSchema: { type: "object" } }]);
      expect(changed).toMatchObject({ version: 2, available: true });
      await store.setToolAvailable("fs:read", false);
      expect((await store.listTools()).find(({ id }) => id === "fs:read")?.available).toBe(false);
    });

    it("lists those with a name, by namespace, usage or time", async () => {
      const own = await create();
      for (const name of ["fs:read_json", "fs:write_json", "api:get_user", "fsx:other"])
        await own.create(code({ name }));
      await own.create(code());
      expect((await own.listNamed({ namespace: "fs" })).map(({ name }) => name)).toEqual([
        "fs:read_json",
        "fs:write_json",
      ]);
      expect(await own.listNamed()).toHaveLength(4);
      expect(await own.list({ limit: 2, offset: 4 })).toHaveLength(1);
      await expect(own.create(code({ name: "fs:read_json" }))).rejects.toMatchObject({ code: "PML_CONFLICT" });
      await own.close();
    });
  });
  describeLearning(name, open);
  describeInput(name, open);
  describeSharing(name, open);
}
