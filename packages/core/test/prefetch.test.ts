import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { DAGStructure } from "@pml/analyzer";
import type { ExecuteAnswer, Pml, PmlEvent, PmlOptions } from "@pml/core";
import { describe, expect, it } from "vitest";

import { usePml } from "./pml-world.js";
import { TWO, useWeb } from "./web-world.js";

const { open: openPml, model } = usePml();
const web = useWeb();
const { tools, calls, answers } = web;

function open(options: PmlOptions = {}): Promise<Pml> {
  // Each run is to make its calls.
  return openPml({ tools, cache: { exact: false, capability: false } as never, ...options });
}

function task(id: string, path: unknown, dependsOn: string[] = []): DAGStructure["tasks"][number] {
  return {
    id,
    tool: "web:get",
    type: "mcp_tool",
    arguments: { path: path as string },
    dependsOn,
    sideEffects: false,
    metadata: {},
  };
}

function twice(
  pml: Pml,
  code: string,
  contexts: [Record<string, unknown>, Record<string, unknown>],
): Promise<ExecuteAnswer[]> {
  return contexts.reduce<Promise<ExecuteAnswer[]>>(async (done, context) => {
    const before = await done;
    return [...before, await pml.execute({ intent: "look both up", code, context, cache: false })];
  }, Promise.resolve([]));
}

describe("a call that only reads", () => {
  it("is begun while another is under way, once a run has shown what it is given", async () => {
    const pml = await open();
    const [first] = await twice(pml, TWO, [{ id: "1" }, { id: "2" }]);
    expect(first).toMatchObject({ status: "success", result: ["/a", "/orders/1"] });
    expect(pml.metrics()).toMatchObject({ prefetchHits: 2, prefetchesWasted: 0 });
    web.holdUntil("/a", "/orders/3");
    const third = await pml.execute({ intent: "look both up", code: TWO, context: { id: "3" }, cache: false });
    expect(third).toMatchObject({ status: "success", result: ["/a", "/orders/3"] });
    expect(web.wasMet("/a")).toBe(true);
    expect(calls).toHaveLength(6);
    const { prefetches, prefetchHits, rates, savedMs } = pml.metrics();
    expect([prefetches, prefetchHits, rates.prefetchHit]).toEqual([4, 4, 1]);
    expect(savedMs.prefetch).toBeGreaterThan(0);
  });

  it("is not begun before a run has shown it", async () => {
    const pml = await open();
    await pml.execute({ intent: "look both up", code: TWO, context: { id: "1" } });
    expect(pml.metrics().prefetches).toBe(0);
  });

  it("is given a part of an earlier result", async () => {
    const code = `const found = await mcp.web.get({ path: "/find" });
      const slow = await mcp.web.get({ path: "/slow" });
      const one = await mcp.web.get({ path: found.items[0].link });
      return [slow.path, one.path];`;
    const pml = await open();
    answers.set("/find", { items: [{ link: "/first" }] });
    await pml.execute({ intent: "find one", code, cache: false });
    answers.set("/find", { items: [{ link: "/second" }] });
    web.holdUntil("/slow", "/second");
    const answer = await pml.execute({ intent: "find one", code, cache: false });
    expect(answer).toMatchObject({ result: ["/slow", "/second"] });
    expect(web.wasMet("/slow")).toBe(true);
  });

  it("is begun for the next turns of a loop, a few at a time", async () => {
    const code = `const { links } = await mcp.web.get({ path: "/links" });
      const found = [];
      for (const link of links) found.push((await mcp.web.get({ path: link.to })).path);
      return found;`;
    const pml = await open();
    answers.set("/links", { links: [{ to: "/l/1" }, { to: "/l/2" }] });
    await pml.execute({ intent: "follow the links", code, cache: false });
    const links = Array.from({ length: 9 }, (_, at) => `/l/${at + 10}`);
    answers.set("/links", { links: links.map((to) => ({ to })) });
    web.holdUntil("/l/10", "/l/13");
    const answer = await pml.execute({ intent: "follow the links", code, cache: false });
    expect(answer).toMatchObject({ status: "success", result: links });
    expect(web.wasMet("/l/10")).toBe(true);
    expect(pml.metrics()).toMatchObject({ prefetchHits: 10, prefetchesWasted: 0 });
  });

  it("is begun before the code runs, where its input is known by then", async () => {
    const pml = await open();
    const code = `return mcp.web.get({ path: "/only/" + id });`;
    await twice(pml, code, [{ id: "1" }, { id: "2" }]);
    expect(pml.metrics()).toMatchObject({ prefetchHits: 1, prefetchesWasted: 0 });
  });
});

