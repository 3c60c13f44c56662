// An agent does something once, by writing code. The next time its words are enough.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { renderHtml } from "@pml/viewer";

const folder = await mkdtemp(join(tmpdir(), "pml-quickstart-"));
process.chdir(folder);
await writeFile("shop.json", JSON.stringify({ owner: "Ada", items: [{ price: 3 }, { price: 4 }] }));
await writeFile("cafe.json", JSON.stringify({ owner: "Grace", items: [{ price: 5 }] }));

// #region readme
import { readFile } from "node:fs/promises";

import { createPml } from "@pml/core";

const pml = await createPml({
  dataDir: "memory",
  tools: [
    {
      id: "fs:read",
      description: "Read a file as text",
      inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      annotations: { readOnlyHint: true },
      execute: async ({ path }) => ({ content: await readFile(String(path), "utf8") }),
    },
  ],
});

// The first time, the model writes code.
const first = await pml.execute({
  intent: "add up the prices of all items in shop.json",
  code: `
    const file = await mcp.fs.read({ path: "shop.json" });
    return JSON.parse(file.content).items.reduce((sum, item) => sum + item.price, 0);
  `,
});

// From then on, saying what is wanted is enough.
const second = await pml.execute({
  intent: "what is the sum of the prices of all items in cafe.json?",
  context: { path: "cafe.json" },
});
// first.result is 7, and second.result is 5.
// #endregion

assert(first.status === "success" && second.status === "success", "both ran");
assert.deepEqual([first.result, second.result], [7, 5]);
assert.equal(first.capabilityId, second.capabilityId);

const { statistics, parameters } = await pml.store.get(first.capabilityId ?? "");
const suggestion = await pml.execute({ intent: "read the opening hours from a file" });
print("The agent wrote code for its first request", `shop.json: ${JSON.stringify(first.result)}`);
print("The second request brought words and a context, and no code", `cafe.json: ${JSON.stringify(second.result)}`);
print("What was learned takes", JSON.stringify(parameters));
print("It has been used", `${statistics.usageCount} times, successfully ${statistics.successCount} times`);
print("For something else, it suggests", suggestion.suggestions.tools.map(({ id }) => id).join(", "));

const page = join(folder, "memory.html");
await writeFile(page, await renderHtml(pml, { title: "What the quickstart learned" }));
await pml.close();
for (const name of ["memory", "shop.json", "cafe.json"]) await rm(name, { recursive: true });
print("Look at it: open this in a browser", page);

function print(title: string, text: string): void {
  console.log(`${title}:\n    ${text}\n`);
}
