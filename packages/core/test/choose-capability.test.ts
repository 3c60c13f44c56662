import type { Pml } from "@pml/core";
import { describe, expect, it } from "vitest";

import { createFileTools, usePml } from "./pml-world.js";

const { open, model } = usePml();
const READ = "const file = await mcp.fs.read({ path }); return JSON.parse(file.content).name;";
const intent = "what name does a.json have";

describe("what runs by itself", () => {
  it("is found although values and wording are others", async () => {
    const pml = await open({ tools: createFileTools().tools, embedder: model });
    await pml.execute({ intent, code: READ, context: { path: "a.json" } });
    const answer = await pml.execute({ intent: "the name that b.json has", context: { path: "b.json" } });
    expect(answer).toMatchObject({ status: "success", result: "b", mode: "speculation" });
  });

  it("has a use for every value that the intent names", async () => {
    const { tools, calls } = createFileTools();
    const pml = await open({ tools, embedder: model });
    await pml.execute({ intent, code: READ, context: { path: "a.json" } });
    const context = { path: "b.json", language: "French" };
    const answer = await pml.execute({ intent: "what name does b.json have in French", context });
    expect(answer.status).toBe("suggestions");
    expect(calls).toHaveLength(1);
  });

  it("may leave unused what the intent does not name", async () => {
    const pml = await open({ tools: createFileTools().tools, embedder: model });
    await pml.execute({ intent, code: READ, context: { path: "a.json" } });
    const context = { path: "b.json", locale: "fr-FR" };
    const answer = await pml.execute({ intent: "what name does b.json have", context });
    expect(answer).toMatchObject({ status: "success", result: "b" });
  });

  it("is not remembered as a wording of what it ran", async () => {
    const pml = await open({ tools: createFileTools().tools, embedder: model });
    await pml.execute({ intent, code: READ, context: { path: "a.json" } });
    await pml.execute({ intent: "the name that b.json has", context: { path: "b.json" } });
    const past = await pml.store.listPastIntents();
    expect(past.map((each) => each.intent)).toEqual(["what name does path have"]);
  });

  it("counts as right when the conversation goes on, and as wrong when code for the same comes", async () => {
    const pml = await open({ tools: createFileTools().tools, embedder: model });
    const conversation = "one";
    await pml.execute({ intent, code: READ, context: { path: "a.json" }, conversation });
    await pml.execute({ intent, context: { path: "b.json" }, conversation });
    await pml.execute({ intent: "send an e-mail to my boss", context: {}, conversation });
    expect(pml.metrics().wrongRuns).toBe(0);
    await pml.execute({ intent, context: { path: "b.json" }, conversation });
    await pml.execute({ intent, code: READ, context: { path: "b.json" }, conversation });
    expect(pml.metrics().wrongRuns).toBe(1);
  });
});

describe("how a decision turned out", () => {
  const conversation = "one";
  const told = { intent: "greet somebody in writing", context: { path: "a.json" }, conversation };

  it("is not known of a run that failed: it served nobody", async () => {
    const { tools } = createFileTools();
    const pml = await open({ tools, embedder: model });
    await pml.execute({ intent, code: READ, context: { path: "a.json" } });
    const failed = await pml.execute({ intent, context: { path: "missing.json" }, conversation });
    expect(failed.status).toBe("error");
    await pml.execute({ intent: "send an e-mail to my boss", context: {}, conversation });
    expect(await countOutcomes(pml)).toEqual({ right: 0, wrong: 0 });
  });

  it.each([
    ["right where it is then called", { right: 1, wrong: 0 }, (id: string) => ({ capability: id })],
    ["right where code for it joins it", { right: 1, wrong: 0 }, () => ({ intent: told.intent, code: READ })],
    [
      "wrong where other code is written",
      { right: 0, wrong: 1 },
      () => ({ intent: told.intent, code: "return 'hello'" }),
    ],
    [
      "unknown where something else is asked",
      { right: 0, wrong: 0 },
      () => ({ intent: "tell the time", code: "return 1" }),
    ],
  ] as const)("is, of what was only offered, %s", async (_, counted, next) => {
    const pml = await open({ tools: createFileTools().tools, embedder: model });
    const first = await pml.execute({
      intent: told.intent,
      code: READ,
      context: { path: "b.json" },
      name: "fs:read_name",
    });
    if (first.status !== "success") throw new Error(first.status);
    const offered = await pml.execute({ ...told, intent: "write down a greeting" });
    expect(offered).toMatchObject({ status: "suggestions", decision: "suggest" });
    expect(
      (await pml.execute({ ...next(first.capabilityId ?? ""), context: { path: "a.json" }, conversation } as never))
        .status,
    ).toBe("success");
    expect(await countOutcomes(pml)).toEqual(counted);
    await pml.forget({ traceId: (await pml.store.listTraces())[0]?.id ?? "" });
    expect(await countOutcomes(pml)).toEqual({ right: 0, wrong: 0 });
  });

  it("is to be abstained from where nothing known is anywhere near: no capability is offered", async () => {
    const pml = await open({ tools: createFileTools().tools, embedder: model });
    await pml.execute({ intent, code: READ, context: { path: "a.json" } });
    const answer = await pml.execute({ intent: "translate this song into Basque", context: { path: "a.json" } });
    expect(answer).toMatchObject({ status: "suggestions", decision: "abstain", suggestions: { capabilities: [] } });
    expect(answer).toHaveProperty("reason", expect.stringContaining("nothing known does this"));
  });
});

/** Of automatic runs, and of what might have been one. */
async function countOutcomes(pml: Pml): Promise<{ right: number; wrong: number }> {
  const state = await pml.store.findLearnedState({ kind: "adaptive_threshold", key: "all" });
  const { contexts = [] } = (state ?? {}) as { contexts?: { younger: [number, number, number][] }[] };
  const rows = contexts.flatMap(({ younger }) => younger);
  const sum = (at: 1 | 2): number => rows.reduce((total, row) => total + row[at], 0);
  return { right: sum(1), wrong: sum(2) };
}
