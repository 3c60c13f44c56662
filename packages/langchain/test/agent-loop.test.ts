import { fakeModel } from "@langchain/core/testing";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createPml, type Pml } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import { fromLangChainTools, pmlTools } from "@pml/langchain";
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware } from "langchain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { readLast, type Script, ScriptedModel, speak, type Turn } from "./scripted-model.js";

const removed: string[] = [];
const weather = tool(({ city }) => ({ city, degrees: 21 }), {
  name: "weather",
  description: "The weather of a city",
  schema: z.object({ city: z.string() }),
});
const remove = tool(({ city }) => (removed.push(city), { removed: city }), {
  name: "remove",
  description: "Remove a city from the list",
  schema: z.object({ city: z.string() }),
});

let pml: Pml;
beforeAll(async () => {
  const annotations = { weather: { readOnlyHint: true }, remove: { destructiveHint: true } };
  pml = await createPml({
    embedder: createHashEmbedder(),
    permissions: "privileged",
    tools: fromLangChainTools([weather, remove], { annotations }),
  });
});
afterAll(() => pml.close());

const ask = (content: string): { messages: { role: "user"; content: string }[] } => ({
  messages: [{ role: "user", content }],
});
/** LangChain's own fake of a model, that goes through a script. */
async function run(script: Script): Promise<string> {
  const model = script.reduce(
    (fake, step) => fake.respond((messages) => speak(typeof step === "function" ? step(readLast(messages)) : step)),
    fakeModel(),
  );
  const agent = createAgent({ model, tools: await pmlTools(pml) });
  return (await agent.invoke(ask("?"))).messages.at(-1)?.text ?? "";
}

const code = `const now = await mcp.app.weather({ city: "Lyon" }); return now.city + ": " + now.degrees;`;
const LEARN: Turn = {
  tool: "pml_execute",
  args: { intent: "how warm is it in Lyon", code, name: "weather:get_degrees" },
};

describe("an agent of LangChain", () => {
  it("discovers, writes code, and is answered", async () => {
    const text = await run([
      { tool: "pml_discover", args: { intent: "the weather of a city" } },
      ({ results }) => {
        expect((results as { id: string }[]).map(({ id }) => id)).toContain("app:weather");
        return LEARN;
      },
      ({ result }) => ({ text: String(result) }),
    ]);
    expect(text).toBe("Lyon: 21");
  });

  it("calls what it learned as a tool with a name of its own", async () => {
    const model = new ScriptedModel([
      { tool: "cap__weather__get_degrees", args: { city: "Oslo" } },
      ({ result }) => ({ text: String(result) }),
    ]);
    const agent = createAgent({ model, tools: await pmlTools(pml) });
    expect((await agent.invoke(ask("And in Oslo?"))).messages.at(-1)?.text).toBe("Oslo: 21");
    expect(model.offered).toContain("cap__weather__get_degrees");
  });

  it("streams the same, part by part", async () => {
    const model = new ScriptedModel([LEARN, ({ result }) => ({ text: `It is ${String(result)} now` })]);
    const agent = createAgent({ model, tools: await pmlTools(pml) });
    const said: string[] = [];
    for await (const [chunk] of await agent.stream(ask("Again?"), { streamMode: "messages" }))
      if (chunk.getType() === "ai" && chunk.text !== "") said.push(chunk.text);
    expect(said).toEqual(["It", " is", " Lyon:", " 21", " now"]);
  });

  it("is told what was wrong with its code, and can mend it", async () => {
    const text = await run([
      { tool: "pml_execute", args: { intent: "x", code: "return await mcp.app.wether({});" } },
      ({ status, error }) => ({ text: `${String(status)} ${JSON.stringify(error)}` }),
    ]);
    expect(text).toMatch(/^error .*app:weather/);
  });

  it("cannot widen what it may do by saying so", async () => {
    const execute = (await pmlTools(pml)).find(({ name }) => name === "pml_execute");
    const args = { intent: "x", code: "return 1;", scope: { project: "other" } };
    await execute?.invoke(args).catch(() => undefined);
    expect(await pml.store.withScope({ project: "other" }).count()).toBe(0);
  });

  it("is not offered to approve, unless the host says so", async () => {
    expect((await pmlTools(pml)).map(({ name }) => name)).not.toContain("pml_approve");
    expect((await pmlTools(pml, { approve: true })).map(({ name }) => name)).toContain("pml_approve");
  });

  it("waits for a person before it approves, and goes on when one has agreed", async () => {
    const model = new ScriptedModel([
      { tool: "pml_execute", args: { intent: "remove Lyon", code: 'return mcp.app.remove({ city: "Lyon" });' } },
      ({ status, approval }) => {
        expect(status).toBe("approval_required");
        return { tool: "pml_approve", args: { approvalId: (approval as { id: string }).id } };
      },
      ({ result }) => ({ text: JSON.stringify(result) }),
    ]);
    // Under exactOptionalPropertyTypes its own type says that it can be given nothing.
    const askFirst: AgentMiddleware = humanInTheLoopMiddleware({ interruptOn: { pml_approve: true } } as never);
    const tools = await pmlTools(pml, { approve: true });
    const agent = createAgent({ model, tools, middleware: [askFirst], checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "1" } };
    const stopped = await agent.invoke(ask("Remove Lyon"), config);
    expect(stopped).toHaveProperty("__interrupt__");
    expect(removed).toEqual([]);
    const done = await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
    expect(done.messages.at(-1)?.text).toBe('{"removed":"Lyon"}');
    expect(removed).toEqual(["Lyon"]);
  });

  it("ends its run when it is aborted", async () => {
    const model = new ScriptedModel([{ tool: "pml_execute", args: { intent: "wait", code: "for (;;) await null;" } }]);
    const agent = createAgent({ model, tools: await pmlTools(pml) });
    const started = performance.now();
    await expect(agent.invoke(ask("?"), { signal: AbortSignal.timeout(300) })).rejects.toThrow(/abort/i);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
