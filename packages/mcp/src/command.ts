import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createPml, type Logger, type Pml, type Scope } from "@pml/core";

import { connectMcpServers, type McpServers } from "./client/connect-mcp-servers.js";
import type { McpServersConfig } from "./client/server-config.js";
import { STARTED_BY_PML } from "./client/transport.js";
import { McpAdapterError } from "./error.js";
import { createMcpServer } from "./server/create-mcp-server.js";
import { VERSION } from "./version.js";

const USAGE = `pml-mcp [--data <directory>] [--config <file>] [--org <name>] [--project <name>] [--actor <name>]

Serves a memory over stdio, as an MCP server.

  --data      directory of the memory; kept in the process if not given
  --config    JSON with the usual mcpServers: servers whose tools the memory can call
  --org, --project, --actor    whose memory it is
  --version, --help
`;

interface Settings {
  dataDir: string | undefined;
  config: McpServersConfig;
  scope: Partial<Scope>;
}

/** Resolves to the exit code, once the client has gone. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const { values } = parseArgs({ args: [...argv], options: OPTIONS });
    if (values.help === true) return say(USAGE);
    if (values.version === true) return say(`${VERSION}\n`);
    await serve(readSettings(values));
    return 0;
  } catch (error) {
    process.stderr.write(`pml-mcp: ${(error as Error).message}\n`);
    return 1;
  }
}

const OPTIONS = {
  data: { type: "string" },
  config: { type: "string" },
  org: { type: "string" },
  project: { type: "string" },
  actor: { type: "string" },
  version: { type: "boolean" },
  help: { type: "boolean" },
} as const;

type Values = { [Name in keyof typeof OPTIONS]?: (typeof OPTIONS)[Name]["type"] extends "string" ? string : boolean };

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

function readSettings({ data, config, org, project, actor }: Values): Settings {
  if (process.env[STARTED_BY_PML] !== undefined)
    throw new McpAdapterError(
      "MCP_CONFIG_INVALID",
      "It was started by another pml-mcp: take it out of the --config of that one.",
    );
  return {
    dataDir: data,
    config: config === undefined ? {} : readConfig(config),
    scope: {
      ...(org !== undefined && { org }),
      ...(project !== undefined && { project }),
      ...(actor !== undefined && { actor }),
    },
  };
}

function readConfig(file: string): McpServersConfig {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as McpServersConfig;
  } catch (error) {
    throw new McpAdapterError("MCP_CONFIG_INVALID", `${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Standard output belongs to the protocol. */
const logger: Logger = {
  warn: (message, details) => void process.stderr.write(`pml-mcp: ${message} ${JSON.stringify(details)}\n`),
};

/** A client is answered as soon as the memory is open; servers come as they are ready. */
async function serve({ dataDir, config, scope }: Settings): Promise<void> {
  const [pml, servers] = await openBoth(
    createPml({ ...(dataDir !== undefined && { dataDir }), scope, logger }),
    connectMcpServers(config, { logger, waitMs: 0 }),
  );
  await servers.follow(pml);
  await untilGone(() => createMcpServer(pml, { servers, logger }));
  await servers.close();
  await pml.close();
}

/** If one cannot be opened the other is closed, so that no child is left behind. */
async function openBoth(memory: Promise<Pml>, connecting: Promise<McpServers>): Promise<[Pml, McpServers]> {
  const [pml, servers] = await Promise.allSettled([memory, connecting]);
  if (pml.status === "fulfilled" && servers.status === "fulfilled") return [pml.value, servers.value];
  if (pml.status === "fulfilled") await pml.value.close();
  if (servers.status === "fulfilled") await servers.value.close();
  throw (pml.status === "rejected" ? pml.reason : (servers as PromiseRejectedResult).reason) as Error;
}

/** Serves until the client closes our input, or somebody asks us to end. */
function untilGone(create: () => ReturnType<typeof createMcpServer>): Promise<void> {
  return new Promise((resolve) => {
    const handle = serveStdio(create, {
      onerror: (error) => logger.warn("The connection has a fault.", { reason: error.message }),
    });
    const end = (): void => void handle.close().finally(resolve);
    process.stdin.once("end", end);
    process.stdin.once("close", end);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  });
}
