import { randomUUID } from "node:crypto";

import { createPml, type Database, openPglite, type Pml, type PmlOptions, type Tool } from "@pml/core";
import { createEmbedder, createHashEmbedder, type Embedder } from "@pml/embeddings";
import { createSandbox } from "@pml/sandbox";
import { afterAll, afterEach } from "vitest";

const PATH = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

/** Tools on a file system of two files, and a list of the calls they got. */
export function createFileTools(): { tools: Tool[]; calls: string[]; files: Map<string, string> } {
  const calls: string[] = [];
  const files = new Map([
    ["a.json", '{"name":"a"}'],
    ["b.json", '{"name":"b"}'],
  ]);
  const tool = (id: string, rest: Partial<Tool> & Pick<Tool, "execute" | "description">): Tool => ({
    id,
    inputSchema: PATH,
    ...rest,
    execute(args, context) {
      calls.push(`${id} ${JSON.stringify(args)}`);
      return rest.execute(args, context);
    },
  });
  const read = (path: unknown): { content: string } => {
    const content = files.get(String(path));
    if (content === undefined) throw new Error(`no such file: ${String(path)}`);
    return { content };
  };
  const tools = [
    tool("fs:read", {
      description: "Read a file as text",
      annotations: { readOnlyHint: true },
      execute: ({ path }) => read(path),
    }),
    tool("fs:write", {
      description: "Write text to a file",
      inputSchema: { ...PATH, properties: { ...PATH.properties, content: { type: "string" } } },
      execute: ({ path, content }) => (files.set(String(path), String(content)), { written: true }),
    }),
    tool("fs:delete", {
      description: "Delete a file",
      annotations: { destructiveHint: true },
      execute: ({ path }) => ({ deleted: files.delete(String(path)) }),
    }),
    tool("mail:send", {
      description: "Send an e-mail",
      inputSchema: { type: "object" },
      approval: "required",
      execute: () => ({ sent: true }),
    }),
  ];
  return { tools, calls, files };
}

/**
 * Opens memories that are closed after each test. One sandbox, one model and one database for each embedder serve all of
 * them; each memory is a project of its own.
 */
export function usePml(): { open(options?: PmlOptions): Promise<Pml>; model: Embedder } {
  const sandbox = createSandbox({ pool: { size: 2, warm: 1 } });
  const loaded = createEmbedder();
  const { id, dimensions, calibration } = loaded;
  const model: Embedder = { id, dimensions, calibration, embed: (texts, options) => loaded.embed(texts, options) };
  const databases = new Map<string, Promise<Database>>();
  const opened: Pml[] = [];
  afterEach(async () => {
    for (const pml of opened.splice(0)) await pml.close();
  });
  afterAll(async () => {
    for (const database of databases.values()) await (await database).close();
    await sandbox.close();
    await loaded.close?.();
  });

  async function share(embedder: Embedder): Promise<Database> {
    const found = databases.get(embedder.id) ?? openPglite({ dataDir: ":memory:" });
    databases.set(embedder.id, found);
    const database = await found;
    return {
      query: (sql, parameters) => database.query(sql, parameters),
      exec: (sql) => database.exec(sql),
      transaction: (work) => database.transaction(work),
      listen: (channel, listener) => database.listen(channel, listener),
      close: async () => {},
    };
  }

  return {
    model,
    async open(options = {}) {
      const embedder = options.embedder ?? createHashEmbedder();
      const where = options.dataDir === undefined ? { database: await share(embedder) } : {};
      const scope = { project: randomUUID(), ...options.scope };
      const pml = await createPml({
        sandbox,
        ...where,
        ...options,
        embedder,
        scope: options.dataDir === undefined ? scope : (options.scope ?? {}),
      });
      opened.push(pml);
      return pml;
    },
  };
}
