// What the command line does can be called from a program too, with any terminal.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = await mkdtemp(join(tmpdir(), "pml-cli-"));
process.chdir(folder);

// #region readme
import { main, processTerminal } from "@pml/cli";
import { createPml } from "@pml/core";

const pml = await createPml({ dataDir: "memory" });
const code = "return price * (1 + rate);";
await pml.execute({ intent: "add the tax to a price", code, context: { price: 10, rate: 0.2 }, name: "util:add_tax" });
await pml.close();

// The same as `pml --data memory search …`, and so on.
const found = await main(["--data", "memory", "search", "price with tax"], processTerminal());
const ran = await main(
  ["--data", "memory", "run", "util:add_tax", "-a", "price=50", "-a", "rate=0.1"],
  processTerminal(),
);
// #endregion

assert.deepEqual([found, ran], [0, 0]);
process.chdir("/");
await rm(folder, { recursive: true });
