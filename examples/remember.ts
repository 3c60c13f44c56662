import assert from "node:assert/strict";

// #region readme
import { createPml } from "@pml/core";

const files = new Map([
  ["shop.json", "[3, 4]"],
  ["cafe.json", "[5]"],
]);
const pml = await createPml({
  // dataDir: "memory" would keep it.
  tools: [
    {
      id: "fs:read",
      description: "Read a file as text",
      inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      annotations: { readOnlyHint: true },
      execute: ({ path }) => ({ content: files.get(String(path)) }),
    },
  ],
});

// The first time, the model writes code.
const code = `
  const file = await mcp.fs.read({ path: "shop.json" });
  return JSON.parse(file.content).reduce((sum, price) => sum + price, 0);
`;
const first = await pml.execute({ intent: "add up the prices in shop.json", code });

// From then on, saying what is wanted is enough.
const second = await pml.execute({ intent: "add up all prices in cafe.json", context: { path: "cafe.json" } });
console.log(first.status, second.status); // success, success: 7 and 5
await pml.close();
// #endregion

assert(first.status === "success" && second.status === "success");
assert.deepEqual([first.result, second.result], [7, 5]);
