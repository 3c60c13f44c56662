import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Tool } from "@pml/core";
import { afterAll, beforeAll, beforeEach } from "vitest";

/** Two reads, of which the second may be called while the first goes on. */
export const TWO = `const a = await mcp.web.get({ path: "/a" });
const b = await mcp.web.get({ path: "/orders/" + id });
return [a.path, b.path];`;

const LONGEST_HOLD_MS = 2000;

/** A web service on this machine and a folder, with a list of what was asked of them, in order. */
export interface WebWorld {
  readonly tools: Tool[];
  /** `GET /path`, and `aborted /path` for what nobody waited for; `read name` and `write name`. */
  readonly calls: string[];
  readonly folder: string;
  /** What a path answers; a path without an answer says what it is. */
  readonly answers: Map<string, unknown>;
  /** Answers a path only when another one has been asked for: that shows that nobody waited for it to ask. */
  holdUntil(path: string, other: string): void;
  /** Whether the path was held until the other one came. */
  wasMet(path: string): boolean;
}

export function useWeb(): WebWorld {
  const calls: string[] = [];
  const answers = new Map<string, unknown>();
  const holds = new Map<string, string>();
  const met = new Set<string>();
  const folder = mkdtempSync(join(tmpdir(), "pml-web-"));
  let server: Server;
  let address = "";

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    calls.push(`GET ${path}`);
    response.on("close", () => !response.writableEnded && calls.push(`aborted ${path}`));
    const other = holds.get(path);
    if (other !== undefined && (await isAsked(other))) met.add(path);
    const body = answers.has(path) ? answers.get(path) : { path };
    response.statusCode = body instanceof Error ? 500 : 200;
    response.end(JSON.stringify(body instanceof Error ? { error: body.message } : body));
  }

  async function isAsked(path: string): Promise<boolean> {
    const since = Date.now();
    while (!calls.includes(`GET ${path}`)) {
      if (Date.now() - since > LONGEST_HOLD_MS) return false;
      await new Promise((done) => setTimeout(done, 2));
    }
    return true;
  }

  beforeAll(async () => {
    server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    calls.length = 0;
    for (const each of [answers, holds, met]) each.clear();
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const text = { type: "string" };
  const path = { type: "object", properties: { path: text }, required: ["path"] };
  const tools: Tool[] = [
    {
      id: "web:get",
      description: "GET a path of the web service, as JSON",
      inputSchema: path,
      annotations: { readOnlyHint: true },
      async execute({ path: at }, { signal }) {
        const response = await fetch(address + String(at), { signal });
        if (!response.ok) throw new Error(`the service answered ${response.status}`);
        return response.json();
      },
    },
    {
      id: "fs:read",
      description: "Read a file as text",
      inputSchema: path,
      annotations: { readOnlyHint: true },
      async execute({ path: at }) {
        calls.push(`read ${String(at)}`);
        return { content: await readFile(join(folder, String(at)), "utf8") };
      },
    },
    {
      id: "fs:write",
      description: "Write text to a file",
      inputSchema: { ...path, properties: { path: text, content: text } },
      async execute({ path: at, content }) {
        calls.push(`write ${String(at)}`);
        await writeFile(join(folder, String(at)), String(content));
        return { written: true };
      },
    },
  ];
  return {
    tools,
    calls,
    folder,
    answers,
    holdUntil: (held, other) => void holds.set(held, other),
    wasMet: (held) => met.has(held),
  };
}
