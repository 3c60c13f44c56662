import { createHash } from "node:crypto";

import type { DiscoveredTool, Pml, SuccessAnswer, Suggestions, Tool } from "@pml/core";
import { describe, expect, it } from "vitest";

import { usePml } from "./pml-world.js";

const { open, model } = usePml();

const field = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } }, required: [name] });
/** Tools whose descriptions say nothing of what they are asked for here. */
const tools: Tool[] = [
  ["qa:run", {}, field("moisture")],
  ["qb:run", field("moisture"), field("schedule")],
  ["qc:run", field("schedule"), {}],
  ["qd:run", {}, field("total")],
  ["qe:run", field("total"), {}],
  ["qf:run", {}, {}],
].map(([id, inputSchema, outputSchema]) => ({
  id: String(id),
  description: `Runs ${String(id).slice(0, 2)}`,
  inputSchema,
  outputSchema,
  annotations: { readOnlyHint: true },
  execute: () => ({ moisture: "dry", schedule: "at eight", total: "12" }),
}));

const WATER = `const a = await mcp.qa.run({});
const b = await mcp.qb.run({ moisture: a.moisture });
return mcp.qc.run({ schedule: b.schedule });`;
const BILL = `const d = await mcp.qd.run({});
return mcp.qe.run({ total: d.total });`;
const PLACES = "hall kitchen balcony garden office terrace yard roof cellar porch attic lobby".split(" ");
/** How a plan begins to say where it comes from, if it comes from the past. */
const LEARNED = 'requests like "';
const later = "please water all plants in the greenhouse";

describe("what like requests took", () => {
  it("is the plan that is suggested, where nothing was before", async () => {
    const pml = await open({ tools, embedder: model });
    expect((await suggest(pml)).dag).toBeUndefined();
    await teach(pml);
    const { dag } = await awaitPlan(pml);
    expect(dag?.dag.tasks.map(({ tool, dependsOn }) => [tool, dependsOn])).toEqual([
      ["qa:run", []],
      ["qb:run", ["t1"]],
      ["qc:run", ["t2"]],
    ]);
    expect(dag?.rationale).toMatch(/^qa:run, qb:run, qc:run: requests like "water the plants .*" took them\.$/);
    expect(dag?.confidence).toBeGreaterThan(0.4);
    expect(dag?.confidence).toBeLessThanOrEqual(1);
  });

  it("comes next, in the order it took then, and why is said", async () => {
    const pml = await open({ tools, embedder: model });
    await teach(pml);
    await awaitPlan(pml);
    const { results } = await pml.discover({ intent: later, toolsInUse: ["qa:run"], filter: { type: "tool" } });
    const next = (results as DiscoveredTool[]).find(({ id }) => id === "qb:run");
    expect(next?.reason).toMatch(/With qa:run, it served "water the plants/);
    const code = "return mcp.qa.run({ first: true });";
    const answer = (await pml.execute({ intent: later, code, cache: false })) as SuccessAnswer;
    const [first] = answer.suggestions?.tools ?? [];
    expect(first).toMatchObject({ id: "qb:run", reason: expect.stringMatching(/^With qa:run, it served "/) });
  });

  it("is not asked where hardly anything was asked before", async () => {
    const pml = await open({ tools, embedder: model });
    for (const place of PLACES.slice(0, 3))
      await pml.execute({ intent: `water the plants of the ${place}`, code: WATER });
    await suggest(pml);
    expect((await suggest(pml)).dag?.rationale ?? "").not.toContain(LEARNED);
  });

  it("says nothing of a request that is like none of them", async () => {
    const pml = await open({ tools, embedder: model });
    await teach(pml);
    await awaitPlan(pml);
    const { dag } = await suggest(pml, "translate this poem into Danish");
    expect(dag?.rationale ?? "").not.toContain(LEARNED);
  });

  it.each<[what: string, undo: (pml: Pml, traceId: string) => Promise<unknown>]>([
    ["forgotten", (pml, traceId) => pml.forget({ traceId })],
    ["said to be wrong", (pml, traceId) => pml.feedback({ traceId, ok: false })],
  ])("is not suggested any more once it is %s", async (_, undo) => {
    const pml = await open({ tools, embedder: model });
    const { water } = await teach(pml);
    await awaitPlan(pml);
    for (const traceId of water) await undo(pml, traceId);
    const { dag, tools: found } = await suggest(pml);
    expect(dag?.rationale ?? "").not.toContain(LEARNED);
    expect(JSON.stringify(found)).not.toContain("water the plants");
  });

  it("is for nobody else, neither in another project nor where it was private", async () => {
    const pml = await open({ tools, embedder: model, scope: { actor: "ann" } });
    await teach(pml, { visibility: "private" });
    const other = { project: createHash("sha256").update("other").digest("hex") };
    for (const scope of [{ actor: "eve" }, other]) {
      for (let look = 0; look < 3; look++) {
        const { suggestions } = (await pml.execute({ intent: later, scope })) as { suggestions: Suggestions };
        expect(suggestions.dag?.rationale ?? "").not.toContain(LEARNED);
        await new Promise((done) => setTimeout(done, 100));
      }
    }
  });

  it("is planned with the tools that are there", async () => {
    const pml = await open({ tools, embedder: model });
    await teach(pml);
    await awaitPlan(pml);
    await pml.tools.remove("qc:run");
    const { dag } = await awaitPlan(pml);
    const planned = dag?.dag.tasks.map(({ tool }) => tool);
    expect(planned).toEqual(expect.arrayContaining(["qa:run", "qb:run"]));
    expect(planned).not.toContain("qc:run");
  });
});

interface Taught {
  water: string[];
}

async function teach(pml: Pml, { visibility }: { visibility?: "private" } = {}): Promise<Taught> {
  const water: string[] = [];
  for (const [code, say] of [
    [WATER, (place: string) => `water the plants of the ${place}`],
    [BILL, (place: string) => `bill the customers of the ${place}`],
  ] as const) {
    const options = visibility === undefined ? { code } : { capability: await createPrivate(pml, code), args: {} };
    for (const place of PLACES) {
      const answer = (await pml.execute({ intent: say(place), ...options, cache: false } as never)) as SuccessAnswer;
      if (code === WATER) water.push(answer.traceId);
    }
  }
  return { water };
}

async function createPrivate(pml: Pml, code: string): Promise<string> {
  const { id } = await pml.capabilities.create({ code, intent: "of my own", visibility: "private" });
  return id;
}

async function suggest(pml: Pml, intent = later): Promise<Suggestions> {
  return ((await pml.execute({ intent })) as { suggestions: Suggestions }).suggestions;
}

/** It is made while other work goes on. */
async function awaitPlan(pml: Pml): Promise<Suggestions> {
  const options = { timeout: 20_000, interval: 50 };
  await expect.poll(async () => (await suggest(pml)).dag?.rationale, options).toContain(LEARNED);
  return suggest(pml);
}
