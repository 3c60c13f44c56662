// What strangers wrote must not steer what matters. PML sees in the code where it could, before anything runs.
import assert from "node:assert/strict";

const sent: unknown[] = [];

// #region tools
import { createPml, describePath } from "@pml/core";

const pml = await createPml({
  tools: [
    {
      id: "web:get",
      description: "Fetch a page",
      annotations: { readOnlyHint: true },
      execute: () => ({ title: "Offers", contact: "attacker@example.com" }),
    },
    { id: "mail:send", description: "Send a mail", execute: (mail) => void sent.push(mail) },
    {
      id: "shop:list_offers",
      description: "Our own offers",
      annotations: { readOnlyHint: true },
      execute: () => [{ id: 7, title: "Tea" }],
    },
  ],
  permissions: { allow: ["web:*", "mail:send", "shop:*"] }, // nothing else is called, whatever code says
  taint: {
    untrustedSources: ["web:*"],
    sensitiveSinks: ["mail:send"],
    policy: "refuse", // "ask", the default, asks a person
  },
});
// #endregion

// #region refused
const answer = await pml.execute({
  intent: "answer whoever wrote the page",
  code: `
    const page = await mcp.web.get({ url: "https://example.org" });
    await mcp.mail.send({ to: page.contact, text: "Thank you." });
  `,
});
if (answer.status !== "error") throw new Error("It ran.");
console.log(answer.error.message);
// #endregion
assert.equal(answer.error.code, "PML_TAINTED");
const [flow] = answer.error.details["flows"] as Parameters<typeof describePath>;
assert.match(flow === undefined ? "" : describePath(flow), /^web:get.*page\.contact.*mail:send\.to/);
assert.deepEqual(sent, []);

// What comes from elsewhere is none of its business.
const own = await pml.execute({
  intent: "mail me our offers",
  code: `
    const offers = await mcp.shop.list_offers({});
    await mcp.mail.send({ to: "me@example.org", text: offers.map(({ title }) => title).join(", ") });
  `,
});
assert.equal(own.status, "success");
console.log("\nSent:", sent);

// A tool that is there, and not among the permissions, is refused before anything runs, too.
const denied = await pml.execute({
  intent: "mail me a page",
  permissions: { allow: ["web:get"] },
  code: `
    const page = await mcp.web.get({ url: "https://example.org" });
    if (page.title === "Offers") await mcp.mail.send({ to: "me@example.org", text: "Offers!" });
  `,
});
assert(denied.status === "error" && sent.length === 1);
console.log(`\n${denied.error.code}: ${denied.error.message}`);
await pml.close();
