import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

import { CapabilityStore, type Database, migrate, openPglite, SCHEMA_VERSION } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import { describe, expect, it } from "vitest";

import { backupFixture, describeSchema, sqlFixture } from "./schema-fixtures.js";

const VERSIONS = Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1);
const ADVICE = "If this schema is released, add a migration; if not, run packages/core/test/schema-fixtures.ts.";

/** A database as somebody has it who stored something under that schema. */
async function openFixture(version: number): Promise<Database> {
  const database = await openPglite({ dataDir: ":memory:" });
  await database.exec("drop schema public cascade; create schema public");
  await database.exec(gunzipSync(readFileSync(sqlFixture(version))).toString("utf8"));
  return database;
}

describe.each(VERSIONS)("a memory of schema %i", (version) => {
  it("is brought to the newest schema, with all that is in it", async () => {
    const database = await openFixture(version);
    await migrate(database);
    await using fresh = await CapabilityStore.open({ embedder: createHashEmbedder() });
    await fresh.restore(backupFixture(version));
    await using store = await CapabilityStore.open({ database, embedder: createHashEmbedder() });
    const listed = await store.list();
    expect(listed.map(({ intent }) => intent).sort()).toEqual(["count the words", "read the settings"]);
    const examples = await Promise.all(listed.map(({ id }) => store.listExamples(id)));
    expect(examples.flat()).toMatchObject([{ intent: "read the settings" }]);
    expect(await fresh.list()).toEqual(await store.list());
    expect(await fresh.listTraces()).toEqual(await store.listTraces());
    expect(await fresh.getAllDependencies()).toEqual(await store.getAllDependencies());
    expect(await fresh.listPastIntents()).toEqual(await store.listPastIntents());
    const [match] = await store.searchByIntent("count the words");
    expect(match?.capability.intent).toBe("count the words");
    expect((await store.listTraces())[0]?.args).toEqual({ text: "it's \\ \0 é" });
  });

  it("has something in every table, so that nothing is migrated unseen", async () => {
    const database = await openFixture(version);
    const tables = await database.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
    );
    for (const { name } of tables)
      expect(await database.query(`select 1 as row from ${name} limit 1`), name).toHaveLength(1);
    await database.close();
  });

  it("ends with the tables that a new one has", async () => {
    const [old, fresh] = [await openFixture(version), await openPglite({ dataDir: ":memory:" })];
    await migrate(old);
    expect(await describeSchema(old), ADVICE).toEqual(await describeSchema(fresh));
    await Promise.all([old.close(), fresh.close()]);
  });
});

describe("migrating", () => {
  it("brings a backup of an earlier schema up to date", async () => {
    const file = join(tmpdir(), `pml-schema-0-${process.pid}`);
    writeFileSync(file, gzipSync('{"format":"pml-backup","schema":0}\n'));
    const database = await openPglite({ dataDir: ":memory:" });
    const before = await describeSchema(database);
    await using store = await CapabilityStore.open({ database, embedder: createHashEmbedder() });
    await store.restore(file);
    expect(await describeSchema(database)).toEqual(before);
    expect(await database.query("select version from schema_version order by version")).toEqual(
      VERSIONS.map((version) => ({ version })),
    );
  });

  it("that fails leaves the schema there was", async () => {
    const database = await openPglite({ dataDir: ":memory:" });
    await database.exec("delete from schema_version; drop table learned_from");
    await expect(migrate(database), "its first table is there already").rejects.toMatchObject({ code: "PML_DATABASE" });
    expect(await database.query("select version from schema_version")).toEqual([]);
    await database.close();
  });
});
