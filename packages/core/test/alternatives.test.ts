import type { ErrorAnswer, SuccessAnswer, Tool } from "@pml/core";
import { describe, expect, it } from "vitest";

import { usePml } from "./pml-world.js";

const { open } = usePml();

function createTool(id: string, isUp: () => boolean = () => true): Tool {
  return {
    id,
    description: id,
    execute() {
      if (!isUp()) throw new Error("down");
      return id;
    },
  };
}

describe("alternatives", () => {
  it("come the most reliable first, and the best that has its inputs runs, which is said", async () => {
    let up = true;
    const tools = ["a:get", "b:get", "c:get", "d:get"].map((id) => createTool(id, () => up || id !== "a:get"));
    const pml = await open({ tools, cache: { enabled: false } });
    const intent = "get the weather";
    const learn = async (code: string, context = {}): Promise<string> =>
      ((await pml.execute({ intent, code, context })) as SuccessAnswer).capabilityId ?? "";
    const a = await learn("return mcp.a.get({})");
    await learn("return mcp.b.get({})");
    const c = await learn("return mcp.c.get({})");
    const d = await learn("return mcp.d.get({ town: args.town })", { town: "Ulm" });
    for (let time = 0; time < 3; time++) await pml.execute({ capability: c });
    for (let time = 0; time < 6; time++) await pml.execute({ capability: d, args: { town: "Ulm" } });
    up = false;
    const failed = (await pml.execute({ capability: a })) as ErrorAnswer;
    expect(failed.alternatives?.map(({ capabilityId }) => capabilityId).slice(0, 2)).toEqual([d, c]);
    // The best needs a town.
    const saved = (await pml.execute({ capability: a, fallback: true })) as SuccessAnswer;
    expect(saved).toMatchObject({ status: "success", result: "c:get", capabilityId: c });
    expect(saved.warnings?.[0]).toContain("SANDBOX_TOOL_FAILED");
  });

  it("stand in for a capability whose tool is gone, and are none when their own is", async () => {
    const pml = await open({ tools: ["a:get", "b:get"].map((id) => createTool(id)) });
    const intent = "get the weather";
    const [a, b] = [
      await pml.execute({ intent, code: "return mcp.a.get({})" }),
      await pml.execute({ intent, code: "return mcp.b.get({})" }),
    ];
    const [first, second] = [a, b].map((answer) => (answer as SuccessAnswer).capabilityId ?? "");
    await pml.tools.remove("a:get");
    const refused = await pml.execute({ capability: first ?? "" });
    expect(refused).toMatchObject({
      error: { code: "PML_CAPABILITY_DEGRADED" },
      alternatives: [{ capabilityId: second }],
    });
    expect(await pml.execute({ capability: first ?? "", fallback: true })).toMatchObject({ result: "b:get" });
    await pml.tools.remove("b:get");
    const alone = (await pml.execute({ capability: first ?? "", fallback: true })) as ErrorAnswer;
    expect(alone.alternatives).toBeUndefined();
  });

  it("are not tried for a run that somebody stopped", async () => {
    let isStuck = false;
    const stuck: Tool = { ...createTool("a:get"), execute: () => (isStuck ? new Promise(() => {}) : "a") };
    const calls: string[] = [];
    const other: Tool = { ...createTool("b:get"), execute: () => calls.push("b") };
    const pml = await open({ tools: [stuck, other] });
    const intent = "get the weather";
    const { capabilityId = "" } = (await pml.execute({ intent, code: "return mcp.a.get({})" })) as SuccessAnswer;
    isStuck = true;
    await pml.execute({ intent, code: "return mcp.b.get({})" });
    const controller = new AbortController();
    const running = pml.execute({ capability: capabilityId, fallback: true, signal: controller.signal, cache: false });
    setTimeout(() => controller.abort(), 100);
    expect(await running).toMatchObject({ status: "error", error: { code: "SANDBOX_ABORTED" } });
    expect(calls).toHaveLength(1);
  });
});
