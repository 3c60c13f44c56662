import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
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
writeFileSync(join(home, "order.json"), JSON.stringify({ customer: "Ada", net: 10, tax: 2 }));
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
    everything: { command: process.execPath, args: [pathOf("everything"), "stdio"] },
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
    const { customer, net, tax } = JSON.parse((await mcp.fs.read_text_file({ path: args.path })).content);
    const total = await mcp.everything["get-sum"]({ a: net, b: tax });
    const observations = ["ordered: " + total];
    await mcp.memory.create_entities({ entities: [{ name: customer, entityType: "customer", observations }] });
    return { customer, total };
  `,
});
assert.deepEqual(learned["result"], { customer: "Ada", total: "The sum of 10 and 2 is 12." });
console.log("learned from code, over three servers:", learned["result"]);

writeFileSync(join(home, "next.json"), JSON.stringify({ customer: "Grace", net: 20, tax: 4 }));
const context = { path: join(home, "next.json") };
const again = await call("pml_execute", { intent, context });
const next = { customer: "Grace", total: "The sum of 20 and 4 is 24." };
assert.deepEqual(again["result"], next, "what was learned ran again, with other inputs and without code");
console.log("run again by intent:", again["result"]);
const byName = await call("cap__orders__remember_customer", context);
assert.deepEqual(byName["result"], next);
console.log("called as a tool:", byName["result"]);
const written = readFileSync(join(home, "memory.jsonl"), "utf8");
assert.match(written, /Ada.*12[^]*Grace.*24/);
console.log("what the server of notes has written:", written);

await agent.close();
await Promise.all([servers.close(), real.close()]);
await pml.close();
rmSync(home, { recursive: true });
