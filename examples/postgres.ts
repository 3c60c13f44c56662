// A memory that outgrew one process: moved to a PostgreSQL server, and shared there by two.
// The server is that of PML_TEST_POSTGRES_URL, or one made from Debian's packages, which needs root and a minute.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { startPostgres } from "../packages/core/test/postgres-server.js";

console.log("Looking for a PostgreSQL server …");
const server = await startPostgres();
if (!server.available) {
  console.log(`There is none, so that nothing is shown here: ${server.reason}

One with pgvector is started by
    docker run --rm -p 5432:5432 -e POSTGRES_PASSWORD=secret pgvector/pgvector:pg17
and used by
    PML_TEST_POSTGRES_URL=postgresql://postgres:secret@localhost:5432/postgres npx tsx examples/postgres.ts`);
  process.exit();
}
const connectionString = await server.createDatabase();
const folder = await mkdtemp(join(tmpdir(), "pml-postgres-"));
const dataDir = join(folder, "memory");

// #region move
import { createPml, openPostgres } from "@pml/core";

// What has been learned in a directory …
const local = await createPml({ dataDir });
const code = "return celsius * 1.8 + 32;";
const convert = { intent: "turn degrees Celsius into Fahrenheit", code, name: "temperature:to_fahrenheit" };
await local.execute({ ...convert, context: { celsius: 100 } });

// … goes to an empty database, all of it.
const target = await openPostgres({ connectionString });
await local.store.copyTo(target);
await Promise.all([target.close(), local.close()]);
// #endregion

// #region share
// Each of these could be a process of its own, on a machine of its own.
const open = async () => createPml({ database: await openPostgres({ connectionString, maxConnections: 4 }) });
const [one, two] = await Promise.all([open(), open()]);

const known = await two.execute({ capability: "temperature:to_fahrenheit", args: { celsius: 21 } });

// What the one learns, the other knows a moment later.
const mix = "return (first * 3 + second) / 4;";
await one.execute({ intent: "mix two temperatures three to one", code: mix, context: { first: 20, second: 40 } });
const ask = () => two.execute({ intent: "mix two temperatures three to one", context: { first: 0, second: 100 } });
// #endregion
let mixed = await ask();
for (let tries = 0; mixed.status !== "success" && tries < 50; tries++) {
  await setTimeout(100);
  mixed = await ask();
}

assert(known.status === "success" && mixed.status === "success");
assert.deepEqual([known.result, mixed.result], [69.80000000000001, 25]);
console.log(`Learned in a directory, run on a server: 21 °C are ${known.result} °F`);
console.log(`Learned by one, run by the other from its words: ${mixed.result}`);

await Promise.all([one.close(), two.close()]);
server.stop();
await rm(folder, { recursive: true });
