import { readFileSync } from "node:fs";

import { createPml, inspectDirectory, openPostgres, type Pml } from "@pml/core";
import { connectMcpServers, type McpServers, type McpServersConfig } from "@pml/mcp";

import { CliError } from "./error.js";
import { plainLine } from "./plain-text.js";
import type { Progress } from "./progress.js";
import type { Settings } from "./settings.js";
import type { Terminal } from "./terminal.js";

export interface OpenMemory extends AsyncDisposable {
  pml: Pml;
  /** Of `--config`; undefined when there is none. */
  servers: McpServers | undefined;
}

export interface OpenOptions {
  progress: Progress;
  terminal: Terminal;
  /** Make the directory if it is not there. */
  mayCreate: boolean;
  /** Connect to the servers of `--config`. */
  callsTools: boolean;
}

/** The memory, and the tools it may call. Tools that others bring to it are left as they are. */
export async function openMemory(settings: Settings, options: OpenOptions): Promise<OpenMemory> {
  const { progress, terminal } = options;
  if (!options.mayCreate) await checkExists(settings);
  const config = options.callsTools && settings.config !== undefined ? readConfig(settings.config) : undefined;
  const warn = (message: string): void => {
    progress.clear();
    terminal.writeError(`pml: ${plainLine(message)}\n`);
  };
  const pml = await createPml({
    ...(await place(settings)),
    scope: settings.scope,
    tools: "stored",
    // A command runs one thing or nothing, so no child is started before there is something to run.
    sandbox: { pool: { size: 1, warm: 0 } },
    logger: { warn },
    onReembed: ({ done, total }) => progress.say(`Embedding anew: ${done} of ${total} texts`),
  });
  try {
    const servers = config === undefined ? undefined : await connect(pml, config, { progress, warn });
    return { pml, servers, [Symbol.asyncDispose]: () => close(pml, servers) };
  } catch (error) {
    await pml.close();
    throw error;
  }
}

async function place({
  memory,
}: Settings): Promise<{ dataDir: string } | { database: Awaited<ReturnType<typeof openPostgres>> }> {
  return "url" in memory
    ? { database: await openPostgres({ connectionString: memory.url }) }
    : { dataDir: memory.directory };
}

async function checkExists({ memory }: Settings): Promise<void> {
  if ("url" in memory) return;
  const { state } = await inspectDirectory(memory.directory);
  if (state !== "absent" && state !== "empty") return;
  throw new CliError(
    "CLI_NO_MEMORY",
    `There is no memory in ${memory.directory}. Say where it is with --data or PML_DATA.`,
    { details: { directory: memory.directory } },
  );
}

function readConfig(file: string): McpServersConfig {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as McpServersConfig;
  } catch (error) {
    throw new CliError("CLI_UNREADABLE", `${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
      details: { file },
    });
  }
}

async function connect(
  pml: Pml,
  config: McpServersConfig,
  { progress, warn }: { progress: Progress; warn: (message: string) => void },
): Promise<McpServers> {
  progress.say("Connecting to the servers …");
  const servers = await connectMcpServers(config, { logger: { warn } });
  await servers.follow(pml);
  return servers;
}

async function close(pml: Pml, servers: McpServers | undefined): Promise<void> {
  await servers?.close();
  await pml.close();
}
