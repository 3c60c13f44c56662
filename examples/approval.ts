// Some tools are not to be called without a person's word. They are asked for before anything runs.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = await mkdtemp(join(tmpdir(), "pml-approval-"));
const sent: string[] = [];

// #region tools
import { createPml, type Tool } from "@pml/core";

const tools: Tool[] = [
  {
    id: "shop:list_late",
    description: "List the customers whose bills are late",
    annotations: { readOnlyHint: true },
    execute: () => [{ mail: "ada@example.org" }, { mail: "grace@example.org" }],
  },
  {
    id: "mail:send",
    description: "Send a mail",
    inputSchema: { type: "object", properties: { to: { type: "string" }, text: { type: "string" } }, required: ["to"] },
    approval: "required",
    execute: ({ to }) => void sent.push(String(to)),
  },
];
let pml = await createPml({ tools, dataDir: join(folder, "memory") });
// #endregion

const remind = {
  intent: "remind the customers whose bills are late",
  code: `
    for (const { mail } of await mcp.shop.list_late({})) await mcp.mail.send({ to: mail, text: "Your bill is late." });
  `,
};
// #region ask
const asked = await pml.execute(remind);
if (asked.status !== "approval_required") throw new Error("It did not ask.");
for (const { id, reason, arguments: calls } of asked.approval.tools) console.log(id, reason, calls);

const refused = await pml.reject(asked.approval.id, { reason: "not on a Sunday" });
// #endregion
assert.deepEqual(
  asked.approval.tools.map(({ id }) => id),
  ["mail:send"],
  "what only reads is not asked for",
);
assert.equal(refused.error.code, "PML_REJECTED");
assert.deepEqual(sent, [], "nothing has run");
console.log(`\nRejected: ${refused.error.message} Mails sent: ${sent.length}\n`);

// The answer may come tomorrow, to another process.
const again = await pml.execute(remind);
assert(again.status === "approval_required");
await pml.close();
pml = await createPml({ tools, dataDir: join(folder, "memory") });
const ran = await pml.approve(again.approval.id);
assert.equal(ran.status, "success");
assert.deepEqual(sent, ["ada@example.org", "grace@example.org"]);
console.log(`Approved after a restart: mails sent to ${sent.join(" and ")}\n`);

// One yes is for one run.
assert.equal((await pml.execute({ intent: remind.intent, context: {} })).status, "approval_required");
await pml.close();

// #region inline
pml = await createPml({
  tools,
  dataDir: join(folder, "memory"),
  approval: {
    ttlMs: 3_600_000,
    // A dialog, a message to whoever is on call; or a rule, as here.
    onApproval: (request) => {
      const calls = request.tools.flatMap((tool) => tool.arguments);
      return { approved: calls.every(({ to }) => String(to).endsWith("@example.org")), reason: "only to our own" };
    },
  },
});
// #endregion
const send = (to: string): string => `await mcp.mail.send({ to: "${to}", text: "Hello" });`;
const own = await pml.execute({ intent: "greet Linus", code: send("linus@example.org") });
const other = await pml.execute({ intent: "greet a stranger", code: send("stranger@example.com") });
assert.equal(own.status, "success");
assert(other.status === "error" && other.error.code === "PML_REJECTED");
assert.equal(sent.length, 3);
console.log(`A rule answered: yes for linus@example.org; no for stranger@example.com: ${other.error.message}`);

await pml.close();
await rm(folder, { recursive: true });
