import { rm, writeFile } from "node:fs/promises";

import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";

import { migrate } from "../migrations/migrate.js";
import type { Database, Queryable } from "./database.js";

// Runs at build time. A migrated, empty database beside the built files: the first opening unpacks it, which takes a
// fraction of the time that making one does.
// Segments of one megabyte: the first of them is most of what has to be unpacked.
const pglite = await PGlite.create({ extensions: { vector }, initDbStartParams: ["--wal-segsize=1"] });
const statements: Queryable = {
  query: async (sql, parameters = []) => (await pglite.query(sql, [...parameters])).rows as never,
  exec: async (sql) => void (await pglite.exec(sql)),
};
const database: Database = {
  ...statements,
  transaction: (work) => work(statements),
  listen: async () => async () => {},
  close: () => pglite.close(),
};
await migrate(database);
// Nobody makes another database in this one, and the templates are two thirds of its files.
for (const template of ["template0", "template1"]) {
  await pglite.exec(`alter database ${template} with is_template false`);
  await pglite.exec(`drop database ${template}`);
}
await pglite.exec("vacuum");
await pglite.exec("checkpoint");
const snapshot = await pglite.dumpDataDir("none");
await writeFile(new URL("./snapshot.tar", import.meta.url), Buffer.from(await snapshot.arrayBuffer()));
await database.close();
await rm(new URL("./make-snapshot.js", import.meta.url));
