import { randomUUID } from "node:crypto";

import type { Pml, SuccessAnswer } from "@pml/core";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createTextTools, dump, dumpGraph, PROGRAM_COUNT, runSteps, type Step } from "./forget-world.js";
import { createFileTools, usePml } from "./pml-world.js";

const { open, model } = usePml();

const RUNS = Number(process.env["PML_FORGET_RUNS"] ?? 4);

const step: fc.Arbitrary<Step> = fc.record({
  program: fc.nat(PROGRAM_COUNT - 1),
  intent: fc.constantFrom(0, 1),
  text: fc.constantFrom(" fine ", "bad"),
  rejected: fc.integer({ min: 0, max: 5 }).map((die) => die === 0),
});

/** Caches are off: an answer from one stands for a run that the other memory has to make. */
const openTexts = (project: string): Promise<Pml> =>
  open({ tools: createTextTools(), cache: { enabled: false }, scope: { project } });

/** What a memory has that forgot a run, and what one has that never saw it. */
async function compareWithout(steps: readonly Step[], at: number): Promise<{ forgot: unknown; never: unknown }> {
  const projects = [randomUUID(), randomUUID()] as const;
  const [first, second] = [await openTexts(projects[0]), await openTexts(projects[1])];
  const traces = await runSteps(first, steps);
  await first.forget({ traceId: traces[at] ?? "" });
  const rest = steps.filter((_, index) => index !== at);
  await runSteps(second, rest);
  // Drawn anew, as edges that were watched as they came say more of where they came from.
  const drawn = await openTexts(projects[1]);
  return { forgot: [await dump(first), await dumpGraph(first)], never: [await dump(second), await dumpGraph(drawn)] };
}

function plain(...programs: number[]): Step[] {
  return programs.map((program) => ({ program, intent: 0, text: " fine ", rejected: false }));
}

describe("forgetting a run leaves what a memory would have that never saw it", () => {
  it.each([
    ["the only run of a capability", plain(0, 1), 0],
    ["the first of two runs of one code, with another between", plain(0, 1, 0), 0],
    [
      "the first of three, for another intent",
      [{ ...(plain(1)[0] as Step), intent: 1 as const }, ...plain(0, 1, 1)],
      0,
    ],
    ["what others of its shape had joined", plain(2, 3, 3), 0],
    ["one that had joined another of its shape", plain(2, 3), 1],
    [
      "the success between failures",
      [0, 0, 1, 0].map((ok) => ({ ...(plain(4)[0] as Step), text: ok ? "fine" : "bad" })),
      2,
    ],
    ["a rejected run", plain(0, 0).map((each, at) => ({ ...each, rejected: at === 0 })), 0],
    ["the run that gave a name", plain(10, 0), 0],
    ["the first of two that gave the same name", plain(10, 10), 0],
    ["the run of a DAG", plain(7, 7, 0), 1],
    ["a run that called another capability", plain(8, 9), 0],
    ["the third of three, that made an edge sure", plain(1, 1, 1), 1],
  ])("%s", async (_, steps, at) => {
    const { forgot, never } = await compareWithout(steps, at);
    expect(forgot).toEqual(never);
  });

  it("any run of any sequence", async () => {
    const steps = fc.array(step, { minLength: 2, maxLength: 6 });
    const compared = fc.asyncProperty(steps, fc.nat(), async (given, pick) => {
      const { forgot, never } = await compareWithout(given, pick % given.length);
      expect(forgot).toEqual(never);
    });
    await fc.assert(compared, { numRuns: RUNS, endOnFailure: true });
  }, 600_000);
});

const READ = `const file = await mcp.fs.read({ path: args.path }); return JSON.parse(file.content).name;`;

async function openFiles(options: Parameters<typeof open>[0] = {}): Promise<{ pml: Pml; calls: string[] }> {
  const { tools, calls } = createFileTools();
  return { pml: await open({ tools, ...options }), calls };
}

async function read(pml: Pml, path: string, more: object = {}): Promise<SuccessAnswer> {
  const answer = await pml.execute({ intent: "read a name", code: READ, context: { path }, cache: false, ...more });
  expect(answer).toMatchObject({ status: "success" });
  return answer as SuccessAnswer;
}

