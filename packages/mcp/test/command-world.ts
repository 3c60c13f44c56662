import { join } from "node:path";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import type { Answer } from "./world.js";

export const BIN: string = join(import.meta.dirname, "../bin/pml-mcp.js");

/** A client in the place of an agent, with a `pml-mcp` of its own. */
export async function serve<T>(args: readonly string[], use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StdioClientTransport({ command: process.execPath, args: [BIN, ...args], stderr: "pipe" });
  await client.connect(transport);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

export async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  return (await client.callTool({ name, arguments: args })).structuredContent as Answer;
}
