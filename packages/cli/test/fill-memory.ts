import { createPml, type Tool } from "@pml/core";

const HOSTILE = "mail \u001b]0;owned\u0007\u001b[2J\u202eeman ruoy\u009b31m";

const tools: Tool[] = [
  {
    id: "fs:read",
    description: "Read a file as text",
    inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    annotations: { readOnlyHint: true },
    execute: ({ path }) => ({ content: `content of ${String(path)}` }),
  },
  {
    id: "mail:send",
    description: HOSTILE,
    inputSchema: { type: "object" },
    annotations: { destructiveHint: true },
    execute: () => ({ sent: true }),
  },
];

/** A memory with something in it for every command. */
export async function fillMemory(dataDir: string): Promise<void> {
  const memory = await createPml({ dataDir, tools });
  const read = `const file = await mcp.fs.read({ path: "a.txt" }); return file.content.toUpperCase();`;
  await memory.execute({ intent: "shout what is in a file", code: read, name: "fs:shout_file" });
  await memory.names.update("fs:shout_file", {
    code: read.replace("Upper", "Lower"),
    changeSummary: "Whispers",
    acceptDifferences: true,
  });
  await memory.capabilities.create({ intent: HOSTILE, code: "return mcp.mail.send({})", name: "mail:send_all" });
  const add = "return { sum: a + b, of: [a, b] };";
  await memory.execute({ intent: "add two numbers", code: add, context: { a: 1, b: 2 }, name: "util:add_two" });
  await memory.execute({ intent: "greet somebody", code: "return `Hello, ${who}`;", context: { who: "Ada" } });
  await memory.close();
}
