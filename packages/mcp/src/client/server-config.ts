import type { Transport } from "@modelcontextprotocol/client";

import { McpAdapterError } from "../error.js";
import { expandVariables, type Variables } from "./variables.js";

interface CommonConfig {
  /** Longest that one call may take. Default: `timeoutMs` of the options. */
  timeoutMs?: number;
  /** Whether a person is asked before a tool of this server runs; over what its annotations say. */
  approval?: "auto" | "required";
  /** False: a tool that calls itself read-only or idempotent is not believed. Default true. */
  trustHints?: boolean;
  /** Names of variables or headers to be kept secret besides those whose name says so. */
  secrets?: readonly string[];
  /** True: it is not connected. */
  disabled?: boolean;
}

/** A server that is started here, and spoken to over its standard input and output. */
export interface StdioServerConfig extends CommonConfig {
  command: string;
  args?: readonly string[];
  /** Besides a few harmless ones of this process. `${NAME}` stands for a variable of this process. */
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

/** A server that runs elsewhere, reached by streamable HTTP. */
export interface HttpServerConfig extends CommonConfig {
  url: string;
  headers?: Readonly<Record<string, string>>;
}

/** A server in this process. A function is called for every connection, so that a fresh one can take the place of a dead one. */
export interface InMemoryServerConfig extends CommonConfig {
  server: ConnectableServer | (() => ConnectableServer);
}

/** `McpServer` and `Server` of the SDK, and whatever else can be connected. */
export interface ConnectableServer {
  connect(transport: Transport): Promise<void>;
}

/** A server behind a transport of your own. Called again for every connection. */
export interface TransportServerConfig extends CommonConfig {
  connect: () => Transport | Promise<Transport>;
}

export type McpServerConfig = StdioServerConfig | HttpServerConfig | InMemoryServerConfig | TransportServerConfig;

/** The usual file: what is under `mcpServers`, or the whole of it. */
export type McpServersConfig =
  | { mcpServers: Readonly<Record<string, McpServerConfig>> }
  | Readonly<Record<string, McpServerConfig>>;

/** Each server's part, still unchecked: what is wrong with one is no fault of the others. */
export function listServerConfigs(config: unknown): [name: string, config: unknown][] {
  const servers = isRecord(config) && isRecord(config["mcpServers"]) ? config["mcpServers"] : config;
  if (!isRecord(servers)) throw invalidConfig("The servers must be an object: { mcpServers: { name: { command } } }.");
  return Object.entries(servers).filter(([, each]) => !isRecord(each) || each["disabled"] !== true);
}

/** Throws for what cannot be connected to. */
export function checkServerConfig(name: string, config: unknown, variables: Variables): McpServerConfig {
  if (!isRecord(config)) throw invalidConfig(`The server "${name}" must be an object.`, name);
  if (typeof config["connect"] === "function") return config as unknown as TransportServerConfig;
  const server = config["server"] as Partial<ConnectableServer> | (() => ConnectableServer) | undefined;
  if (typeof server === "function" || typeof server?.connect === "function")
    return config as unknown as InMemoryServerConfig;
  if (config["type"] === "sse")
    throw invalidConfig(
      `The server "${name}" is of type sse, which MCP has given up. Use its streamable HTTP url.`,
      name,
    );
  const expand = (text: string): string => expandVariables(text, { server: name, variables });
  if (typeof config["url"] === "string") return readHttp(name, config, expand);
  if (typeof config["command"] === "string") return readStdio(name, config, expand);
  throw invalidConfig(`The server "${name}" has neither a command nor a url.`, name);
}

function readHttp(name: string, config: Record<string, unknown>, expand: (text: string) => string): HttpServerConfig {
  const url = expand(config["url"] as string);
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw invalidConfig(`The url of "${name}" is not http(s).`, name);
  const headers = readTexts(name, "headers", config["headers"]);
  return { ...(config as unknown as HttpServerConfig), url, headers: mapValues(headers, expand) };
}

function readStdio(name: string, config: Record<string, unknown>, expand: (text: string) => string): StdioServerConfig {
  const { args = [], cwd } = config;
  if (!Array.isArray(args) || args.some((each) => typeof each !== "string"))
    throw invalidConfig(`The args of "${name}" must be a list of texts.`, name);
  return {
    ...(config as unknown as StdioServerConfig),
    command: expand(config["command"] as string),
    args: (args as string[]).map(expand),
    env: mapValues(readTexts(name, "env", config["env"]), expand),
    ...(typeof cwd === "string" && { cwd: expand(cwd) }),
  };
}

function readTexts(name: string, field: string, value: unknown): Record<string, string> {
  if (value === undefined) return {};
  if (!isRecord(value) || Object.values(value).some((each) => typeof each !== "string"))
    throw invalidConfig(`The ${field} of "${name}" must be an object of texts.`, name);
  return value as Record<string, string>;
}

function mapValues(record: Record<string, string>, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalidConfig(message: string, server?: string): McpAdapterError {
  return new McpAdapterError("MCP_CONFIG_INVALID", message, { details: server === undefined ? {} : { server } });
}
