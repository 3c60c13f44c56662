import { ToolMessage } from "@langchain/core/messages";
import { DynamicTool, tool } from "@langchain/core/tools";
import type { Tool } from "@pml/core";
import { fromLangChainTools } from "@pml/langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const call = async (given: Tool | undefined, args: Record<string, unknown>): Promise<unknown> =>
  given?.execute(args, { signal: new AbortController().signal });

const echo = tool((input: Record<string, unknown>) => input, {
  name: "echo",
  description: "Says it again",
  schema: { type: "object", properties: {}, additionalProperties: true },
});

describe("tools of LangChain in a memory", () => {
  it("keep their names, descriptions and schemas", () => {
    const schema = z.object({ path: z.string() });
    const read = tool(() => "", { name: "read", description: "Read a file", schema });
    const annotations = { read: { readOnlyHint: true } };
    expect(fromLangChainTools([read, echo], { server: "fs", annotations })).toMatchObject([
      {
        id: "fs:read",
        description: "Read a file",
        inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
        annotations: { readOnlyHint: true },
      },
      { id: "fs:echo", inputSchema: { type: "object", additionalProperties: true } },
    ]);
  });

  it("give what they return, be it an object", async () => {
    expect(await call(fromLangChainTools([echo])[0], { a: [1, { b: null }] })).toEqual({ a: [1, { b: null }] });
  });

  it("that answer with a message give its content", async () => {
    const schema = z.object({});
    const answer = tool(() => new ToolMessage({ content: "hello", tool_call_id: "1" }), { name: "say", schema });
    expect(await call(fromLangChainTools([answer])[0], {})).toBe("hello");
  });

  it("that take a single text can be called too", async () => {
    const shout = new DynamicTool({
      name: "shout",
      description: "",
      func: (text) => Promise.resolve(text.toUpperCase()),
    });
    const [converted] = fromLangChainTools([shout]);
    expect(converted).toMatchObject({ id: "app:shout", description: "shout" });
    expect(await call(converted, { input: "hey" })).toBe("HEY");
  });

  it("that fail fail with what they said", async () => {
    const fail = tool((): string => raise("no such city"), { name: "fail", schema: z.object({}) });
    await expect(call(fromLangChainTools([fail])[0], {})).rejects.toThrow("no such city");
  });
});

function raise(message: string): never {
  throw new Error(message);
}
