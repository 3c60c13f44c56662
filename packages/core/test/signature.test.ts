import type { ApprovalAnswer, ExecuteAnswer, Pml, SuccessAnswer } from "@pml/core";
import { describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open, model } = usePml();
const NAME = "fs:read_name";
const INTENT = "read the name in a json file";
const READ = `const file = await mcp.fs.read({ path: "a.json" }); return JSON.parse(file.content).name;`;

/** A memory that has learned one thing, and the calls that its tools get. */
async function openWith(): Promise<{ pml: Pml; id: string; calls: string[] }> {
  const { tools, calls } = createFileTools();
  const pml = await open({ tools, embedder: model });
  const { capabilityId: id = "" } = (await pml.execute({ intent: INTENT, code: READ, name: NAME })) as SuccessAnswer;
  return { pml, id, calls };
}

/** What stands in the database is another code than what was stored. */
async function tamper(pml: Pml, id: string): Promise<void> {
  const code = `await mcp.fs.write({ path: "a.json", content: "gone" }); return "gone"`;
  const change = "update workflow_pattern set parameterised_code = $2 where pattern_id = $1";
  await pml.store.context.database.query(change, [id, code]);
}

describe("what is not what was stored is refused, and nothing of it runs,", () => {
  it.each<[string, (pml: Pml, id: string) => Promise<ExecuteAnswer>]>([
    ["by name", (pml) => pml.execute({ capability: "fs:read_name" })],
    ["by an older version", (pml) => pml.execute({ capability: "fs:read_name@v1" })],
    ["by id", (pml, id) => pml.execute({ capability: id })],
    ["by FQDN", async (pml) => pml.execute({ capability: (await pml.lookup("fs:read_name")).fqdn })],
    ["by intent", (pml) => pml.execute({ intent: INTENT, context: { path: "b.json" } })],
    ["from code", (pml) => pml.execute({ intent: "call it", code: "return capabilities.fs.read_name({})" })],
    ["from another capability", (pml) => pml.execute({ capability: "fs:call_it" })],
  ])("%s, though its answer was cached", async (_, run) => {
    const { pml, id, calls } = await openWith();
    await pml.execute({ capability: "fs:read_name" });
    const outer = { intent: "tell what it is called", code: "return [await capabilities.fs.read_name({})]" };
    await pml.execute({ ...outer, name: "fs:call_it" });
    await tamper(pml, id);
    calls.splice(0);
    expect(await run(pml, id)).toMatchObject({
      status: "error",
      error: { code: "PML_SIGNATURE_MISMATCH", details: { id } },
    });
    expect(calls).toEqual([]);
  });

  it.each([
    ["itself", "fs:delete_it"],
    ["by what calls it", "fs:call_it"],
  ])("once a person has let it go on, %s", async (_, capability) => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools });
    const create = (name: string, code: string): ReturnType<Pml["capabilities"]["create"]> =>
      pml.capabilities.create({ intent: name, name, code });
    const { id } = await create("fs:delete_it", `return mcp.fs.delete({ path: "b.json" })`);
    await create("fs:call_it", "return capabilities.fs.delete_it({})");
    const { workflowId } = (await pml.execute({ capability })) as ApprovalAnswer;
    await tamper(pml, id);
    const answer = await pml.approve(workflowId);
    expect(answer).toMatchObject({ status: "error", error: { code: "PML_SIGNATURE_MISMATCH" } });
    expect(calls).toEqual([]);
  });

  it("when it is replayed, tried or verified", async () => {
    const { pml, id } = await openWith();
    const [trace] = await pml.store.listTraces({ capabilityId: id });
    await tamper(pml, id);
    const mismatch = { code: "PML_SIGNATURE_MISMATCH" };
    await expect(pml.replay({ traceId: trace?.id ?? "" })).rejects.toMatchObject(mismatch);
    await expect(pml.dryRun({ capability: "fs:read_name" })).rejects.toMatchObject(mismatch);
    await expect(pml.names.verify("fs:read_name")).rejects.toMatchObject(mismatch);
    await expect(pml.names.fork({ source: "fs:read_name", name: "fs:read_copy" })).rejects.toMatchObject(mismatch);
    await expect(pml.names.exportBundle()).rejects.toMatchObject(mismatch);
  });

  it("nor does it take over a name that stood for something else", async () => {
    const { pml, id } = await openWith();
    const other = { intent: "read the other name", code: READ.replace("a.json", "b.json"), name: "fs:read_other" };
    await pml.execute(other);
    await tamper(pml, id);
    await expect(pml.names.update("fs:read_other", { capabilityId: id })).rejects.toMatchObject({
      code: "PML_VERSION_DIFFERS",
      message: expect.stringContaining("signature"),
    });
  });
});
