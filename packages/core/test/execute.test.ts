import { createPml, type Pml, type PmlOptions, type Tool } from "@pml/core";
import { createEmbedder } from "@pml/embeddings";
import { afterEach, describe, expect, it } from "vitest";

const embedder = createEmbedder();
const opened: Pml[] = [];
afterEach(async () => {
  for (const pml of opened.splice(0)) await pml.close();
});

const PATH = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const files = new Map([
  ["a.json", '{"name":"a"}'],
  ["b.json", '{"name":"b"}'],
]);

function createTools(): { tools: Tool[]; calls: string[] } {
  const calls: string[] = [];
  const log = (id: string, args: unknown): void => void calls.push(`${id} ${JSON.stringify(args)}`);
  const tools: Tool[] = [
    {
      id: "fs:read",
      description: "Read a file as text",
      inputSchema: PATH,
      annotations: { readOnlyHint: true },
      execute(args) {
        log("fs:read", args);
        const content = files.get(String(args["path"]));
        if (content === undefined) throw new Error(`no such file: ${String(args["path"])}`);
        return { content };
      },
    },
    {
      id: "fs:delete",
      description: "Delete a file",
      inputSchema: PATH,
      annotations: { destructiveHint: true },
      execute(args) {
        log("fs:delete", args);
        return { deleted: true };
      },
    },
    { id: "mail:send", description: "Send an e-mail", execute: (args) => (log("mail:send", args), { sent: true }) },
  ];
  return { tools, calls };
}

async function open(options: PmlOptions = {}): Promise<Pml> {
  // The embedder is shared by all tests, and closed by none.
  const { id, dimensions, calibration } = embedder;
  const shared = { id, dimensions, calibration, embed: embedder.embed.bind(embedder) };
  const pml = await createPml({ embedder: shared, ...options });
  opened.push(pml);
  return pml;
}

const READ = `const file = await mcp.fs.read({ path: "a.json" }); return JSON.parse(file.content).name;`;

describe("execute", () => {
  it("runs code, remembers it, and runs it again by intent with another context", async () => {
    const { tools, calls } = createTools();
    const pml = await open({ tools });
    const first = await pml.execute({ intent: "read the name in the json file a.json", code: READ });
    expect(first).toMatchObject({ status: "success", result: "a", mode: "direct" });
    const again = await pml.execute({ intent: "read the name in the json file b.json", context: { path: "b.json" } });
    expect(again).toMatchObject({ status: "success", result: "b", mode: "speculation" });
    expect(calls).toEqual(['fs:read {"path":"a.json"}', 'fs:read {"path":"b.json"}']);
  });

  it("suggests when nothing is known", async () => {
    const pml = await open({ tools: createTools().tools });
    const answer = await pml.execute({ intent: "send an e-mail to my boss" });
    expect(answer.status).toBe("suggestions");
    expect(answer.suggestions.tools[0]?.id).toBe("mail:send");
  });

  it("asks before a tool that destroys, and runs once it is approved", async () => {
    const { tools, calls } = createTools();
    const pml = await open({ tools });
    const asked = await pml.execute({ intent: "delete a file", code: `return mcp.fs.delete({ path: "a.json" })` });
    expect(asked).toMatchObject({
      status: "approval_required",
      approval: { tools: [{ id: "fs:delete", arguments: [{ path: "a.json" }] }] },
    });
    expect(calls).toEqual([]);
    const answer = await pml.approve(asked.workflowId);
    expect(answer).toMatchObject({ status: "success", result: { deleted: true } });
    expect(calls).toHaveLength(1);
  });

  it("says which field of a tool's input is wrong", async () => {
    const pml = await open({ tools: createTools().tools });
    const answer = await pml.execute({ intent: "read", code: `return mcp.fs.read({ file: "x" })` });
    expect(answer).toMatchObject({ status: "error", error: { message: expect.stringContaining('"path" is missing') } });
  });
});
