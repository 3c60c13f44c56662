import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
// #region readme
import { McpServer } from "@modelcontextprotocol/server";
import { createPml } from "@pml/core";
import { connectMcpServers, createMcpServer } from "@pml/mcp";

const notes = new McpServer({ name: "notes", version: "1.0.0" });
notes.registerTool("today", { description: "My notes of today" }, () => ({
  content: [{ type: "text", text: "buy milk" }],
}));

const servers = await connectMcpServers({ notes: { server: notes } }); // or what your mcpServers JSON says
const pml = await createPml({ tools: servers.tools });
await servers.follow(pml); // what the servers add, change and remove
const code = "return (await mcp.notes.today({})).toUpperCase()";
const answer = await pml.execute({ intent: "shout my notes of today", code, name: "notes:shout_today" });
console.log(answer.status === "success" && answer.result); // BUY MILK

const server = createMcpServer(pml); // connect it to any transport; the capability is its tool cap__notes__shout_today
// #endregion
assert.equal(answer.status, "success");

// Real servers, as the usual file names them.
const home = realpathSync(mkdtempSync(join(tmpdir(), "pml-example-")));
writeFileSync(join(home, "order.json"), JSON.stringify({ customer: "Ada" }));
const { resolve } = createRequire(new URL("../packages/mcp/package.json", import.meta.url));
const pathOf = (name: string): string =>
  resolve(`@modelcontextprotocol/server-${name}/package.json`).replace("package.json", "dist/index.js");
const real = await connectMcpServers({
  mcpServers: {
    fs: { command: process.execPath, args: [pathOf("filesystem"), home] },
    memory: {
      command: process.execPath,
      args: [pathOf("memory")],
      env: { MEMORY_FILE_PATH: join(home, "memory.jsonl") },
    },
  },
});
await real.follow(pml);

// An agent, as any MCP client is one.
const [near, far] = InMemoryTransport.createLinkedPair();
await server.connect(far);
const agent = new Client({ name: "agent", version: "1.0.0" });
await agent.connect(near);
const call = async (name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> =>
  (await agent.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>;

const intent = "remember the customer of an order";
const learned = await call("pml_execute", {
  intent,
  name: "orders:remember_customer",
  context: { path: join(home, "order.json") },
  code: `
    const { customer } = JSON.parse((await mcp.fs.read_text_file({ path: args.path })).content);
    await mcp.memory.create_entities({ entities: [{ name: customer, entityType: "customer", observations: [] }] });
    return customer;
  `,
});
assert.equal(learned["result"], "Ada");

writeFileSync(join(home, "next.json"), JSON.stringify({ customer: "Grace" }));
const context = { path: join(home, "next.json") };
const again = await call("pml_execute", { intent, context });
assert.equal(again["result"], "Grace", "what was learned ran again, with other inputs and without code");
const byName = await call("cap__orders__remember_customer", context);
assert.equal(byName["result"], "Grace");
console.log(
  "learned from code, reused by intent, called as a tool:",
  again["capability_name"] ?? again["capability_id"],
);

await agent.close();
await Promise.all([servers.close(), real.close()]);
await pml.close();
rmSync(home, { recursive: true });
