import { PmlError } from "../../model/error.js";
import type { Database, Queryable } from "../database/database.js";
import { MEMORY } from "./0001-memory.js";
import { FORGETTING } from "./0002-forgetting.js";
import { TABLES } from "./tables.js";

/** In order, and only ever added to: databases out there have run them. */
export const MIGRATIONS: readonly string[] = [MEMORY, FORGETTING];

export const SCHEMA_VERSION: number = MIGRATIONS.length;

/** Any number, as long as no other program on the same server uses it for an advisory lock. */
const ADVISORY_LOCK = 7_163_552;

/** Brings the database to the schema this code knows. One process at a time; a crash leaves the version before. */
export async function migrate(database: Database): Promise<void> {
  if ((await findVersion(database)) === SCHEMA_VERSION) return;
  await database.transaction(async (transaction) => {
    await transaction.query("select pg_advisory_xact_lock($1::bigint)", [ADVISORY_LOCK]);
    await transaction.exec(
      "create table if not exists schema_version (version int primary key, applied_at timestamptz not null default now())",
    );
    const version = (await findVersion(transaction)) ?? 0;
    if (version > SCHEMA_VERSION) throw newer(version);
    await applyMigrations(transaction, { from: version, to: SCHEMA_VERSION });
  });
}

export async function applyMigrations(
  transaction: Queryable,
  { from, to }: { from: number; to: number },
): Promise<void> {
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < from || index >= to) continue;
    await transaction.exec(sql);
    await transaction.query("insert into schema_version (version) values ($1)", [index + 1]);
  }
}

/** Makes an empty database one of an earlier schema, for what was written under that. */
export async function rewind(transaction: Queryable, to: number): Promise<void> {
  await transaction.exec(`drop table if exists ${TABLES.join(", ")} cascade; delete from schema_version`);
  await applyMigrations(transaction, { from: 0, to });
}

async function findVersion(database: Queryable): Promise<number | undefined> {
  const [table] = await database.query("select to_regclass('schema_version')::text as name");
  if (table?.["name"] == null) return undefined;
  const [row] = await database.query<{ version: number | null }>(
    "select max(version)::int as version from schema_version",
  );
  const version = row?.version ?? 0;
  if (version > SCHEMA_VERSION) throw newer(version);
  return version;
}

function newer(version: number): PmlError {
  const message = `The database has schema ${version}, and this version of @pml/core knows ${SCHEMA_VERSION}. Update @pml/core.`;
  return new PmlError("PML_DATABASE_NEWER", message, { details: { found: version, known: SCHEMA_VERSION } });
}
