import { fromAiSdkTools } from "@pml/ai-sdk";
import type { Tool } from "@pml/core";
import { dynamicTool, jsonSchema, tool, type ToolSet } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const call = (given: Tool | undefined, args: Record<string, unknown>): Promise<unknown> =>
  Promise.resolve(given?.execute(args, { signal: new AbortController().signal }));

async function* countToTwo(): AsyncGenerator<number> {
  yield 1;
  yield 2;
}

describe("tools of the AI SDK in a memory", () => {
  it("keep their names, descriptions and schemas", async () => {
    const tools = {
      read: tool({
        description: "Read a file",
        inputSchema: z.object({ path: z.string() }),
        outputSchema: z.object({ content: z.string() }),
        execute: () => ({ content: "" }),
      }),
      "get-it": dynamicTool({ inputSchema: jsonSchema({ type: "object" }), execute: () => Promise.resolve(1) }),
    };
    const annotations = { read: { readOnlyHint: true } };
    expect(await fromAiSdkTools(tools, { server: "fs", annotations })).toMatchObject([
      {
        id: "fs:read",
        description: "Read a file",
        inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
        outputSchema: { properties: { content: { type: "string" } } },
        annotations: { readOnlyHint: true },
      },
      { id: "fs:get-it", description: "fs:get-it", inputSchema: { type: "object" } },
    ]);
  });

  it("are given what their own schema makes of the input", async () => {
    const inputSchema = z.object({ city: z.string().trim().min(2).default("Lyon") });
    const [converted] = await fromAiSdkTools({ where: tool({ inputSchema, execute: ({ city }) => city }) });
    expect(await call(converted, {})).toBe("Lyon");
    expect(await call(converted, { city: " Oslo " })).toBe("Oslo");
    await expect(call(converted, { city: "   x" })).rejects.toMatchObject({ code: "PML_INVALID_ARGUMENTS" });
  });

  it("that stream give the last of it", async () => {
    const inputSchema = z.object({});
    const [streaming] = await fromAiSdkTools({ count: tool({ inputSchema, execute: countToTwo }) });
    expect(await call(streaming, {})).toBe(2);
  });

  it("that fail fail with what they said, and hear of an abort", async () => {
    const signals: unknown[] = [];
    const inputSchema = z.object({});
    const fail = tool({
      inputSchema,
      execute: (_, { abortSignal }): Promise<string> => {
        signals.push(abortSignal);
        return Promise.reject(new Error("no such city"));
      },
    });
    const [failing] = await fromAiSdkTools({ fail });
    await expect(call(failing, {})).rejects.toThrow("no such city");
    expect(signals).toEqual([expect.any(AbortSignal)]);
  });

  it.each<[string, ToolSet[string]["needsApproval"], string | undefined]>([
    ["always", true, "required"],
    ["perhaps", () => false, "required"],
    ["never", false, undefined],
  ])("that %s need approval are asked for: %s", async (_, needsApproval, approval) => {
    const send = { ...tool({ inputSchema: z.object({}), execute: () => 1 }), needsApproval };
    expect((await fromAiSdkTools({ send } as ToolSet))[0]?.approval).toBe(approval);
  });

  it("that cannot run here are refused by name", async () => {
    const ask = tool({ description: "Asks in the browser", inputSchema: z.object({}) });
    await expect(fromAiSdkTools({ ask } as unknown as ToolSet)).rejects.toThrow(/app:ask has no execute/);
  });
});
