import { describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open, model } = usePml();
const READ = `const file = await mcp.fs.read({ path: args.path }); return JSON.parse(file.content).name;`;
const intent = "read the name in the json file";

describe("the metrics", () => {
  it("count, and give rates of, searches, matches, runs, caches, suggestions and promotions", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools, embedder: model });
    expect(pml.metrics()).toMatchObject({ searches: 0, rates: { match: 0, success: 0, promotion: 0 } });

    await pml.execute({ intent });
    await pml.execute({ intent, code: READ, context: { path: "a.json" } });
    expect(pml.metrics()).toMatchObject({
      searches: 1,
      matches: 0,
      suggestions: 1,
      suggestionsTaken: 1,
      drafts: 1,
      promotions: 1,
      executions: 1,
      toolCalls: 1,
      rates: { suggestionTaken: 1, promotion: 1, success: 1, match: 0 },
    });

    await pml.execute({ intent, context: { path: "b.json" } });
    await pml.execute({ intent, context: { path: "b.json" } });
    await pml.discover({ intent });
    await pml.discover({ intent: "bake a cake for ten people" });
    await pml.execute({ intent: "broken", code: `return mcp.fs.read({ path: "none" })` });
    const metrics = pml.metrics();
    expect(metrics).toMatchObject({
      searches: 5,
      matches: 3,
      speculations: 2,
      reuses: 2,
      cacheLookups: 4,
      cacheHits: 1,
      drafts: 2,
      promotions: 1,
      executions: 3,
      successes: 2,
      failures: 1,
      rates: { match: 3 / 5, reuse: 1, cacheHit: 1 / 4, promotion: 1 / 2, success: 2 / 3 },
    });
    expect(metrics.averageMs.search).toBeGreaterThan(0);
    expect(metrics.averageMs.execution).toBeGreaterThan(0);
  });

  it("count a suggestion as taken once, and only if something of it is used", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools });
    const conversation = "one";
    await pml.execute({ intent: "read a file", conversation });
    await pml.execute({ intent: "add up", code: "return 1 + 1", conversation });
    expect(pml.metrics().suggestionsTaken).toBe(0);
    const code = `return mcp.fs.read({ path: "a.json" })`;
    for (let time = 0; time < 2; time++) await pml.execute({ intent: "other words", code, conversation });
    expect(pml.metrics()).toMatchObject({ suggestions: 1, suggestionsTaken: 1 });
  });
});
