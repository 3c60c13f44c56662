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
