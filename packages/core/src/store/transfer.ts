import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";

import { PmlError } from "../model/error.js";
import type { Database, Queryable } from "./database/database.js";
import { findFileError } from "./database/file-error.js";
import { applyMigrations, migrate, rewind, SCHEMA_VERSION } from "./migrations/migrate.js";
import { TABLES } from "./migrations/tables.js";

const FORMAT = "pml-backup";
const PAGE = 500;

/**
 * Everything in a database, as lines of JSON: a header, then each table's name and columns, and its rows. It says what is stored, not
 * how: a backup can be restored by a later version, on another PostgreSQL, embedded or not.
 */
export async function backup(database: Database, file: string): Promise<void> {
  const partial = `${file}.partial`;
  try {
    await database.transaction(async (transaction) => {
      await transaction.exec("set transaction isolation level repeatable read read only");
      const lines = Readable.from(writeLines(transaction)).map((line: string) => `${line}\n`);
      await pipeline(lines, createGzip(), createWriteStream(partial));
    });
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    throw error instanceof PmlError ? error : (findFileError(error, file) ?? error);
  }
}

/** Fills an empty database; all of it or nothing. */
export async function restore(database: Database, file: string, options: RestoreOptions = {}): Promise<void> {
  await fill(database, readLines(file), options);
}

export interface RestoreOptions {
  /** Tools that were stored when the memory was opened make room for those of the backup. */
  replaceTools?: boolean;
}

/** As `backup` and `restore` in one, without the file: from an embedded database to a server, say. */
export async function copyDatabase(from: Database, to: Database): Promise<void> {
  await from.transaction(async (transaction) => {
    await transaction.exec("set transaction isolation level repeatable read read only");
    await fill(to, writeLines(transaction));
  });
}

/** Cells as text, as PostgreSQL writes and reads them: it is the one form that keeps every value of every type. */
async function* writeLines(from: Queryable): AsyncGenerator<string> {
  yield JSON.stringify({ format: FORMAT, schema: SCHEMA_VERSION });
  for (const table of TABLES) {
    const columns = [...(await listColumns(from, table)).keys()];
    yield JSON.stringify({ table, columns });
    const cells = columns.map((name) => `${name}::text`).join(", ");
    // A cursor: rows are read once, in one pass, whatever their number.
    await from.exec(`declare pml_rows cursor for select array[${cells}] as cells from ${table}`);
    for (let rows = await fetchPage(from); rows.length > 0; rows = await fetchPage(from)) yield* rows;
    await from.exec("close pml_rows");
  }
}

async function fetchPage(from: Queryable): Promise<string[]> {
  const rows = await from.query<{ cells: (string | null)[] }>(`fetch ${PAGE} from pml_rows`);
  return rows.map(({ cells }) => JSON.stringify(cells));
}