describe("forgetting a run", () => {
  it("says what it took back, and which runs what remains rests on", async () => {
    const { pml } = await openFiles();
    const [first, second] = [await read(pml, "a.json"), await read(pml, "b.json")];
    const { capabilityId = "" } = first;
    const learned = { kind: "workflow_pattern", key: capabilityId };
    expect(await pml.store.listOrigins(learned)).toEqual([second.traceId, first.traceId]);
    const taught = await pml.store.listLearnedFrom(first.traceId);
    expect(await pml.forget({ traceId: first.traceId })).toEqual({
      traceId: first.traceId,
      retracted: taught,
      removed: [],
      remaining: [{ capabilityId, traces: [second.traceId] }],
    });
    expect(await pml.store.listOrigins(learned)).toEqual([second.traceId]);
    expect((await pml.store.get(capabilityId)).statistics).toMatchObject({ usageCount: 1, successCount: 1 });
    expect(await pml.forget({ traceId: second.traceId })).toMatchObject({ removed: [capabilityId], remaining: [] });
    expect(await pml.store.list()).toEqual([]);
    const { results } = await pml.discover({ intent: "read a name", filter: { type: "capability" } });
    expect(results).toEqual([]);
  });

  it("a second time finds none, nor does anybody who could not see it", async () => {
    const { pml } = await openFiles();
    const { traceId } = await read(pml, "a.json");
    const missing = { code: "PML_NOT_FOUND" };
    await expect(pml.forget({ traceId, scope: { project: "other" } })).rejects.toMatchObject(missing);
    await expect(pml.forget({ traceId, scope: { org: "other" } })).rejects.toMatchObject(missing);
    expect((await pml.store.getTrace(traceId)).id).toBe(traceId);
    await pml.forget({ traceId });
    await expect(pml.forget({ traceId })).rejects.toMatchObject(missing);
    await expect(pml.forget({ traceId: "no id" })).rejects.toMatchObject({ code: "PML_INVALID_INPUT" });
  });

  it("of something private is its owner's alone to do", async () => {
    const { pml } = await openFiles();
    const { id } = await pml.capabilities.create({ intent: "read a name", code: READ, visibility: "private" });
    const { traceId } = (await pml.execute({ capability: id, args: { path: "a.json" } })) as SuccessAnswer;
    const foreign = pml.forget({ traceId, scope: { actor: "somebody" } });
    await expect(foreign).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
    expect(await pml.forget({ traceId })).toMatchObject({ removed: [], remaining: [{ capabilityId: id, traces: [] }] });
    expect(await pml.store.get(id)).toMatchObject({ status: "active", statistics: { usageCount: 0 } });
  });

  it("takes its name with it, which is free at once", async () => {
    const { pml } = await openFiles();
    const { traceId } = await read(pml, "a.json", { name: "fs:read_name" });
    await pml.forget({ traceId });
    const again = await pml.execute({ intent: "x", code: "return 1", name: "fs:read_name" });
    expect(again).toMatchObject({ status: "success" });
    expect(again).not.toHaveProperty("warnings");
    expect((await pml.capabilities.get("fs:read_name")).intent).toBe("x");
  });

  it("leaves what was made by hand of the same code, and what has been called since", async () => {
    const { pml } = await openFiles();
    const { traceId, capabilityId = "" } = await read(pml, "a.json", { name: "fs:read_name" });
    const caller = { intent: "y", code: `return capabilities["fs:read_name"]({ path: "b.json" })` };
    const called = (await pml.execute(caller)) as SuccessAnswer;
    expect(await pml.forget({ traceId })).toMatchObject({ remaining: [{ capabilityId, traces: [called.traceId] }] });
    expect(await pml.execute({ ...caller, cache: false })).toMatchObject({ status: "success", result: "b" });
    await pml.capabilities.create({ intent: "read a name", code: READ });
    for (const { id } of await pml.store.listTraces()) await pml.forget({ traceId: id });
    expect((await pml.store.list()).map(({ id }) => id)).toEqual([capabilityId]);
  });

  it("leaves nothing of what it gave: no kept answer, no result of a task", async () => {
    const { pml, calls } = await openFiles();
    const { id } = await pml.capabilities.create({ intent: "read a name", code: READ });
    const run = () => pml.execute({ capability: id, args: { path: "a.json" } });
    const { traceId, workflowId } = (await run()) as SuccessAnswer;
    expect(await run()).toMatchObject({ cacheHit: "exact" });
    expect(await pml.getTaskResult({ workflowId, taskId: "n1" })).toBeDefined();
    await pml.forget({ traceId });
    await expect(pml.getTaskResult({ workflowId, taskId: "n1" })).rejects.toMatchObject({ code: "PML_NOT_FOUND" });
    expect(await run()).not.toHaveProperty("cacheHit");
    expect(calls).toHaveLength(2);
  });

  it("takes back how it turned out, and the threshold with it; what it served is not judged any more", async () => {
    const { pml } = await openFiles({ embedder: model });
    const state = { kind: "adaptive_threshold", key: "all" } as const;
    const code = `const file = await mcp.fs.read({ path: "a.json" }); return JSON.parse(file.content).name;`;
    await pml.execute({ intent: "read the name in the json file a.json", code });
    const intent = "read the name in the json file b.json";
    const serve = async (): Promise<string> => {
      const served = await pml.execute({ intent, context: { path: "b.json" }, conversation: "one", cache: false });
      expect(served).toMatchObject({ status: "success", mode: "speculation" });
      return (served as SuccessAnswer).traceId;
    };
    const wrong = await serve();
    expect((await pml.feedback({ traceId: wrong, ok: false })).threshold).toBeGreaterThan(0.85);
    await pml.forget({ traceId: wrong });
    expect(await pml.store.findLearnedState(state)).toBeUndefined();
    await pml.forget({ traceId: await serve() });
    await pml.execute({ intent, code: `return mcp.fs.read({ path: "b.json" })`, conversation: "one" });
    expect(await pml.store.findLearnedState(state)).toBeUndefined();
  });

  it("does not take away what rests on runs that retention removed", async () => {
    const { pml } = await openFiles();
    const { capabilityId = "" } = await read(pml, "a.json");
    await pml.store.retain({ maxBytes: 0 });
    const { traceId } = await read(pml, "b.json");
    expect(await pml.forget({ traceId })).toMatchObject({ removed: [], remaining: [{ capabilityId, traces: [] }] });
    const { status, statistics } = await pml.store.get(capabilityId);
    expect({ status, usageCount: statistics.usageCount }).toEqual({ status: "active", usageCount: 1 });
  });

  it("reaches another memory on the same database", async () => {
    const scope = { project: randomUUID() };
    const [{ pml: first }, { pml: second }] = [await openFiles({ scope }), await openFiles({ scope })];
    const { traceId } = await read(first, "a.json");
    const knows = async (): Promise<boolean> => {
      await second.discover({ intent: "read" });
      return second.graph.types.findSchema("fs:read") !== undefined;
    };
    await expect.poll(knows).toBe(true);
    await first.forget({ traceId });
    await expect.poll(knows).toBe(false);
  });
});
