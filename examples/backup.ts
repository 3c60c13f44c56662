// A memory is kept: as a file of all of it, as names to hand on, and without what has become old.
import assert from "node:assert/strict";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = await mkdtemp(join(tmpdir(), "pml-backup-"));
const file = join(folder, "memory.backup");

// #region backup
import { createPml } from "@pml/core";

const pml = await createPml({ dataDir: join(folder, "memory") });
const intent = "add the tax to a price";
const code = "return Math.round(price * (100 + percent)) / 100;";
await pml.execute({ intent, code, name: "price:add_tax", context: { price: 10, percent: 20 } });

await pml.backup(file); // while it is in use, as often as you like
// #endregion
console.log(`A backup of ${((await stat(file)).size / 1000).toFixed(1)} kB`);

// #region restore
const restored = await createPml({ dataDir: join(folder, "restored") }); // a memory without past
await restored.restore(file);
const answer = await restored.execute({ capability: "price:add_tax", args: { price: 50, percent: 10 } });
// #endregion
assert(answer.status === "success" && answer.result === 55);
console.log(`Restored elsewhere, price:add_tax gives ${answer.result}`);
await restored.close();

// #region bundle
// Some names for somebody else, who already has a memory: these are run again there before they are believed.
const bundle = await pml.names.exportBundle(["price:add_tax"]);
const other = await createPml();
const report = await other.names.importBundle(bundle);
// #endregion
const [taken] = report.imported;
assert.deepEqual([taken?.name, taken?.verified], ["price:add_tax", true]);
console.log(`Handed on: ${taken?.name}, ${taken?.verified ? "which gave the same again" : "unproven"}`);
await other.close();

// #region retain
// What was learned stays; of single runs only the last 30 days, and not more than 100 MB.
const removed = await pml.store.retain({ maxAgeMs: 30 * 86_400_000, maxBytes: 100_000_000 });
// #endregion
assert.equal(removed.traces, 0, "all of it is from today");
const all = await pml.store.retain({ maxBytes: 0 });
assert.equal(all.traces, 1);
const again = await pml.execute({ intent, context: { price: 20, percent: 5 } });
assert(again.status === "success" && again.result === 21, "what the run taught is still known");
console.log(`Without its ${all.traces} trace it still knows how to: ${again.result}`);

await pml.close();
await rm(folder, { recursive: true });
