import type { Pml, PmlEvent } from "@pml/core";
import { describe, expect, it } from "vitest";

import { usePml } from "./pml-world.js";
import { createShopTools } from "./trust-versions.js";

const { open } = usePml();

const NAME = "shop:get_customer";
const CODE = `return (await mcp.shop.get({ id: args.id })).customer`;
/** Does the same, up to an order that nobody had asked for yet. */
const FRAGILE = `if (args.id > 10) throw new Error("so many?"); ${CODE}`;

async function openWithRuns(): Promise<{ pml: Pml; events: PmlEvent[] }> {
  const pml = await open({ tools: createShopTools().tools, cache: { enabled: false }, prefetch: false });
  await pml.execute({ intent: "who ordered", code: CODE, context: { id: 1 }, name: NAME });
  for (const id of [2, 3, 4, 5, 6, 7]) await run(pml, id);
  const events: PmlEvent[] = [];
  pml.events((event) => void (event.type === "capability_rolled_back" && events.push(event)));
  return { pml, events };
}

async function run(pml: Pml, id: number): Promise<{ status: string; traceId: string }> {
  return (await pml.execute({ capability: NAME, args: { id } })) as { status: string; traceId: string };
}

const current = async (pml: Pml): Promise<[number, string]> => {
  const { version, capabilityId } = await pml.lookup(NAME);
  return [version, capabilityId];
};

describe("a version that does worse than the one before", () => {
  it("gives the name back after three failures, with an event and an entry in the history", async () => {
    const { pml, events } = await openWithRuns();
    const [, good] = await current(pml);
    const updated = await pml.names.update(NAME, { code: FRAGILE });
    expect(updated.trial.verdict).toBe("same");
    await run(pml, 8);
    for (const id of [11, 12]) expect(await run(pml, id)).toMatchObject({ status: "error" });
    expect(await current(pml)).toEqual([2, updated.capabilityId]);
    expect(await run(pml, 13)).toMatchObject({ status: "error" });
    expect(await current(pml)).toEqual([3, good]);
    const reason = "1 of 4 runs went well, and 7 of 7 runs went well with version 1";
    expect(events).toMatchObject([{ name: NAME, from: updated.capabilityId, to: good, version: 1, reason }]);
    const [newest, bad] = await pml.history(NAME);
    expect(newest).toMatchObject({ version: 3, changeSummary: `Back to version 1 by itself: ${reason}` });
    expect(bad).toMatchObject({ version: 2, capabilityId: updated.capabilityId });
    expect(await run(pml, 14)).toMatchObject({ status: "success" });
    expect(pml.metrics().rollbacks).toBe(1);
  });

  it("gives it back when people say that its runs were wrong", async () => {
    const { pml, events } = await openWithRuns();
    await pml.names.update(NAME, { code: `const found = await mcp.shop.get({ id: args.id }); return found.customer` });
    for (const id of [1, 2, 3]) {
      const { traceId } = await run(pml, id);
      await pml.feedback({ traceId, ok: false });
    }
    expect(events).toHaveLength(1);
    expect(await current(pml)).toMatchObject([3, expect.any(String)]);
  });

  it("is not taken up again when the older one fails in its turn", async () => {
    const { pml, events } = await openWithRuns();
    await pml.names.update(NAME, { code: FRAGILE });
    for (const id of [11, 12, 13]) await run(pml, id);
    const restored = await current(pml);
    await pml.tools.update({ ...pml.tools.get("shop:get"), execute: () => Promise.reject(new Error("closed")) });
    for (const id of [1, 2, 3, 4, 5]) expect(await run(pml, id)).toMatchObject({ status: "error" });
    expect(await current(pml)).toEqual(restored);
    expect(events).toHaveLength(1);
  });

  it("keeps it where the one before cannot run either", async () => {
    const { pml, events } = await openWithRuns();
    await pml.names.update(NAME, { code: `throw new Error("by list: " + args.id)`, acceptDifferences: true });
    await pml.tools.remove("shop:get");
    for (const id of [1, 2, 3]) await run(pml, id);
    expect(await current(pml)).toMatchObject([2, expect.any(String)]);
    expect(events).toEqual([]);
  });
});

describe("a version that does as well", () => {
  it("stays, also where it fails now and then", async () => {
    const { pml, events } = await openWithRuns();
    await pml.names.update(NAME, { code: FRAGILE });
    for (const id of [1, 2, 3, 11, 4, 5, 6, 12, 7, 8, 9, 1, 2, 3, 4, 13]) await run(pml, id);
    expect(await current(pml)).toMatchObject([2, expect.any(String)]);
    expect(events).toEqual([]);
  });
});
