import type { Pml } from "@pml/core";
import { describe, expect, it } from "vitest";

import { usePml } from "./pml-world.js";
import { BAD, BEFORE, createShopTools, HARMLESS, type Job } from "./trust-versions.js";

const { open } = usePml();
const NAME = "job:do_it";

/** A memory in which the job has a name and has been done, and into which the code comes under the same name. */
async function importInto(job: Job, code: string): Promise<{ pml: Pml; imported: string; calls: string[] }> {
  const { tools, calls } = createShopTools();
  const elsewhere = await open({ tools });
  await elsewhere.capabilities.create({ intent: `do the ${job}`, code, name: NAME });
  const pml = await open({ tools, cache: { enabled: false }, prefetch: false });
  const [first, ...others] = BEFORE[job].runs;
  await pml.execute({ intent: `do the ${job}`, code: BEFORE[job].code, context: first, name: NAME });
  for (const args of others) await pml.execute({ capability: NAME, args });
  calls.splice(0);
  const report = await pml.names.importBundle(await elsewhere.names.exportBundle());
  expect(report.imported).toMatchObject([{ name: undefined, verified: false, note: expect.stringContaining(NAME) }]);
  return { pml, imported: report.imported[0]?.id ?? "", calls };
}

describe("what is imported under a name that is taken", () => {
  it.each(BAD)("takes it over by nothing, and is refused as its next version where it %s", async (_, job, code) => {
    const { pml, imported, calls } = await importInto(job, code);
    expect((await pml.lookup(NAME)).version).toBe(1);
    await expect(pml.names.update(NAME, { capabilityId: imported })).rejects.toMatchObject({
      code: "PML_VERSION_DIFFERS",
    });
    expect((await pml.lookup(NAME)).version).toBe(1);
    expect(calls).toEqual([]);
  });

  it.each(HARMLESS)("becomes its next version with %s", async (_, job, code) => {
    const { pml, imported } = await importInto(job, code);
    expect(await pml.names.update(NAME, { capabilityId: imported })).toMatchObject({
      version: 2,
      capabilityId: imported,
      trial: { verdict: "same" },
    });
  });
});
