// A memory as one HTML file: what it learned, how it ran, and how things hang together.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

process.chdir(await mkdtemp(join(tmpdir(), "pml-viewer-")));

// #region readme
import { writeFile } from "node:fs/promises";

import { createPml } from "@pml/core";
import { renderHtml } from "@pml/viewer";

const pml = await createPml({
  tools: [{ id: "fs:read", description: "Read a file", execute: () => ({ content: "[3, 4]" }) }],
});
const code = `const { content } = await mcp.fs.read({ path });
if (content === "") return 0;
return JSON.parse(content).reduce((sum, price) => sum + price, 0);`;
await pml.execute({ intent: "add up the prices", code, context: { path: "shop.json" } });

await writeFile("memory.html", await renderHtml(pml)); // open it in any browser
console.log("Written to memory.html");
// #endregion

// A thing that is told to nobody: with `values: false`, what went in and came out is not in the file.
await pml.execute({ intent: "add up the prices", code, context: { path: "salaries-of-everybody.json" } });
const [whole, withoutValues] = [await renderHtml(pml), await renderHtml(pml, { values: false })];
assert(whole.includes("salaries-of-everybody") && !withoutValues.includes("salaries-of-everybody"));

// It stands alone: nothing is loaded from anywhere, and nothing in it can run but its own script.
assert.deepEqual(
  [...whole.matchAll(/\b(?:src|href)="(?!data:)/g)].map(([found]) => found),
  [],
);
assert(whole.includes("default-src 'none'"));

// Names and intents are the words of models and of those who talk to them.
await pml.capabilities.create({ intent: "</script><script>alert(1)</script>", code: "return mcp.fs.read({})" });
assert(!(await renderHtml(pml)).includes("<script>alert"));

console.log(`${(whole.length / 1000).toFixed(0)} kB, most of them what draws the graph`);
await pml.close();
const folder = process.cwd();
process.chdir(tmpdir());
await rm(folder, { recursive: true });