async function* readLines(file: string): AsyncGenerator<string> {
  const [source, text] = [createReadStream(file), createGunzip()];
  source.on("error", (error) => text.destroy(error));
  let rest = "";
  try {
    for await (const chunk of source.pipe(text).setEncoding("utf8")) {
      const lines = `${rest}${String(chunk)}`.split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (error) {
    throw notABackup((error as Error).message, error);
  }
  if (rest !== "") throw notABackup("it ends in the middle of a line");
}

interface Part {
  table: (typeof TABLES)[number];
  columns: Map<string, string>;
  rows: (string | null)[][];
}

async function fill(
  database: Database,
  lines: AsyncIterable<string>,
  { replaceTools = false }: RestoreOptions = {},
): Promise<void> {
  await migrate(database);
  await database.transaction(async (transaction) => {
    if (replaceTools) await transaction.exec("delete from tool_schema; delete from embedding where kind = 'tool'");
    await refuseFilled(transaction);
    let schema: number | undefined;
    let part: Part | undefined;
    for await (const line of lines) {
      const value = parse(line);
      if (schema === undefined) {
        schema = readHeader(value);
        // It goes in as it was, and is migrated from there as a database of its age would be.
        if (schema < SCHEMA_VERSION) await rewind(transaction, schema);
      } else if (Array.isArray(value)) part = await addRow(transaction, part, value as (string | null)[]);
      else {
        await insertRows(transaction, part);
        part = await readPart(transaction, value);
      }
    }
    if (schema === undefined) throw notABackup("it is empty");
    await insertRows(transaction, part);
    await applyMigrations(transaction, { from: schema, to: SCHEMA_VERSION });
  });
}

async function addRow(transaction: Queryable, part: Part | undefined, row: (string | null)[]): Promise<Part> {
  if (
    part === undefined ||
    row.length !== part.columns.size ||
    !row.every((cell) => cell === null || typeof cell === "string")
  )
    throw notABackup("it has a row that belongs to no table");
  part.rows.push(row);
  if (part.rows.length < PAGE) return part;
  await insertRows(transaction, part);
  return { ...part, rows: [] };
}

async function insertRows(transaction: Queryable, part: Part | undefined): Promise<void> {
  if (part === undefined || part.rows.length === 0) return;
  const names = [...part.columns.keys()];
  const values = [...part.columns].map(([name, type]) => `cells.${name}::${type}`).join(", ");
  const arrays = names.map((_, index) => `$${index + 1}::text[]`).join(", ");
  await transaction.query(
    `insert into ${part.table} (${names.join(", ")}) select ${values} from unnest(${arrays}) as cells (${names.join(", ")})`,
    names.map((_, column) => part.rows.map((row) => row[column] ?? null)),
  );
}

/** Names become part of statements: they are taken from the database, and the file can only choose among them. */
async function readPart(transaction: Queryable, value: object): Promise<Part> {
  const { table: name, columns: given } = value as { table?: unknown; columns?: unknown };
  const table = TABLES.find((each) => each === name);
  if (table === undefined || !Array.isArray(given))
    throw notABackup(`it has rows of a table "${String(name).slice(0, 50)}"`);
  const known = await listColumns(transaction, table);
  const columns = new Map(given.map((column) => [String(column), known.get(String(column)) ?? ""]));
  if ([...columns.values()].includes("") || columns.size !== given.length)
    throw notABackup(`it has columns that ${table} has not`);
  return { table, columns, rows: [] };
}

async function listColumns(on: Queryable, table: string): Promise<Map<string, string>> {
  const rows = await on.query<{ name: string; type: string }>(
    `select attname::text as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = to_regclass($1::text) and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}

async function refuseFilled(transaction: Queryable): Promise<void> {
  for (const table of TABLES) {
    const rows = await transaction.query(`select 1 as found from ${table} limit 1`);
    if (rows.length > 0)
      throw new PmlError(
        "PML_NOT_EMPTY",
        `The database holds something already (in ${table}). Restore into an empty one.`,
      );
  }
}

/** The schema that the rows are of. */
function readHeader(line: unknown): number {
  const { format, schema } = line as { format?: unknown; schema?: unknown };
  if (format !== FORMAT || !Number.isSafeInteger(schema)) throw notABackup("its first line does not say so");
  if ((schema as number) <= SCHEMA_VERSION) return Math.max(0, schema as number);
  const message = `The backup has schema ${String(schema)}, this is ${SCHEMA_VERSION}. Use the version of @pml/core that made it, or a newer one.`;
  throw new PmlError("PML_DATABASE_NEWER", message, { details: { found: schema, known: SCHEMA_VERSION } });
}

function parse(line: string): object {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : {};
  } catch (error) {
    throw notABackup("a line of it is not JSON", error);
  }
}

function notABackup(why: string, cause?: unknown): PmlError {
  return new PmlError(
    "PML_INVALID_INPUT",
    `This is not a backup of a memory, or a broken one: ${why}. Nothing was restored.`,
    { cause },
  );
}
