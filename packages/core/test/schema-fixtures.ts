// Run by hand: `npx tsx packages/core/test/schema-fixtures.ts`. Writes the fixture of the newest schema anew. Once that
// schema is released its fixture stays as it is, and a change of the schema is a migration with a fixture of its own.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

import { CapabilityStore, createNames, type Database, SCHEMA_VERSION } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";

import { MIGRATIONS } from "../src/store/migrations/migrate.js";

const FOLDER = join(import.meta.dirname, "fixtures");

export const sqlFixture = (version: number): string => join(FOLDER, `schema-${version}.sql.gz`);
export const backupFixture = (version: number): string => join(FOLDER, `schema-${version}.backup`);

/** Everything that makes a schema, in an order of its own: what two databases of one schema have in common. */
export async function describeSchema(database: Database): Promise<string[]> {
  const rows = await database.query<{ line: string }>(
    `select format('%s.%s %s%s default %s', relname, attname, format_type(atttypid, atttypmod), case when attnotnull then ' not null' else '' end,
       coalesce(pg_get_expr(adbin, adrelid), 'none')) as line
     from pg_attribute join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
     union all select format('%s: %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
       where connamespace = 'public'::regnamespace and contype <> 'n'
     union all select indexdef from pg_indexes where schemaname = 'public'`,
  );
  return rows.map(({ line }) => line).sort();
}

/** A small memory with something in every table. */
async function fillMemory(store: CapabilityStore): Promise<void> {
  const put = async (intent: string, tool: string): Promise<string> =>
    (
      await store.create({
        source: { type: "code", code: `return mcp.${tool.replace(":", ".")}({ path: "a.json" });` },
        intent,
        shape: "one",
        toolsUsed: [tool],
        parameters: { type: "object", properties: { path: { type: "string", default: "a.json" } } },
      })
    ).capability.id;
  const [first, second] = [await put("read the settings", "fs:read"), await put("count the words", "text:count")];
  await put("read the settings", "fs:load");
  await store.putTools([{ id: "fs:read", description: "Reads a file", inputSchema: { type: "object" } }]);
  await store.addDependency({ fromCapabilityId: first, toCapabilityId: second, edgeType: "dependency" });
  await store.putLearnedState({ kind: "adaptive_threshold", key: "speculation" }, { at: 0.85 });
  await store.putLearnedState({ kind: "learned_weights", key: "next" }, [1, 2]);
  await store.recordRun({
    trace: {
      capabilityId: first,
      workflowId: "00000000-0000-4000-8000-000000000001",
      success: true,
      startedAt: new Date(0),
      durationMs: 5,
      args: { text: "it's \\ \0 é" },
      tasks: [{ taskId: "t1", tool: "fs:read", success: true, startedAtMs: 0, durationMs: 2 }],
    },
    toolDependencies: [{ fromToolId: "fs:read", toToolId: "text:count", edgeType: "sequence" }],
    taskResults: [{ taskId: "t1", result: { content: "x" } }],
    pastIntent: { intent: "read the settings", toolIds: ["fs:read"] },
    path: ["fs:read"],
    shapes: [{ tool: "fs:read", type: "string" }],
    sources: [{ subject: "fs:read" }],
  });
  await fillNames(store, first);
  await fillUnfinished(store, first);
}

// Nothing is replayed where one is only called by another name.
const unused = (): Promise<never> => Promise.reject(new Error("nothing was to be run"));

/** One that was called otherwise once. */
async function fillNames(store: CapabilityStore, capabilityId: string): Promise<void> {
  const names = createNames({ store, verify: unused, dryRun: unused, tryVersion: unused });
  await names.assign({ capabilityId, name: "fs:read_settings" });
  await names.rename("fs:read_settings", "app:read_settings");
}

/** A run that waits for somebody, an answer that is kept, and one that was dropped. */
async function fillUnfinished({ context }: CapabilityStore, capabilityId: string): Promise<void> {
  const [workflow, other] = ["00000000-0000-4000-8000-000000000002", "00000000-0000-4000-8000-000000000003"];
  const at = "'2026-01-01T00:00:00Z'";
  await context.database.exec(`
    insert into workflow (workflow_id, org, project, actor, status, request, created_at, updated_at)
      values ('${workflow}', 'local', 'default', 'local', 'waiting', '{"code":"return 1"}', ${at}, ${at});
    insert into workflow_checkpoint (workflow_id, step_key, state, created_at) values ('${workflow}', 'n1', '{"result":1}', ${at});
    insert into approval (approval_id, workflow_id, request, created_at) values ('${other}', '${workflow}', '{"tools":[]}', ${at});
    insert into capability_cache (id, capability_id, params_hash, result, created_at, expires_at)
      values ('${other}', '${capabilityId}', 'x', '{"content":"x"}', ${at}, '2126-01-01T00:00:00Z');
    insert into cache_invalidation_log (id, org, project, trigger_type, entries_invalidated, created_at)
      values ('${other}', 'local', 'default', 'manual', 1, ${at});`);
}

/** The memory as statements that need nothing of this code: how it looks to those who have it. */
function writeSql(lines: readonly string[]): string {
  const versions = MIGRATIONS.map((_, index) => `insert into schema_version values (${index + 1}, now());`);
  const table = "create table schema_version (version int primary key, applied_at timestamptz not null default now());";
  let target = "";
  const statements = [table, ...MIGRATIONS, ...versions];
  for (const line of lines) {
    const value = JSON.parse(line) as { table?: string; columns?: string[] } | (string | null)[];
    if (Array.isArray(value)) statements.push(`insert into ${target} values (${value.map(quote).join(", ")});`);
    else if (value.table !== undefined) target = `${value.table} (${value.columns?.join(", ")})`;
  }
  return statements.join("\n");
}

function quote(cell: string | null): string {
  return cell === null ? "null" : `'${cell.replaceAll("'", "''")}'`;
}

async function writeFixture(): Promise<void> {
  await using store = await CapabilityStore.open({ embedder: createHashEmbedder() });
  await fillMemory(store);
  const backup = backupFixture(SCHEMA_VERSION);
  mkdirSync(FOLDER, { recursive: true });
  await store.backup(backup);
  const lines = gunzipSync(readFileSync(backup)).toString("utf8").trim().split("\n");
  writeFileSync(sqlFixture(SCHEMA_VERSION), gzipSync(writeSql(lines), { level: 9 }));
}

if (process.argv[1] === import.meta.filename) await writeFixture();
