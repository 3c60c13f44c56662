import type { Pml, PmlOptions } from "@pml/core";
import { describe, expect, it } from "vitest";

import { usePml } from "./pml-world.js";
import { TWO, useWeb } from "./web-world.js";

const { open: openPml } = usePml();
const { tools } = useWeb();
const open = (options: PmlOptions): Promise<Pml> =>
  openPml({ tools, cache: { exact: false, capability: false } as never, ...options });

async function learnThen(options: PmlOptions, again: (pml: Pml) => Promise<unknown>): Promise<number> {
  const pml = await open(options);
  await pml.execute({ intent: "look both up", code: TWO, context: { id: "1" }, name: "web:look_up", cache: false });
  await again(pml);
  return pml.metrics().prefetches;
}
const run = (pml: Pml): Promise<unknown> =>
  pml.execute({ intent: "look both up", code: TWO, context: { id: "2" }, cache: false });

describe("nothing is called ahead of time", () => {
  const [get, ...others] = tools;
  const withGet = (change: object): PmlOptions => ({ tools: [{ ...get, ...change } as never, ...others] });

  it("unless the memory is as it comes", async () => {
    expect(await learnThen({}, run)).toBe(2);
  });

  it.each<[string, PmlOptions]>([
    ["where it is switched off", { prefetch: false }],
    ["of a tool that does not say that it only reads", withGet({ annotations: {} })],
    [
      "of a tool that may destroy something",
      withGet({ annotations: { readOnlyHint: true, destructiveHint: true }, approval: "auto" }),
    ],
    [
      "of a tool that a person is asked for",
      { ...withGet({ approval: "required" }), approval: { onApproval: () => ({ approved: true }) } },
    ],
    ["of a tool whose host forbids it", withGet({ prefetch: false })],
    ["where no guess is sure enough", { prefetch: { leastConfidence: 0.9 } }],
  ])("%s", async (_, options) => {
    expect(await learnThen({ permissions: "privileged", ...options }, run)).toBe(0);
  });

  it.each<[string, (pml: Pml) => Promise<unknown>]>([
    ["in a dry run", (pml) => pml.dryRun({ capability: "web:look_up", context: { id: "2" } })],
    ["in a replay", async (pml) => pml.replay({ traceId: (await pml.store.listTraces())[0]?.id ?? "" })],
    [
      "between layers that a person looks at",
      (pml) => pml.execute({ capability: "web:look_up", args: { id: "2" }, perLayerValidation: true, cache: false }),
    ],
    [
      "in code that picks its tools while it runs",
      (pml) =>
        pml.execute({
          intent: "x",
          code: `${TWO.replace("return", "await mcp[id].get({}); return")}`,
          context: { id: "2" },
        }),
    ],
  ])("%s", async (_, again) => {
    expect(await learnThen({ approval: { onApproval: () => ({ approved: true }) } }, again)).toBe(0);
  });

  it("in a run that is taken up after a question", async () => {
    const pml = await open({
      permissions: "privileged",
      tools: [...tools, { id: "x:ask", description: "", approval: "required", execute: () => 1 }],
    });
    const code = `await mcp.x.ask({}); ${TWO}`;
    for (const id of ["1", "2"]) {
      const { workflowId } = await pml.execute({
        intent: "ask, then look both up",
        code,
        context: { id },
        cache: false,
      });
      expect(await pml.approve(workflowId)).toMatchObject({ status: "success" });
    }
    expect(pml.metrics().prefetches).toBe(0);
  });
});
