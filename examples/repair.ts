// A tool is gone. PML looks for what could be called instead, tries it on recorded runs, and offers it; a host decides.
import assert from "node:assert/strict";

import { createPml } from "@pml/core";

const notes = new Map([["today.md", "buy milk"]]);
const path = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const pml = await createPml({
  tools: [
    {
      id: "fs:read",
      description: "Read a file as text",
      inputSchema: path,
      annotations: { readOnlyHint: true },
      execute: ({ path: name }) => ({ content: notes.get(String(name)) ?? "" }),
    },
  ],
});
await pml.execute({
  intent: "say loudly what there is to do",
  code: `return (await mcp.fs.read({ path: "today.md" })).content.toUpperCase();`,
  name: "notes:shout_tasks",
});

await pml.tools.add({
  id: "drive:load",
  description: "Load a file from the drive as text",
  inputSchema: { type: "object", properties: { file: { type: "string" } }, required: ["file"] },
  outputSchema: { type: "object", properties: { text: { type: "string" } } },
  annotations: { readOnlyHint: true },
  execute: ({ file }) => ({ text: notes.get(String(file)) ?? "" }),
});
await pml.tools.remove("fs:read");
const broken = await pml.execute({ capability: "notes:shout_tasks" });
assert.equal(broken.status, "error");

// #region repair
const [repair] = await pml.capabilities.repair({ mayCall: true });
const [candidate] = repair?.candidates ?? [];
if (candidate === undefined) throw new Error("Nothing fits.");
console.log(candidate.code);
console.log(candidate.evidence); // in which recorded runs it did the same, in which alike, and where otherwise
// #endregion
assert.equal(candidate.evidence.same.length, 1);
assert.equal((await pml.lookup("notes:shout_tasks")).version, 1);

// #region accept
await pml.names.update("notes:shout_tasks", {
  code: candidate.code,
  acceptDifferences: true, // it calls another tool: that is what it is for
  changeSummary: "The drive instead of the disk",
});
const mended = await pml.execute({ capability: "notes:shout_tasks" });
// #endregion
assert.equal(mended.status, "success");
assert.equal((mended as { result: unknown }).result, "BUY MILK");

await pml.close();
