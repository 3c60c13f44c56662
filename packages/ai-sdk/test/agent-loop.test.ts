import { fromAiSdkTools, pmlTools } from "@pml/ai-sdk";
import { createPml, type Pml } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import { generateText, type ModelMessage, stepCountIs, streamText, tool } from "ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { createScriptedModel, lastOutput, type Turn } from "./scripted-model.js";

const removed: string[] = [];
const weather = tool({
  description: "The weather of a city",
  inputSchema: z.object({ city: z.string(), unit: z.enum(["C", "F"]).default("C") }),
  execute: ({ city, unit }) => ({ city, degrees: unit === "C" ? 21 : 70, unit }),
});
const remove = tool({
  description: "Remove a city from the list",
  inputSchema: z.object({ city: z.string() }),
  needsApproval: true,
  execute: ({ city }) => (removed.push(city), { removed: city }),
});

let pml: Pml;
beforeAll(async () => {
  const tools = await fromAiSdkTools({ weather, remove }, { annotations: { weather: { readOnlyHint: true } } });
  pml = await createPml({ embedder: createHashEmbedder(), tools });
});
afterAll(() => pml.close());

const CODE = `const now = await mcp.app.weather({ city: "Lyon" }); return now.city + ": " + now.degrees;`;
const LEARN: Turn = {
  tool: "pml_execute",
  input: { intent: "how warm is it in Lyon", code: CODE, name: "weather:get_degrees" },
};

describe("an agent of the AI SDK", () => {
  it("discovers, writes code, and is answered", async () => {
    const model = createScriptedModel([
      { tool: "pml_discover", input: { intent: "the weather of a city" } },
      (options) => {
        const { results } = lastOutput(options) as { results: { id: string }[] };
        expect(results.map(({ id }) => id)).toContain("app:weather");
        return LEARN;
      },
      (options) => ({ text: String(lastOutput(options)["result"]) }),
    ]);
    const { text, steps } = await generateText({
      model,
      tools: await pmlTools(pml),
      stopWhen: stepCountIs(5),
      prompt: "How warm is it in Lyon?",
    });
    expect(text).toBe("Lyon: 21");
    expect(steps).toHaveLength(3);
  });

  it("calls what it learned as a tool with a name and parameters of its own", async () => {
    const tools = await pmlTools(pml);
    expect(Object.keys(tools)).toContain("cap__weather__get_degrees");
    const model = createScriptedModel([
      { tool: "cap__weather__get_degrees", input: { city: "Oslo" } },
      (options) => ({ text: String(lastOutput(options)["result"]) }),
    ]);
    const { text } = await generateText({ model, tools, stopWhen: stepCountIs(3), prompt: "And in Oslo?" });
    expect(text).toBe("Oslo: 21");
    const offered = model.doGenerateCalls[0]?.tools?.find(({ name }) => name === "cap__weather__get_degrees");
    expect(offered).toMatchObject({ inputSchema: { type: "object", properties: { city: { default: "Lyon" } } } });
  });

  it("streams the same, part by part", async () => {
    const model = createScriptedModel([
      LEARN,
      (options) => ({ text: `It is ${String(lastOutput(options)["result"])} now` }),
    ]);
    const result = streamText({ model, tools: await pmlTools(pml), stopWhen: stepCountIs(3), prompt: "Again?" });
    const seen: string[] = [];
    for await (const part of result.fullStream) seen.push(part.type);
    expect(seen.filter((type) => type === "tool-input-delta").length).toBeGreaterThan(3);
    expect(seen.indexOf("tool-call")).toBeLessThan(seen.indexOf("tool-result"));
    expect(seen.indexOf("tool-result")).toBeLessThan(seen.indexOf("text-delta"));
    expect(await result.text).toBe("It is Lyon: 21 now");
  });

  it("is told what was wrong with its code, and can mend it", async () => {
    const model = createScriptedModel([
      { tool: "pml_execute", input: { intent: "x", code: "return await mcp.app.wether({});" } },
      (options) => ({ text: JSON.stringify(lastOutput(options)["error"]) }),
    ]);
    const { text } = await generateText({ model, tools: await pmlTools(pml), stopWhen: stepCountIs(3), prompt: "?" });
    expect(text).toMatch(/app:weather/);
  });

  it("cannot widen what it may do by saying so", async () => {
    const input = {
      intent: "x",
      code: "return 1;",
      scope: { project: "other" },
      permissions: "privileged",
      learn: false,
    };
    const model = createScriptedModel([
      { tool: "pml_execute", input },
      (options) => ({ text: String(lastOutput(options)["status"]) }),
    ]);
    const { text } = await generateText({ model, tools: await pmlTools(pml), stopWhen: stepCountIs(3), prompt: "?" });
    expect(text).toBe("success");
    expect(await pml.store.withScope({ project: "other" }).count()).toBe(0);
  });

  it("is stopped before it can approve for a person, and goes on when one has agreed", async () => {
    const tools = await pmlTools(pml);
    const code = 'return mcp.app.remove({ city: "Lyon" });';
    const model = createScriptedModel([
      { tool: "pml_execute", input: { intent: "remove Lyon", code } },
      (options) => {
        const { status, approval } = lastOutput(options) as {
          status: string;
          approval: { id: string; tools: unknown[] };
        };
        expect(status).toBe("approval_required");
        expect(approval.tools).toMatchObject([{ id: "app:remove" }]);
        return { tool: "pml_approve", input: { approvalId: approval.id } };
      },
      (options) => ({ text: JSON.stringify(lastOutput(options)["result"]) }),
    ]);
    const messages: ModelMessage[] = [{ role: "user", content: "Remove Lyon" }];
    const asked = await generateText({ model, tools, messages, stopWhen: stepCountIs(5) });
    const request = asked.content.find((part) => part.type === "tool-approval-request");
    expect(request).toMatchObject({ toolCall: { toolName: "pml_approve" } });
    expect(removed).toEqual([]);

    messages.push(...asked.response.messages);
    const approvalId = request?.type === "tool-approval-request" ? request.approvalId : "";
    messages.push({ role: "tool", content: [{ type: "tool-approval-response", approvalId, approved: true }] });
    const { text } = await generateText({ model, tools, messages, stopWhen: stepCountIs(5) });
    expect(text).toBe('{"removed":"Lyon"}');
    expect(removed).toEqual(["Lyon"]);
  });

  it("ends its run when it is aborted", async () => {
    const controller = new AbortController();
    const model = createScriptedModel([
      { tool: "pml_execute", input: { intent: "wait", code: "for (;;) await null;" } },
    ]);
    setTimeout(() => controller.abort(), 300);
    const started = performance.now();
    await generateText({
      model,
      tools: await pmlTools(pml),
      stopWhen: stepCountIs(2),
      prompt: "?",
      abortSignal: controller.signal,
    }).catch(() => undefined);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
