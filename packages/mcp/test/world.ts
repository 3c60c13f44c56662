import { Client, type ClientOptions, InMemoryTransport } from "@modelcontextprotocol/client";
import type { InMemoryTransport as ServerTransport, Server } from "@modelcontextprotocol/server";
import { createPml, type Pml, type PmlOptions } from "@pml/core";
import { createEmbedder } from "@pml/embeddings";
import { createMcpServer, type McpServerOptions } from "@pml/mcp";

const embedder = createEmbedder();

/** A memory of its own. The embedder is shared by all tests, and closed by none. */
export function openMemory(options: PmlOptions = {}): Promise<Pml> {
  const { id, dimensions, calibration } = embedder;
  return createPml({ embedder: { id, dimensions, calibration, embed: embedder.embed.bind(embedder) }, ...options });
}

export interface Connected {
  client: Client;
  server: Server;
  /** The structured content, which has to be what the tool's output schema says; the client checks. */
  call(name: string, args?: Record<string, unknown>, options?: Parameters<Client["callTool"]>[1]): Promise<Answer>;
}

export interface Answer {
  [field: string]: unknown;
  isError?: boolean;
  approval?: { id: string };
  capability_id?: string;
  error?: { code: string; message: string };
  layer_results?: { tasks: { task_id: string }[] }[];
  results?: object[];
  servers?: { id: string; state: string }[];
  suggestions?: { tools: object[] };
  tool_usage?: { tool_id: string; calls: number; failures: number; server_id: string }[];
  total?: number;
  warnings?: string[];
}

/** A real client, connected to the memory in this process. */
export async function connect(pml: Pml, options?: McpServerOptions, clientOptions?: ClientOptions): Promise<Connected> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer(pml, options);
  await server.connect(far as unknown as ServerTransport);
  const client = new Client({ name: "test", version: "1" }, clientOptions);
  await client.connect(near);
  await client.listTools();
  return {
    client,
    server,
    async call(name, args = {}, callOptions) {
      const { structuredContent, isError } = await client.callTool({ name, arguments: args }, callOptions);
      return { ...(structuredContent as object), ...(isError === true && { isError }) };
    },
  };
}

/** Waits for something that happens by itself. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = 15_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`It did not happen within ${withinMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A server that sends what it is told to, as it is: nothing of an SDK checks it first, as nothing does elsewhere. */
export class RawServer {
  readonly #tools: RawTools;
  readonly #call: (name: string, args: object) => unknown;
  #transport: InMemoryTransport | undefined;

  constructor(tools: RawTools, call: (name: string, args: object) => unknown) {
    this.#tools = tools;
    this.#call = call;
  }

  async connect(transport: InMemoryTransport): Promise<void> {
    this.#transport = transport;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no EventTarget
    transport.onmessage = (message) => void this.#answer(message as RawRequest);
    await transport.start();
  }

  async sendToolListChanged(): Promise<void> {
    await this.#transport?.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  }

  async #answer({ id, method, params = {} }: RawRequest): Promise<void> {
    if (id === undefined) return;
    const result = await this.#resultOf(method, params);
    await this.#transport?.send({ jsonrpc: "2.0", id, result: result as Record<string, unknown> });
  }

  #resultOf(method: string, params: NonNullable<RawRequest["params"]>): unknown {
    if (method === "tools/list") {
      const listed = this.#tools(params.cursor);
      return Array.isArray(listed) ? { tools: listed } : listed;
    }
    if (method === "tools/call") return this.#call(params.name ?? "", params.arguments ?? {});
    const capabilities = { tools: { listChanged: true } };
    return { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: "raw", version: "1" } };
  }
}

/** All of them, or a page. */
type RawTools = (cursor?: string) => object[] | { tools: object[]; nextCursor?: string };

interface RawRequest {
  id?: number;
  method: string;
  params?: { name?: string; arguments?: object; cursor?: string; protocolVersion?: string };
}

/** `connect` for the configuration of a server that lives in this process; `kill` ends it as a crash would. */
export function inProcess(create: () => RawServer): {
  connect: () => Promise<InMemoryTransport>;
  kill: () => Promise<void>;
} {
  let current: InMemoryTransport | undefined;
  return {
    async connect() {
      const [near, far] = InMemoryTransport.createLinkedPair();
      await create().connect(far);
      current = far;
      return near;
    },
    kill: async () => current?.close(),
  };
}
