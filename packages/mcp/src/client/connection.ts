import { Client } from "@modelcontextprotocol/client";
import type { Tool } from "@pml/core";

import { McpAdapterError } from "../error.js";
import { VERSION } from "../version.js";
import { type Backoff, delayBefore } from "./backoff.js";
import { createBoundedValidator } from "./bounded-validator.js";
import { explainCallError, isConnectionLost } from "./call-error.js";
import type { Conceal } from "./secrets.js";
import type { McpServerConfig } from "./server-config.js";
import { readTools } from "./tool-from-mcp.js";
import { readToolResult } from "./tool-result.js";
import { openTransport } from "./transport.js";

export type ConnectionState = "connecting" | "connected" | "unavailable" | "closed";

export interface ConnectionOptions {
  /** As ids of tools begin. */
  id: string;
  timeoutMs: number;
  connectTimeoutMs: number;
  backoff: Backoff;
  /** What a server sends may hold what this one or another was given: one may read the files of the other. */
  conceal: Conceal;
  /** Called when the tools, or whether they can be called, have changed. */
  onChange: (connection: Connection) => void;
}

/** A server that stayed so long is not one that dies as soon as it is started. */
const STABLE_MS = 10_000;
const LIST_CHANGED_DEBOUNCE_MS = 50;

/** One server: connected, or on its way to be. */
export class Connection {
  readonly id: string;
  readonly #config: McpServerConfig;
  readonly #options: ConnectionOptions;
  #state: ConnectionState = "connecting";
  #client: Client | undefined;
  /** Not connected yet. */
  #starting: Client | undefined;
  #tools: Tool[] = [];
  #warnings: string[] = [];
  #error: McpAdapterError | undefined;
  #attempts = 0;
  #connectedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(config: McpServerConfig, options: ConnectionOptions) {
    this.id = options.id;
    this.#config = config;
    this.#options = options;
  }

  get state(): ConnectionState {
    return this.#state;
  }
  /** Those it had when it was last connected. */
  get tools(): readonly Tool[] {
    return this.#tools;
  }
  get warnings(): readonly string[] {
    return this.#warnings;
  }
  /** Why it cannot be called, where it cannot. */
  get error(): McpAdapterError | undefined {
    return this.#error;
  }

  /** Tries once, and goes on trying after a while if that fails. Never rejects: `error` says why. */
  async start(): Promise<void> {
    const { transport, stderr } = await this.#open();
    if (transport === undefined || this.#isClosed()) return;
    const client = this.#createClient();
    this.#starting = client;
    try {
      await client.connect(transport, { timeout: this.#options.connectTimeoutMs });
      const { tools } = await client.listTools({}, { timeout: this.#options.connectTimeoutMs });
      if (this.#isClosed()) return await client.close();
      this.#connected(client, tools);
    } catch (error) {
      void client.close().catch(() => undefined);
      this.#lose("MCP_CONNECT_FAILED", `The server ${this.id} could not be connected`, { error, stderr: stderr() });
    } finally {
      this.#starting = undefined;
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#state = "closed";
    const clients = [this.#client, this.#starting];
    this.#client = undefined;
    await Promise.all(clients.map((client) => client?.close()));
  }

  async #open(): Promise<Partial<Awaited<ReturnType<typeof openTransport>>> & { stderr: () => string }> {
    try {
      return await openTransport(this.#config);
    } catch (error) {
      this.#lose("MCP_CONNECT_FAILED", `The server ${this.id} could not be connected`, { error, stderr: "" });
      return { stderr: () => "" };
    }
  }

  #createClient(): Client {
    const client: Client = new Client(
      { name: "pml", version: VERSION },
      {
        jsonSchemaValidator: createBoundedValidator(),
        // A probe of a server that is started here would start it twice.
        versionNegotiation: { mode: "url" in this.#config ? "auto" : "legacy" },
        listChanged: {
          tools: {
            debounceMs: LIST_CHANGED_DEBOUNCE_MS,
            onChanged: (error, tools) => {
              if (error === null && tools !== null && client === this.#client) this.#readTools(tools);
            },
          },
        },
      },
    );
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client is no EventTarget
    client.onclose = () => {
      if (client === this.#client) this.#lose("MCP_SERVER_UNAVAILABLE", `The server ${this.id} has gone`, {});
    };
    return client;
  }

  #connected(client: Client, listed: Parameters<typeof readTools>[1]): void {
    this.#client = client;
    this.#state = "connected";
    this.#error = undefined;
    this.#connectedAt = Date.now();
    this.#readTools(listed);
  }

  #readTools(listed: Parameters<typeof readTools>[1]): void {
    const { timeoutMs, conceal } = this.#options;
    const call = (name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<unknown> =>
      this.#call(name, args, signal);
    const read = readTools({ server: this.id, config: this.#config, timeoutMs, conceal, call }, listed);
    this.#tools = read.tools;
    this.#warnings = conceal(read.warnings);
    this.#options.onChange(this);
  }

  async #call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<unknown> {
    const client = this.#client;
    if (client === undefined) throw this.#unavailable();
    const tool = { server: this.id, name };
    const { timeoutMs } = this.#options;
    try {
      const result = await client.callTool({ name, arguments: args }, { signal, timeout: timeoutMs });
      return this.#options.conceal(readToolResult(tool, result));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (isConnectionLost(error) && client === this.#client)
        this.#lose("MCP_SERVER_UNAVAILABLE", `The server ${this.id} has gone`, { error });
      throw explainCallError(error, { ...tool, timeoutMs, conceal: this.#options.conceal });
    }
  }

  #unavailable(): McpAdapterError {
    const details = { server: this.id, state: this.#state, reason: this.#error?.message };
    if (this.#isClosed())
      return new McpAdapterError("MCP_CLOSED", `The connection to ${this.id} was closed by its host.`, { details });
    const message = `The server ${this.id} is not available; it is being connected again. Try later, or use another tool.`;
    return new McpAdapterError("MCP_SERVER_UNAVAILABLE", message, { details });
  }

  #lose(
    code: "MCP_CONNECT_FAILED" | "MCP_SERVER_UNAVAILABLE",
    message: string,
    { error, stderr = "" }: { error?: unknown; stderr?: string },
  ): void {
    if (this.#isClosed()) return;
    const client = this.#client;
    this.#client = undefined;
    void client?.close().catch(() => undefined);
    const reason = this.#options.conceal(error instanceof Error ? error.message : "");
    const text = `${message}${reason === "" ? "" : `: ${reason}`}. It is tried again by itself.`;
    const said = stderr === "" ? {} : { stderr: this.#options.conceal(stderr) };
    const isNews = this.#state !== "unavailable" || this.#error?.message !== text;
    this.#error = new McpAdapterError(code, text, { details: { server: this.id, ...said } });
    this.#state = "unavailable";
    if (isNews) this.#options.onChange(this);
    this.#tryLater();
  }

  #tryLater(): void {
    if (this.#connectedAt !== 0 && Date.now() - this.#connectedAt > STABLE_MS) this.#attempts = 0;
    this.#connectedAt = 0;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => void this.start(),
      delayBefore(this.#attempts++, this.#options.backoff, Math.random()),
    );
    this.#timer.unref();
  }

  /** Asked anew after every wait: it may have been closed meanwhile. */
  #isClosed(): boolean {
    return this.#state === "closed";
  }
}
