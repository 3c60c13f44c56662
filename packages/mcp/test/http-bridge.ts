import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { getRequestListener } from "@hono/node-server";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";

import { BIN } from "./command-world.js";

export interface Bridge {
  url: string;
  close(): Promise<void>;
}

/** `pml-mcp` behind streamable HTTP, one for each session: message by message, and nothing of its own. */
export async function openBridge(args: readonly string[]): Promise<Bridge> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const near: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, near),
    });
    await join(near, new StdioClientTransport({ command: process.execPath, args: [BIN, ...args], stderr: "ignore" }));
    return near;
  };
  const server = createServer(
    getRequestListener(async (request) => {
      const session = sessions.get(request.headers.get("mcp-session-id") ?? "");
      return (session ?? (await open())).handleRequest(request);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      for (const each of sessions.values()) await each.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Joinable = Pick<Transport, "start" | "send" | "close" | "onmessage" | "onclose">;

async function join(near: Joinable, far: Joinable): Promise<void> {
  const pass =
    (to: Joinable) =>
    (message: JSONRPCMessage): void =>
      void to.send(message).catch(() => undefined);
  /* oxlint-disable unicorn/prefer-add-event-listener -- transports are no EventTargets */
  near.onmessage = pass(far);
  far.onmessage = pass(near);
  near.onclose = () => void far.close();
  /* oxlint-enable */
  await far.start();
  await near.start();
}
