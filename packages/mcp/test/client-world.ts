import type { Pml } from "@pml/core";
import { connectMcpServers, type McpServers } from "@pml/mcp";
import { afterAll, afterEach, beforeAll } from "vitest";

import { openMemory, RawServer } from "./world.js";

export const ECHO = {
  name: "echo",
  description: "Say it again",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
};
export const say = (text: string): object => ({ content: [{ type: "text", text }] });
export const echo = (): RawServer =>
  new RawServer(
    () => [ECHO],
    (_, args) => say(JSON.stringify(args)),
  );
const QUICK = { backoff: { firstMs: 20, longestMs: 50 }, connectTimeoutMs: 3000 };

export interface ClientWorld {
  /** Closed after the test. */
  connected(config: Parameters<typeof connectMcpServers>[0], options?: object): Promise<McpServers>;
}

export function useServers(): ClientWorld {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });
  return {
    async connected(config, options = {}) {
      const servers = await connectMcpServers(config, { ...QUICK, ...options });
      opened.push(servers);
      return servers;
    },
  };
}

/** One memory for all, as it takes a while to make; `remember` takes out the tools of the test before. */
export function useMemory(): { pml: () => Pml; remember(servers: McpServers): Promise<void> } {
  let pml: Pml;
  beforeAll(async () => {
    pml = await openMemory();
  }, 60_000);
  afterAll(() => pml.close());
  return {
    pml: () => pml,
    async remember(servers) {
      for (const { id } of pml.tools.list()) await pml.tools.remove(id);
      await servers.follow(pml);
    },
  };
}

export const call = (
  servers: McpServers,
  id: string,
  args: Record<string, unknown> = {},
  signal: AbortSignal = new AbortController().signal,
): unknown => servers.tools.find((tool) => tool.id === id)?.execute(args, { signal });
