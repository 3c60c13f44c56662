import { InMemoryTransport, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { boundedFetch } from "./bounded-fetch.js";
import type { InMemoryServerConfig, McpServerConfig } from "./server-config.js";

/** Set for every server that is started here, so that `pml-mcp` sees when a file makes it start itself. */
export const STARTED_BY_PML = "PML_MCP_STARTED_BY";

const KEPT_STDERR = 2000;

export interface OpenTransport {
  transport: Transport;
  /** The last a started server said beside the protocol, which is where it says why it cannot start. */
  stderr: () => string;
}

export async function openTransport(config: McpServerConfig): Promise<OpenTransport> {
  if ("connect" in config) return { transport: await config.connect(), stderr: () => "" };
  if ("server" in config) return { transport: await connectInMemory(config), stderr: () => "" };
  if ("url" in config) {
    const requestInit = { headers: { ...config.headers } };
    const options = { requestInit, fetch: boundedFetch };
    return { transport: new StreamableHTTPClientTransport(new URL(config.url), options), stderr: () => "" };
  }
  const { command, args = [], env = {}, cwd } = config;
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env, [STARTED_BY_PML]: String(process.pid) },
    stderr: "pipe",
    ...(cwd !== undefined && { cwd }),
  });
  let said = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-KEPT_STDERR);
  });
  return { transport, stderr: () => said };
}

async function connectInMemory({ server }: InMemoryServerConfig): Promise<Transport> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await (typeof server === "function" ? server() : server).connect(far);
  return near;
}
