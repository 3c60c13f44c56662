import type { Pml, PmlError } from "@pml/core";
import { describe, expect, it } from "vitest";

import { usePml } from "./pml-world.js";
import { BAD, BEFORE, createShopTools, HARMLESS, type Job } from "./trust-versions.js";

const { open } = usePml();

/** A memory in which the job has a name and has been done. */
async function openWith(job: Job): Promise<{ pml: Pml; calls: string[] }> {
  const { tools, calls } = createShopTools();
  const pml = await open({ tools, cache: { enabled: false }, prefetch: false });
  const { code, runs } = BEFORE[job];
  const [first, ...others] = runs;
  const done = [await pml.execute({ intent: `do the ${job}`, code, context: first, name: "job:do_it" })];
  for (const args of others) done.push(await pml.execute({ capability: "job:do_it", args }));
  expect(done.map(({ status }) => status)).toEqual(runs.map(() => "success"));
  calls.splice(0);
  return { pml, calls };
}

const versionOf = async (pml: Pml): Promise<number> => (await pml.lookup("job:do_it")).version;

const refusalOf = async (pml: Pml, code: string): Promise<PmlError> => {
  const refusal: unknown = await pml.names.update("job:do_it", { code }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "PML_VERSION_DIFFERS" });
  return refusal as PmlError;
};

describe("a new version takes over only if recorded runs go the same with it:", () => {
  it("there are 20 bad ones and 20 harmless ones", () => {
    expect([BAD.length, HARMLESS.length]).toEqual([20, 20]);
  });

  it.each(BAD)("refused is one that %s", async (_, job, code, kinds) => {
    const { pml, calls } = await openWith(job);
    const { details } = await refusalOf(pml, code);
    const differences = details["differences"] as { kind: string }[];
    expect(differences.some(({ kind }) => kinds.split("|").includes(kind))).toBe(true);
    expect(await versionOf(pml)).toBe(1);
    expect(calls).toEqual([]);
  });

  it.each(HARMLESS)("not refused is one with %s", async (_, job, code) => {
    const { pml, calls } = await openWith(job);
    const updated = await pml.names.update("job:do_it", { code });
    expect(updated.trial).toMatchObject({ verdict: "same", differences: [] });
    expect(updated.trial.traceIds).toHaveLength(BEFORE[job].runs.length);
    expect(updated).toMatchObject({ version: 2, verified: true });
    expect(calls).toEqual([]);
  });
});

describe("a version that was refused", () => {
  it("stays a draft, and takes over once somebody says that it is meant", async () => {
    const { pml } = await openWith("join");
    const code = BEFORE.join.code.replace(" and ", " then ");
    const { details } = await refusalOf(pml, code);
    const capabilityId = String(details["candidateId"]);
    expect(await pml.capabilities.get(capabilityId)).toMatchObject({ status: "draft", name: undefined });
    const updated = await pml.names.update("job:do_it", { capabilityId, acceptDifferences: true });
    expect(updated).toMatchObject({ version: 2, capabilityId, verified: false, trial: { verdict: "different" } });
    expect(await pml.execute({ capability: "job:do_it" })).toMatchObject({
      result: { text: "text of left.txt then text of right.txt" },
    });
  });

  it("is told in which run it differed, and how, without the secrets of that", async () => {
    const { pml } = await openWith("pay");
    const { details } = await refusalOf(
      pml,
      BEFORE.pay.code.replace("to: args.to", "to: args.to + ' sk-proj-Ab3dEf6hIj9kLmN0pQrStUvWxYz1234567890'"),
    );
    expect(details["traceIds"]).toHaveLength(2);
    expect(details["differences"]).toMatchObject([
      { kind: "arguments", tool: "bank:pay", expected: { from: "rich", to: "baker", amount: 5 } },
    ]);
    expect(JSON.stringify(details)).not.toContain("Ab3dEf6hIj9");
  });

  it("may be one that only does things in another order", async () => {
    const { tools } = createShopTools();
    const pml = await open({ tools });
    const [mark, send] = [`await mcp.shop.mark({ id: 1 });`, `await mcp.mail.send({ to: "a" });`];
    await pml.execute({ intent: "mark, then tell", code: `${mark} ${send} return 1`, name: "job:do_it" });
    for (const code of [
      `${send} ${mark} return 1`,
      `await Promise.all([mcp.shop.mark({ id: 1 }), mcp.mail.send({ to: "a" })]); return 1`,
    ])
      expect((await refusalOf(pml, code)).details["differences"]).toMatchObject([{ kind: "order" }]);
  });
});

describe("where no recorded run can tell, a version takes over as unproven:", () => {
  it("as nothing has run", async () => {
    const pml = await open({ tools: createShopTools().tools });
    await pml.capabilities.create({ intent: "mark it", code: `return mcp.shop.mark({ id: 1 })`, name: "job:do_it" });
    const updated = await pml.names.update("job:do_it", { code: `return mcp.shop.mark({ id: 2 })` });
    expect(updated).toMatchObject({ version: 2, verified: false, trial: { verdict: "unproven", traceIds: [] } });
  });

  it("as what ran does not repeat itself", async () => {
    const pml = await open({ tools: createShopTools().tools, limits: { maxResultBytes: 2_000_000 } });
    const code = `const { text } = await mcp.fs.read({ path: args.path }); return text.length`;
    const path = "x".repeat(100_000);
    await pml.execute({ intent: "measure it", code, context: { path }, name: "job:do_it" });
    expect(await pml.names.update("job:do_it", { code: `${code} + 1` })).toMatchObject({
      trial: { verdict: "unproven" },
    });
  });
});
