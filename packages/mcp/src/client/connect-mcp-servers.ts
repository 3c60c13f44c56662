import type { Logger, Pml, Tool } from "@pml/core";

import { McpAdapterError } from "../error.js";
import { waitAtMost } from "../wait-at-most.js";
import { type Backoff, DEFAULT_BACKOFF } from "./backoff.js";
import { Connection, type ConnectionState } from "./connection.js";
import { Follower } from "./follower.js";
import { createConceal, joinSecrets, listSecrets } from "./secrets.js";
import { checkServerConfig, listServerConfigs, type McpServerConfig, type McpServersConfig } from "./server-config.js";
import { nameTools } from "./tool-ids.js";
import type { Variables } from "./variables.js";

export interface ConnectOptions {
  /** Longest that one call may take, unless the server's part says otherwise. Default 60 000. */
  timeoutMs?: number;
  /** Longest to wait for a server to start and list its tools. Default 30 000. */
  connectTimeoutMs?: number;
  /** Longest to wait for all of them; those that take longer come when they are ready. Default: until each has come or failed. */
  waitMs?: number;
  /** How soon, and how rarely at the most, one that died is tried again. */
  backoff?: Partial<Backoff>;
  /** What `${NAME}` stands for. Default: the variables of this process. */
  variables?: Variables;
  logger?: Logger;
}

export const DEFAULT_CONNECT: { timeoutMs: number; connectTimeoutMs: number } = {
  timeoutMs: 60_000,
  connectTimeoutMs: 30_000,
};

export interface ServerStatus {
  /** As in the configuration. */
  name: string;
  /** As the ids of its tools begin. */
  id: string;
  state: ConnectionState | "refused";
  /** Ids. */
  tools: string[];
  /** What had to be left out: schemas that cannot be used, names that are there twice. */
  warnings: string[];
  error?: { code: string; message: string; details: Record<string, unknown> };
}

/** MCP servers as tools of a memory. */
export interface McpServers extends AsyncDisposable {
  /** Of all servers that are connected, or were and come back. */
  readonly tools: Tool[];
  list(): ServerStatus[];
  /** When each of them is connected, or has failed once. */
  readonly settled: Promise<void>;
  /** Adds the tools to the memory, and lets it have what the servers add, change and remove. Returns how to stop. */
  follow(pml: Pick<Pml, "tools" | "store">): Promise<() => void>;
  close(): Promise<void>;
}

interface Entry {
  name: string;
  id: string;
  connection?: Connection;
  refusal?: McpAdapterError;
}

/** Connects to all of them at once. One that cannot be reached keeps nobody waiting longer than its time, and is tried again. */
export async function connectMcpServers(config: McpServersConfig, options: ConnectOptions = {}): Promise<McpServers> {
  const followers = new Set<Follower>();
  const onChange = (connection: Connection): void => {
    report(connection, options.logger);
    for (const follower of followers) follower.update(connection);
  };
  const entries = createEntries(config, options, onChange);
  const connections = entries.flatMap(({ connection }) => connection ?? []);
  const settled = Promise.all(connections.map((connection) => connection.start())).then(() => undefined);
  await (options.waitMs === undefined ? settled : waitAtMost(options.waitMs, settled));
  const servers: McpServers = {
    get tools() {
      return connections.flatMap((connection) => [...connection.tools]);
    },
    list: () => entries.map(describe),
    settled,
    async follow(pml) {
      const follower = new Follower(pml, options.logger);
      followers.add(follower);
      await Promise.all(connections.map((connection) => follower.update(connection)));
      return () => void followers.delete(follower);
    },
    async close() {
      followers.clear();
      await Promise.all(connections.map((connection) => connection.close()));
    },
    [Symbol.asyncDispose]: () => servers.close(),
  };
  return servers;
}

function createEntries(
  config: McpServersConfig,
  { variables = process.env, backoff, logger, ...options }: ConnectOptions,
  onChange: (connection: Connection) => void,
): Entry[] {
  const listed = listServerConfigs(config);
  const ids = nameTools(listed.map(([name]) => name));
  const checked = listed.map(([name, given]) => checkEntry({ name, id: ids.get(name) ?? name, given }, variables));
  const secrets = checked.flatMap(({ secrets: each }) => each);
  return checked.map(({ name, id, config: each, refusal, secrets: own }) => {
    if (each === undefined) {
      logger?.warn(refusal.message, refusal.details);
      return { name, id, refusal };
    }
    const timeoutMs = each.timeoutMs ?? options.timeoutMs ?? DEFAULT_CONNECT.timeoutMs;
    const connectTimeoutMs = options.connectTimeoutMs ?? DEFAULT_CONNECT.connectTimeoutMs;
    const limits = { timeoutMs, connectTimeoutMs, backoff: { ...DEFAULT_BACKOFF, ...backoff } };
    const conceal = createConceal(joinSecrets(own, secrets));
    return { name, id, connection: new Connection(each, { id, ...limits, conceal, onChange }) };
  });
}

type CheckedEntry = Pick<Entry, "name" | "id"> & { secrets: string[] } & (
    | { config: McpServerConfig; refusal?: undefined }
    | { config?: undefined; refusal: McpAdapterError }
  );

function checkEntry(
  { name, id, given }: { name: string; id: string; given: unknown },
  variables: Variables,
): CheckedEntry {
  try {
    const config = checkServerConfig(name, given, variables);
    return { name, id, config, secrets: listSecrets(config, { given, variables }) };
  } catch (error) {
    if (!(error instanceof McpAdapterError)) throw error;
    return { name, id, refusal: error, secrets: [] };
  }
}

function describe({ name, id, connection, refusal }: Entry): ServerStatus {
  const error = refusal ?? connection?.error;
  return {
    name,
    id,
    state: connection?.state ?? "refused",
    tools: (connection?.tools ?? []).map((tool) => tool.id),
    warnings: [...(connection?.warnings ?? [])],
    ...(error !== undefined && { error: { code: error.code, message: error.message, details: error.details } }),
  };
}

function report({ id, state, error, warnings }: Connection, logger: Logger | undefined): void {
  if (error !== undefined) logger?.warn(error.message, { ...error.details, state });
  for (const warning of warnings) logger?.warn(warning, { server: id });
}
