import type { DiscoveredTool, Pml, SuccessAnswer, Tool } from "@pml/core";
import { describe, expect, it } from "vitest";

import { usePml } from "./pml-world.js";

const { open, model } = usePml();

/** Tools whose descriptions say nothing of what they are asked for here. */
const tools: Tool[] = ["qx:run", "qy:run", "qz:run", "qw:run"].map((id) => ({
  id,
  description: `Runs ${id.slice(0, 2)}`,
  annotations: { readOnlyHint: true },
  execute: () => "done",
}));
const CODE = "return mcp.qx.run({});";
const asked = ["water the plants in the hall", "give the flowers on the balcony some water", "the garden is dry"];
const later = "please water all flowers and plants";

describe("a tool that served a request", () => {
  it("is found for another like it, and why is said", async () => {
    const pml = await open({ tools, embedder: model });
    const before = await rankOf(pml, "qx:run");
    for (const intent of asked) await pml.execute({ intent, code: CODE });
    const [first] = await listTools(pml);
    expect(first).toMatchObject({ id: "qx:run", reason: expect.stringMatching(/^It served ".*(plants|water|garden)/) });
    expect(first?.score).toBeGreaterThan(before);
    const suggested = await pml.execute({ intent: later });
    expect(suggested.suggestions.tools[0]?.id).toBe("qx:run");
  });

  it("is found by what was learned before the memory was opened", async () => {
    const scope = { project: "opened twice" };
    const first = await open({ tools, embedder: model, scope });
    for (const intent of asked) await first.execute({ intent, code: CODE });
    await first.close();
    expect((await listTools(await open({ tools, embedder: model, scope })))[0]?.id).toBe("qx:run");
  });

  it("is not any more once these runs are forgotten", async () => {
    const pml = await open({ tools, embedder: model });
    const before = await listTools(pml);
    const runs = [];
    for (const intent of asked) runs.push((await pml.execute({ intent, code: CODE })) as SuccessAnswer);
    expect(await listTools(pml)).not.toEqual(before);
    for (const { traceId } of runs) await pml.forget({ traceId });
    expect(await listTools(pml)).toEqual(before);
  });

  it("is not for others where the request was private", async () => {
    const pml = await open({ tools, embedder: model, scope: { actor: "ann" } });
    const eve = { actor: "eve" };
    const before = await listTools(pml, eve);
    const { id } = await pml.capabilities.create({ code: CODE, intent: asked[0] ?? "", visibility: "private" });
    for (const intent of asked) await pml.execute({ intent, capability: id, args: {} });
    expect(await pml.store.listPastIntents()).not.toEqual([]);
    expect(await listTools(pml, eve)).toEqual(before);
  });
});

async function listTools(pml: Pml, scope = {}): Promise<DiscoveredTool[]> {
  const { results } = await pml.discover({ intent: later, filter: { type: "tool" }, scope });
  return results as DiscoveredTool[];
}

async function rankOf(pml: Pml, id: string): Promise<number> {
  return (await listTools(pml)).find((tool) => tool.id === id)?.score ?? 0;
}
