import { CapabilityStore, type Database, type NewCapability, type NewTrace, type StoreOptions } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const HOSTILE = ["'; drop table workflow_pattern; --", "$1", "\\", '"', "{}", "%_", "null", "😀 é ", "__proto__"];
const TRACE: NewTrace = { success: true, startedAt: new Date(0), durationMs: 1 };
const circle: { self?: unknown } = {};
circle.self = circle;

/** What a store does with texts and numbers that nobody should give it, whatever database is behind it. */
export function describeInput(name: string, open: () => Promise<Database>): void {
  const create = async (options: Partial<StoreOptions> = {}): Promise<CapabilityStore> =>
    CapabilityStore.open({ database: await open(), embedder: createHashEmbedder(), ...options });

  describe(`the input of a store on ${name}`, () => {
    let store: CapabilityStore;
    let serial = 0;
    const code = (given: Partial<NewCapability> = {}): NewCapability => ({
      source: { type: "code", code: `return mcp.fs.read({ path: "file-${++serial}.json" });` },
      intent: `read the file number ${serial}`,
      ...given,
    });
    const putOne = async (given: Partial<NewCapability> = {}): Promise<string> =>
      (await store.put(code(given))).capability.id;
    const record = (given: Partial<NewTrace>): Promise<unknown> => store.recordRun({ trace: { ...TRACE, ...given } });

    beforeAll(async () => {
      store = await create();
    });
    afterAll(() => store.close());

    it.each(HOSTILE)("stores %j in every field and finds it as it is", async (text) => {
      const own = await create({ scope: { org: text, project: text, actor: text } });
      const { capability } = await own.create(code({ intent: `${text} x`, description: text, name: text }));
      expect(await own.get(capability.id)).toMatchObject({
        intent: `${text} x`,
        description: text,
        name: text,
        createdBy: text,
      });
      expect((await own.searchByIntent(`${text} x`))[0]?.capability.id).toBe(capability.id);
      await own.putTools([{ id: `a:${text.replaceAll(/\s/g, "")}`, description: text }]);
      expect((await own.listTools())[0]?.description).toBe(text);
      const workflowId = crypto.randomUUID();
      const { traceId } = await own.recordRun({
        trace: {
          workflowId,
          intent: `${text} x`,
          success: false,
          error: text,
          args: { [text]: text },
          executedPath: [text],
          tasks: [
            { taskId: text, tool: `a:${text.replaceAll(/\s/g, "")}`, success: true, startedAtMs: 0, durationMs: 1 },
          ],
          startedAt: new Date(),
          durationMs: 1,
        },
        taskResults: [{ taskId: text, result: text }],
        pastIntent: { intent: `${text} x`, toolIds: [] },
        learned: [{ kind: text, key: text }],
      });
      expect(await own.getTrace(traceId)).toMatchObject({ error: text, args: { [text]: text }, executedPath: [text] });
      expect(await own.findTaskResult(workflowId, text)).toEqual({ result: text });
      expect(await own.listOrigins({ kind: text, key: text })).toEqual([traceId]);
      expect(await own.listNamed({ namespace: text })).toEqual([]);
      await own.putLearnedState({ kind: "learned_weights", key: text }, text);
      expect(await own.findLearnedState({ kind: "learned_weights", key: text })).toBe(text);
      await own.close();
    });

    it.each<[string, () => Promise<unknown>]>([
      ["an empty intent", () => store.put(code({ intent: " \n" }))],
      ["an intent of 100 kB", () => store.put(code({ intent: "x".repeat(100_000) }))],
      ["a NUL in an intent", () => store.searchByIntent("a\0b")],
      ["half a surrogate pair", () => store.searchByIntent("a\ud800b")],
      ["an id that is none", () => store.get("1; drop table workflow_pattern")],
      [
        "a capability that depends on itself",
        async () => {
          const id = await putOne();
          return store.addDependency({ fromCapabilityId: id, toCapabilityId: id, edgeType: "sequence" });
        },
      ],
      [
        "an unknown type of edge",
        async () =>
          store.addDependency({
            fromCapabilityId: await putOne(),
            toCapabilityId: await putOne(),
            edgeType: "x" as never,
          }),
      ],
      [
        "a confidence that is not a number",
        async () =>
          store.addDependency({
            fromCapabilityId: await putOne(),
            toCapabilityId: await putOne(),
            edgeType: "sequence",
            confidenceScore: Number.NaN,
          }),
      ],
      ["a limit of zero", () => store.searchByIntent("x", { limit: 0 })],
      ["a limit that is no number", () => store.list({ limit: Number.NaN })],
      ["a limit of traces that is none", () => store.listTraces({ limit: (() => 1) as never })],
      ["a place in the list of traces that is none", () => store.listTraces({ offset: -1 })],
      ["an order there is not", () => store.list({ sortBy: "name; drop table workflow_pattern" as never })],
      ["a status there is not", () => store.list({ status: "'" as never })],
      ["a success rate over 1", () => store.count({ minSuccessRate: 2 })],
      ["a direction there is not", async () => store.getDependencies(await putOne(), "'" as never)],
      ["half an increment", async () => store.updateDependency({ from: await putOne(), to: await putOne() }, 1.5)],
      ["a visibility there is not", () => store.put(code({ visibility: "all" as never }))],
      ["a source that is none", () => store.put(code({ source: { type: "sql", text: "" } as never }))],
      ["a circle for a schema", () => store.put(code({ parameters: circle }))],
      ["a run that took no number of milliseconds", () => record({ durationMs: Number.NaN })],
      ["a run that began at no time", () => record({ startedAt: new Date(Number.NaN) })],
      ["a run with a circle for an argument", () => record({ args: circle })],
      ["a run with a bigint for a result", () => record({ result: 1n })],
      ["a run with an intent of nothing", () => record({ intent: "" })],
      ["an age that is none", () => store.retain({ maxAgeMs: Number.NaN })],
      ["fewer bytes than none", () => store.retain({ maxBytes: -1 })],
      ["SQL for a kind of what is learned", () => store.findLearnedState({ kind: "workflow; --" as never, key: "x" })],
      ["SQL for a kind to be stored", () => store.putLearnedState({ kind: "toString" as never, key: "x" }, 1)],
      ["an approval there is not", () => store.putTools([{ id: "a:b", description: "", approval: "x" as never }])],
      ["a tool without a server", () => store.putTools([{ id: "read", description: "" }])],
    ])("refuses %s with an error that says so", async (_, work) => {
      await expect(work()).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
    });

    it.each<[string, (text: string) => Promise<unknown>]>([
      ["an intent", (intent) => store.put(code({ intent }))],
      ["a description", (description) => store.put(code({ description }))],
      ["a name", (name_) => store.put(code({ name: name_ }))],
      ["a hash", (hash) => store.put(code({ hash }))],
      ["a shape", (shape) => store.put(code({ shape }))],
      ["code", (text) => store.put(code({ source: { type: "code", code: text }, hash: "x" }))],
      ["parameterised code", (parameterisedCode) => store.put(code({ parameterisedCode }))],
      ["a tool it uses", (text) => store.put(code({ toolsUsed: [`a:${text}`] }))],
      ["a tool it is", (text) => store.put(code({ source: { type: "tool", toolId: `a:${text}` } }))],
      ["a hash that is looked for", (text) => store.findByHash(text)],
      ["a namespace", (namespace) => store.listNamed({ namespace })],
      ["a tool's id", (text) => store.putTools([{ id: `a:${text}`, description: "" }])],
      ["a tool's description", (description) => store.putTools([{ id: "a:b", description }])],
      ["a run's error", (error) => record({ error })],
      ["a run's intent", (intent) => record({ intent })],
      ["a run's mode", (mode) => record({ mode })],
      ["a past intent", (intent) => store.recordRun({ trace: TRACE, pastIntent: { intent, toolIds: [] } })],
      ["an origin", (key) => store.recordRun({ trace: TRACE, learned: [{ kind: "x", key }] })],
      ["a task's id", (taskId) => store.findTaskResult(crypto.randomUUID(), taskId)],
      ["a key", (key) => store.findLearnedState({ kind: "learned_weights", key })],
      ["an actor", async (actor) => store.withScope({ actor })],
    ])("refuses NUL and half a surrogate pair in %s", async (_, work) => {
      for (const text of ["a\0b", "a\ud800b"])
        await expect((async () => work(text))()).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
    });

    it.each([
      ["a NUL", "a\0b"],
      ["half a surrogate pair", "a\ud800b"],
      ["keys in an order of their own", "b"],
    ])("keeps what tools gave as it was, with %s in it", async (_, text) => {
      const workflowId = crypto.randomUUID();
      const result = { [`z${text}`]: text, a: [text] };
      const { traceId } = await store.recordRun({
        trace: { ...TRACE, workflowId, args: result, result },
        taskResults: [{ taskId: "t1", result }],
        shapes: [{ tool: "a:b", type: { object: result } }],
        sources: [{ subject: "a:b", source: { from: "input", path: [text] } }],
        path: ["a:b"],
      });
      const trace = await store.getTrace(traceId);
      const task = await store.findTaskResult(workflowId, "t1");
      for (const kept of [trace.args, trace.result, task?.result])
        expect(JSON.stringify(kept)).toBe(JSON.stringify(result));
    });

    it("says what was wrong with a run, not what came of that", async () => {
      const { traceId } = await store.recordRun({ trace: TRACE });
      const again = store.recordRun({
        trace: { ...TRACE, id: traceId },
        toolDependencies: [{ fromToolId: "a:b", toToolId: "a:c", edgeType: "sequence" }],
        shapes: [{ tool: "a:b", type: "string" }],
      });
      await expect(again).rejects.toMatchObject({ code: "PML_CONFLICT" });
    });

    it.each<[string, (texts: readonly string[]) => unknown]>([
      ["not numbers", (texts) => texts.map(() => new Float32Array(4).fill(Number.NaN))],
      ["infinite", (texts) => texts.map(() => new Float32Array(4).fill(Infinity))],
      ["without a direction", (texts) => texts.map(() => new Float32Array(4))],
      ["of another length", (texts) => texts.map(() => new Float32Array(5).fill(0.5))],
      ["plain arrays", (texts) => texts.map(() => [1, 0, 0, 0])],
      ["too few", () => []],
      ["nothing", () => undefined],
    ])("refuses vectors that are %s", async (_, make) => {
      const embed = async (texts: readonly string[]): Promise<Float32Array[]> => make(texts) as Float32Array[];
      await using own = await create({ embedder: { id: "broken", dimensions: 4, embed } });
      await expect(own.put(code())).rejects.toMatchObject({ code: "PML_EMBEDDER" });
      expect(await own.list()).toEqual([]);
    });

    it("brings vectors of any length to length 1", async () => {
      const hash = createHashEmbedder();
      const embed = async (texts: readonly string[]): Promise<Float32Array[]> =>
        (await hash.embed(texts)).map((vector, at) => vector.map((value) => value * (at + 3)));
      await using own = await create({ embedder: { ...hash, id: "long", embed } });
      await own.create(code({ intent: "sing a song" }));
      expect((await own.searchByIntent("sing a song"))[0]?.semanticScore).toBeCloseTo(1, 4);
    });
  });
}
