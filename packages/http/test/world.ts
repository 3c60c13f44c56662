import { CapabilityStore, type Scope } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import { createHttpHandler, type HttpHandler, type HttpOptions } from "@pml/http";

export interface World {
  store: CapabilityStore;
  /** Ids of capabilities, in the order they were made. */
  ids: string[];
  handle: HttpHandler;
  ask(method: string, path: string, body?: unknown): Promise<Reply>;
  close(): Promise<void>;
}

export interface Reply {
  status: number;
  headers: Headers;
  body: unknown;
}

/** A memory with a few capabilities, behind a handler. */
export async function createWorld(options: Partial<HttpOptions> = {}): Promise<World> {
  const store = await CapabilityStore.open({ dataDir: ":memory:", embedder: createHashEmbedder() });
  await store.putTools([
    { id: "fs:read", description: "Read a file" },
    { id: "json:parse", description: "Parse JSON" },
  ]);
  const ids: string[] = [];
  for (const word of ["build", "test", "push", "deploy"]) ids.push(await addCapability(store, word));
  const handle = createHttpHandler({ store }, { authorize: "none", ...options });
  const ask = (method: string, path: string, body?: unknown): Promise<Reply> => send(handle, { method, path, body });
  return { store, ids, handle, ask, close: () => store.close() };
}

export async function addCapability(
  store: CapabilityStore,
  word: string,
  tools: string[] = [`${word}:run`],
): Promise<string> {
  const { capability } = await store.create({
    source: { type: "code", code: `return mcp.${word}.run({ word: "${word}" });` },
    intent: `${word} the application`,
    name: `app:${word}_it`,
    toolsUsed: tools,
    parameters: { type: "object", properties: { camelCase: { type: "string" } } },
  });
  return capability.id;
}

export async function send(
  handle: HttpHandler,
  {
    method,
    path,
    body,
    headers = {},
  }: { method: string; path: string; body?: unknown; headers?: Record<string, string> },
): Promise<Reply> {
  const init = {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  };
  return readReply(await handle(new Request(`http://memory.test${path}`, init)));
}

export async function readReply(response: Response): Promise<Reply> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

export const scopeOf = (project: string): Scope => ({ org: "acme", project, actor: "someone" });
