import { randomUUID } from "node:crypto";

import {
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool as McpTool,
} from "@modelcontextprotocol/server";
import { type Logger, type Pml, type Scope, toSafeToolName } from "@pml/core";

import { VERSION } from "../version.js";
import { waitAtMost } from "../wait-at-most.js";
import { callTool } from "./call-tool.js";
import { listCapabilityTools } from "./cap-tools.js";
import { DNS_TOOLS } from "./dns-tools.js";
import { INSTRUCTIONS } from "./instructions.js";
import { LEARN_TOOLS } from "./learn-tools.js";
import { announceChanges } from "./list-changed.js";
import { META_TOOLS } from "./meta-tools.js";
import { PML_TOOLS } from "./pml-tools.js";
import type { ServersBehind, StdContext, StdTool } from "./std-tool.js";

export interface McpServerOptions {
  /** Who asks, and for which project; over that of the memory. */
  scope?: Partial<Scope>;
  /** The servers behind the memory: calls wait a while for those that are being started, and `meta__servers` speaks of them. */
  servers?: ServersBehind;
  /** Tools in one page of `tools/list`. Default 100. */
  pageSize?: number;
  /** Instead of those that tell the model how to use the two calls. */
  instructions?: string;
  logger?: Logger;
}

export const DEFAULT_PAGE_SIZE = 100;
/** For servers that are being started. One that takes longer is not worth it that all calls wait. */
const LONGEST_WAIT_MS = 10_000;

/** A memory as an MCP server, for one connection. Connect it to a transport, or give it to `serveStdio`. */
export function createMcpServer(pml: Pml, options: McpServerOptions = {}): Server {
  const { scope, servers, logger, pageSize = DEFAULT_PAGE_SIZE, instructions = INSTRUCTIONS } = options;
  const server = new Server(
    { name: "pml", title: "Procedural memory", version: VERSION },
    { capabilities: { tools: { listChanged: true } }, instructions },
  );
  const names = scope === undefined ? pml.names : pml.names.withScope(scope);
  const ready = servers?.settled === undefined ? Promise.resolve() : waitAtMost(LONGEST_WAIT_MS, servers.settled);
  const context: StdContext = { pml, names, scope, servers, ready, conversation: randomUUID() };
  const std = [...PML_TOOLS, ...DNS_TOOLS, ...META_TOOLS, ...LEARN_TOOLS];
  const tools = new Map(std.flatMap((tool) => [[nameOf(tool), tool] as const, [tool.id, tool] as const]));
  const warn = (message: string, details: Record<string, unknown>): void => logger?.warn(message, details);
  server.setRequestHandler("tools/list", ({ params }) => listTools(context, { std, pageSize, cursor: params?.cursor }));
  server.setRequestHandler("tools/call", ({ params }, call) => callTool({ context, tools, warn }, params, call));
  announceChanges(server, pml, { scope, warn });
  return server;
}

/** First the tools that are always there, then capabilities; pages are cut from the whole. */
async function listTools(
  context: StdContext,
  { std, pageSize, cursor }: { std: readonly StdTool[]; pageSize: number; cursor: string | undefined },
): Promise<ListToolsResult> {
  const from = cursor === undefined ? 0 : readCursor(cursor);
  const own = std.slice(from, from + pageSize).map(describe);
  const limit = pageSize - own.length;
  const offset = Math.max(0, from - std.length);
  // One more than is shown says whether there is another page.
  const rest = await context.names.listCapabilities({ namedOnly: true, limit: limit + 1, offset });
  const capabilities = limit === 0 ? [] : await listCapabilityTools(context, { limit, offset });
  return {
    tools: [...own, ...capabilities],
    ...((rest.length > limit || from + pageSize < std.length) && { nextCursor: writeCursor(from + pageSize) }),
  };
}

function describe(tool: StdTool): McpTool {
  const { title, description, input, output, hints } = tool;
  return {
    name: nameOf(tool),
    title,
    description,
    inputSchema: input as McpTool["inputSchema"],
    outputSchema: output as McpTool["outputSchema"],
    annotations: { title, openWorldHint: false, ...hints },
  };
}

/** In letters that every client and every model takes. */
function nameOf({ id }: StdTool): string {
  return id.startsWith("pml:") ? id.replace(":", "_") : toSafeToolName(id);
}

function writeCursor(at: number): string {
  return Buffer.from(`at ${at}`).toString("base64url");
}

function readCursor(cursor: string): number {
  const at = /^at (\d{1,9})$/.exec(Buffer.from(cursor, "base64url").toString())?.[1];
  if (at === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "This cursor is not one of ours.");
  return Number(at);
}
