import { createPml, type Pml, type PmlOptions, type Tool } from "@pml/core";
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

/** Opens memories that are closed after each test. One sandbox and one model serve all of them. */
export function usePml(): { open(options?: PmlOptions): Promise<Pml>; model: Embedder } {
  const sandbox = createSandbox({ pool: { size: 2, warm: 1 } });
  const loaded = createEmbedder();
  const { id, dimensions, calibration } = loaded;
  const model: Embedder = { id, dimensions, calibration, embed: (texts, options) => loaded.embed(texts, options) };
  const opened: Pml[] = [];
  afterEach(async () => {
    for (const pml of opened.splice(0)) await pml.close();
  });
  afterAll(async () => {
    await sandbox.close();
    await loaded.close?.();
  });
  return {
    model,
    async open(options = {}) {
      const pml = await createPml({ embedder: createHashEmbedder(), sandbox, ...options });
      opened.push(pml);
      return pml;
    },
  };
}