describe("what was learned of inputs", () => {
  const RUN_AGAIN: [string, (pml: Pml) => Promise<ExecuteAnswer>][] = [
    ["a capability by name", (pml) => pml.execute({ capability: "web:look_up", args: { id: "9" }, cache: false })],
    [
      "a capability that is found by its intent",
      (pml) => pml.execute({ intent: "look both up", context: { id: "9" }, cache: false }),
    ],
    [
      "code that calls the capability",
      (pml) => pml.execute({ intent: "outer", code: `return capabilities.web.look_up({ id: "9" })`, cache: false }),
    ],
  ];
  it.each(RUN_AGAIN)("serves %s", async (_, again) => {
    const pml = await open({ embedder: model });
    await pml.execute({ intent: "look both up", code: TWO, context: { id: "1" }, name: "web:look_up" });
    web.holdUntil("/a", "/orders/9");
    expect(await again(pml)).toMatchObject({ status: "success", result: ["/a", "/orders/9"] });
    expect(web.wasMet("/a")).toBe(true);
  });

  it("serves a DAG, across its layers", async () => {
    const dag: DAGStructure = {
      tasks: [
        task("fast", { $param: "start" }),
        task("slow", "/slow"),
        task("last", { $from: "fast", path: ["next"] }, ["fast"]),
      ],
      returns: [{ value: { $from: "last" } }],
    };
    const pml = await open();
    answers.set("/s/1", { next: "/n/1" }).set("/s/2", { next: "/n/2" });
    await pml.execute({ intent: "go on", dag, context: { start: "/s/1" }, cache: false });
    web.holdUntil("/slow", "/n/2");
    const answer = await pml.execute({ intent: "go on", dag, context: { start: "/s/2" }, cache: false });
    expect(answer).toMatchObject({ status: "success", result: { path: "/n/2" } });
    expect(web.wasMet("/slow")).toBe(true);
  });

  it("serves new code that gives a tool its input in the same way", async () => {
    const pml = await open();
    await pml.execute({
      intent: "read an order",
      code: `return mcp.web.get({ path: "/orders/" + id })`,
      context: { id: "1" },
    });
    web.holdUntil("/x", "/orders/2");
    const code = `const x = await mcp.web.get({ path: "/x" }); return mcp.web.get({ path: "/orders/" + id });`;
    expect(await pml.execute({ intent: "two things", code, context: { id: "2" } })).toMatchObject({
      status: "success",
    });
    expect(web.wasMet("/x")).toBe(true);
  });

  it("is there after a restart, says which traces it comes from, and holds no values", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "pml-prefetch-"));
    try {
      const first = await open({ dataDir });
      const answer = await first.execute({ intent: "look both up", code: TWO, context: { id: "a-value-of-mine" } });
      const { traceId } = answer as { traceId: string };
      const rests = (await first.store.listLearnedFrom(traceId)).filter(({ kind }) => kind === "learned_source");
      expect(rests.length).toBeGreaterThan(0);
      expect(await first.store.listOrigins(rests[0] ?? { kind: "", key: "" })).toEqual([traceId]);
      expect(JSON.stringify(first.graph.snapshot().sources)).not.toContain("a-value-of-mine");
      await first.close();
      const second = await open({ dataDir });
      web.holdUntil("/a", "/orders/7");
      await second.execute({ intent: "look both up", code: TWO, context: { id: "7" }, cache: false });
      expect(web.wasMet("/a")).toBe(true);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });
});

/** What is learned, without the ids of capabilities and how long things took. */
async function listLearned(pml: Pml): Promise<unknown> {
  const { nodes: _, calls: __, ...rest } = pml.graph.snapshot();
  const [capability] = await pml.store.list();
  const text = JSON.stringify([rest, await pml.store.listToolDependencies(), capability?.learning]);
  return text
    .replaceAll(capability?.id ?? "", "<capability>")
    .replaceAll(/"(totalMs|totalDurationMs|createdAt|lastObserved)":[^,}]+/g, "");
}

