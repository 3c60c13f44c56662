import { CapabilityStore, type Database, type NewCapability, type PutResult, type StoreOptions } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** What a store makes of runs and of code it knows, whatever database is behind it. */
export function describeLearning(name: string, open: () => Promise<Database>): void {
  const create = async (options: Partial<StoreOptions> = {}): Promise<CapabilityStore> =>
    CapabilityStore.open({ database: await open(), embedder: createHashEmbedder(), ...options });

  describe(`what a store learns on ${name}`, () => {
    let store: CapabilityStore;
    let serial = 0;
    const code = (given: Partial<NewCapability> = {}): NewCapability => ({
      source: { type: "code", code: `return mcp.fs.read({ path: "file-${++serial}.json" });` },
      intent: `read the file number ${serial}`,
      ...given,
    });
    const putOne = async (given: Partial<NewCapability> = {}): Promise<string> =>
      (await store.put(code(given))).capability.id;
    const run = (capabilityId: string): Promise<unknown> =>
      store.recordRun({ trace: { capabilityId, success: true, startedAt: new Date(), durationMs: 10 } });

    beforeAll(async () => {
      store = await create();
    });
    afterAll(() => store.close());

    it("stores an alternative once, and finds it from both ends", async () => {
      const [a, b] = [await putOne(), await putOne()];
      const told = { fromCapabilityId: a, toCapabilityId: b, edgeType: "alternative" as const };
      expect(await store.addDependency(told)).toMatchObject({ ...told, observedCount: 1 });
      const back = { fromCapabilityId: b, toCapabilityId: a, edgeType: "alternative" as const };
      expect(await store.addDependency(back)).toMatchObject({ ...back, observedCount: 2 });
      for (const [id, other] of [
        [a, b],
        [b, a],
      ] as const)
        for (const direction of ["from", "both"] as const)
          expect(await store.getDependencies(id, direction)).toMatchObject([
            { fromCapabilityId: id, toCapabilityId: other },
          ]);
      await store.updateDependency({ from: b, to: a, type: "alternative" });
      expect(await store.getDependencies(a, "to")).toMatchObject([{ edgeSource: "observed", observedCount: 3 }]);
    });

    it("lets a surer source replace a less sure one, and never the other way round", async () => {
      const [a, b] = [await putOne(), await putOne()];
      const add = async (edgeSource: "template" | "inferred" | "manual"): Promise<[string, number]> => {
        const edge = await store.addDependency({
          fromCapabilityId: a,
          toCapabilityId: b,
          edgeType: "dependency",
          edgeSource,
        });
        return [edge.edgeSource, edge.confidenceScore];
      };
      expect(await add("template")).toEqual(["template", 0.5]);
      expect(await add("inferred")).toEqual(["inferred", 0.7]);
      expect(await add("manual")).toEqual(["manual", 1]);
      expect(await add("template")).toEqual(["manual", 1]);
    });

    it("infers an alternative where one request is served with other tools, and offers it when it works", async () => {
      const intent = "translate the letter into Basque";
      const first = await putOne({ intent, toolsUsed: ["one:translate"] });
      const second = await putOne({ intent, toolsUsed: ["two:translate"] });
      const third = await putOne({ intent, toolsUsed: ["two:translate"] });
      const edges = (await store.getDependencies(second)).filter(({ edgeType }) => edgeType === "alternative");
      expect(edges).toMatchObject([{ fromCapabilityId: second, toCapabilityId: first, edgeSource: "inferred" }]);
      expect(await store.listAlternatives(first)).toEqual([]);
      await run(third);
      expect((await store.listAlternatives(first)).map(({ id }) => id)).toEqual([third]);
    });

    it("infers that code contains the capabilities it calls, by name or by hash", async () => {
      const named = await putOne({ name: "called:by_name" });
      const unnamed = (await store.put(code())).capability;
      const caller = await putOne({
        permissions: { tools: [], capabilities: ["called:by_name@v1", `unnamed_${unnamed.hash.slice(0, 12)}`] },
      });
      const edges = await store.getDependencies(caller, "from");
      expect(edges.map(({ edgeType, edgeSource }) => [edgeType, edgeSource])).toEqual([
        ["contains", "inferred"],
        ["contains", "inferred"],
      ]);
      expect(edges.map(({ toCapabilityId }) => toCapabilityId).sort()).toEqual([named, unnamed.id].sort());
    });

    it("keeps the twenty strongest of what shares tools, and none of the same shape", async () => {
      const own = await create();
      const put = async (given: Partial<NewCapability>): Promise<string> =>
        (await own.put(code({ toolsUsed: ["much:used"], ...given }))).capability.id;
      for (let count = 0; count < 25; count++) await put({});
      await put({ shape: "same", intent: "one thing" });
      const last = await put({ shape: "same", intent: "quite another" });
      const edges = await own.getDependencies(last, "from");
      expect(edges).toHaveLength(20);
      const shapes = await Promise.all(edges.map(async ({ toCapabilityId }) => (await own.get(toCapabilityId)).shape));
      expect(shapes).not.toContain("same");
      await own.close();
    });

    it("joins code of a known shape when it is for the same request, and keeps its literals as an example", async () => {
      const own = await create();
      const request = (method: string, intent: string): Promise<PutResult> =>
        own.put({
          source: { type: "code", code: `return mcp.http.request({ method: "${method}" });` },
          intent,
          shape: "http.request(method)",
          parameters: { type: "object", properties: { method: { type: "string", default: method } } },
        });
      const get = await request("GET", "call the users endpoint");
      const remove = await request("DELETE", "wipe all accounts");
      expect(remove).toMatchObject({ created: true, joined: false });
      const head = await request("HEAD", "call the users endpoint");
      expect(head).toMatchObject({ created: false, joined: true, capability: { id: get.capability.id } });
      expect(head.capability.source).toEqual(get.capability.source);
      expect(await own.listExamples(get.capability.id)).toMatchObject([{ literals: { method: "HEAD" } }]);
      const again = await request("HEAD", "something else altogether");
      expect(again, "the same hash never makes a second row").toMatchObject({
        created: false,
        joined: true,
        capability: { id: get.capability.id },
      });
      expect(await own.list()).toHaveLength(2);
      await own.close();
    });

    it("does not store code of the project a second time for one of its actors", async () => {
      const shared = code();
      const { capability } = await store.put(shared);
      const again = await store.put({ ...shared, visibility: "private" });
      expect(again).toMatchObject({ created: false, capability: { id: capability.id } });
    });

    it("knows which traces everything learned from runs rests on", async () => {
      const [id, other] = [await putOne(), await putOne()];
      const { traceId } = await store.recordRun({
        trace: { capabilityId: id, success: true, startedAt: new Date(), durationMs: 1 },
        toolDependencies: [{ fromToolId: "o:a", toToolId: "o:b", edgeType: "sequence" }],
        capabilityDependencies: [{ fromCapabilityId: id, toCapabilityId: other, edgeType: "sequence" }],
        pastIntent: { intent: "rest on a trace", toolIds: ["o:a", "o:b"] },
        learned: [{ kind: "learned_weights", key: "next" }],
      });
      const learned = await store.listLearnedFrom(traceId);
      expect(learned.map(({ kind }) => kind)).toEqual([
        "capability_dependency",
        "intent_memory",
        "learned_weights",
        "tool_dependency",
        "workflow_pattern",
      ]);
      for (const each of learned) expect(await store.listOrigins(each)).toEqual([traceId]);
    });

    it("remembers intents with what served them, once each", async () => {
      const own = await create();
      const { capability } = await own.put(code());
      const serve = (intent: string, capabilityId?: string): Promise<unknown> =>
        own.recordRun({
          trace: { success: true, startedAt: new Date(), durationMs: 1, ...(capabilityId && { capabilityId }) },
          pastIntent: { intent, toolIds: ["a:b"] },
        });
      await serve("feed the cat", capability.id);
      await serve("feed the cat", capability.id);
      await serve("feed the cat");
      const past = await own.listPastIntents();
      expect(past.map(({ uses }) => uses).sort()).toEqual([1, 2]);
      expect(past).toContainEqual(
        expect.objectContaining({ intent: "feed the cat", capabilityId: capability.id, toolIds: ["a:b"] }),
      );
      expect(past[0]?.vector).toHaveLength(64);
      await own.remove(capability.id);
      expect(await own.listPastIntents()).toHaveLength(1);
      await own.close();
    });

    it("reads back edges and usage of tools, thresholds and weights", async () => {
      const own = await create();
      const edge = { fromToolId: "t:a", toToolId: "t:b", edgeType: "dependency" as const };
      const tasks = [{ taskId: "1", tool: "t:a", success: false, startedAtMs: 0, durationMs: 4 }];
      for (let count = 0; count < 3; count++)
        await own.recordRun({
          trace: { success: true, startedAt: new Date(), durationMs: 1, tasks },
          toolDependencies: [edge],
        });
      expect(await own.listToolDependencies()).toMatchObject([{ ...edge, edgeSource: "observed", observedCount: 3 }]);
      expect(await own.listToolUsage()).toMatchObject([{ toolId: "t:a", calls: 3, failures: 3, averageDurationMs: 4 }]);
      const name = { kind: "adaptive_threshold", key: "speculation" } as const;
      expect(await own.findLearnedState(name)).toBeUndefined();
      await own.putLearnedState(name, { at: 0.85 });
      await own.putLearnedState(name, { at: 0.9 });
      expect(await own.findLearnedState(name)).toEqual({ at: 0.9 });
      expect(await own.withScope({ project: "other" }).findLearnedState(name)).toBeUndefined();
      await own.close();
    });

    it("does not let results of an unfinished workflow expire", async () => {
      let now = new Date("2026-01-01T00:00:00Z");
      const database = await open();
      const own = await CapabilityStore.open({ database, embedder: createHashEmbedder(), now: () => now });
      const workflowId = crypto.randomUUID();
      await database.query(
        "insert into workflow (workflow_id, org, project, actor, status, request) values ($1, 'local', 'default', 'local', 'waiting', '{}')",
        [workflowId],
      );
      await own.recordRun({
        trace: { workflowId, success: true, startedAt: now, durationMs: 1 },
        taskResults: [{ taskId: "t1", result: 1 }],
      });
      now = new Date("2027-01-01T00:00:00Z");
      expect(await own.retain({ maxAgeMs: 1 })).toEqual({ traces: 0, taskResults: 0 });
      expect(await own.findTaskResult(workflowId, "t1")).toEqual({ result: 1 });
      await database.query("update workflow set status = 'done'");
      expect(await own.findTaskResult(workflowId, "t1")).toBeUndefined();
      expect(await own.retain({ maxAgeMs: 1 })).toEqual({ traces: 1, taskResults: 1 });
      await own.close();
    });
  });
}