describe("a run that has calls begun ahead of it", () => {
  const CODE = `const { links } = await mcp.web.get({ path: "/links" });
    const rate = await mcp.web.get({ path: "/rates/" + currency });
    const found = [];
    for (const link of links) found.push((await mcp.web.get({ path: link })).path);
    await mcp.fs.write({ path: "out.txt", content: found[0] });
    const back = await mcp.fs.read({ path: "out.txt" });
    return { rate, back: found.length > 1 ? back.content : "few" };`;

  async function observe(prefetch: boolean): Promise<Record<string, unknown>> {
    const events: PmlEvent[] = [];
    const pml = await open({ prefetch });
    answers.set("/links", { links: ["/l/1", "/l/2", "/l/3"] });
    const context = { currency: "NOK" };
    const results: unknown[] = [];
    for (let time = 0; time < 3; time++) {
      const answer = await pml.execute({
        intent: "go",
        code: CODE,
        context,
        cache: false,
        onEvent: (e) => void events.push(e),
      });
      results.push((answer as { result: unknown }).result);
    }
    const traces = await pml.store.listTraces();
    return {
      results,
      events: events.map((event) => [event.type, "nodeId" in event && event.nodeId, "args" in event && event.args]),
      traces: traces.map(({ tasks, executedPath, decisions, result }) => ({
        tasks: tasks.map((each) => ({ ...each, startedAtMs: 0, durationMs: 0, savedMs: 0 })),
        executedPath,
        decisions,
        result,
      })),
      learned: await listLearned(pml),
      hits: pml.metrics().prefetchHits,
    };
  }

  it("gives the same results, events, traces and lessons as one that has not", async () => {
    const [{ hits, ...ahead }, { hits: none, ...not }] = [await observe(true), await observe(false)];
    expect(ahead).toEqual(not);
    expect([hits, none]).toEqual([12, 0]);
  });

  it("says in its trace when a call was really made, how long it took, and what of that was not waited for", async () => {
    const pml = await open();
    await twice(pml, TWO, [{ id: "1" }, { id: "1" }]);
    web.holdUntil("/a", "/orders/5");
    const ended: PmlEvent[] = [];
    await pml.execute({
      intent: "look both up",
      code: TWO,
      context: { id: "5" },
      cache: false,
      onEvent: (event) => event.type === "tool_end" && ended.push(event),
    });
    const [{ tasks: [a, b] = [] } = {}, ...earlier] = await pml.store.listTraces();
    expect(b?.startedAtMs).toBeLessThan((a?.startedAtMs ?? 0) + (a?.durationMs ?? 0));
    expect(ended.at(-1)).toMatchObject({ type: "tool_end", durationMs: b?.durationMs });
    const savedMs = [a, b, ...earlier.flatMap(({ tasks }) => tasks)].reduce(
      (sum, task) => sum + (task?.savedMs ?? 0),
      0,
    );
    expect(savedMs).toBeCloseTo(pml.metrics().savedMs.prefetch, 6);
  });

  it("leaves no trace of a wrong guess but its count, and ends it", async () => {
    const code = `const a = await mcp.web.get({ path: "/text" });
      const read = JSON.parse(a.json);
      return [read, await mcp.web.get({ path: "/orders/" + id })];`;
    const pml = await open();
    answers.set("/text", { json: "{}" });
    await pml.execute({ intent: "go", code, context: { id: "1" }, cache: false });
    answers.set("/text", { json: "no JSON" });
    web.holdUntil("/orders/2", "/never");
    web.holdUntil("/text", "/orders/2");
    const answer = await pml.execute({ intent: "go", code, context: { id: "2" }, cache: false });
    expect(answer).toMatchObject({ status: "error" });
    const [trace] = await pml.store.listTraces();
    expect(trace?.tasks.map(({ args }) => args)).toEqual([{ path: "/text" }]);
    expect(pml.metrics()).toMatchObject({
      prefetches: 2,
      prefetchHits: 1,
      prefetchesWasted: 1,
      rates: { prefetchHit: 0.5 },
    });
    await expect.poll(() => calls).toContain("aborted /orders/2");
  });
});
