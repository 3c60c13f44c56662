import type { StoreContext } from "../context.js";
import type { Queryable } from "../database/database.js";
import { unobserveEdge } from "../infer.js";
import type { Rested } from "../origins.js";

/** Tables in which runs only count: the key of a row as its origins name it, and where it counts. */
const COUNTS = {
  learned_path: { key: "path_key", count: "times" },
  learned_type: { key: "tool_id || '|' || shape_key", count: "times" },
  learned_source: { key: "source_key", count: "runs" },
} as const;

const TOOL_EDGE = "from_tool_id || '|' || to_tool_id || '|' || edge_type";
const CAPABILITY_EDGE = "from_capability_id || '|' || to_capability_id || '|' || edge_type";

/** Takes one run off every count that it added to. What nothing is left of goes. */
export async function retractCounts(
  transaction: Queryable,
  { scope }: StoreContext,
  rested: readonly Rested[],
): Promise<void> {
  const place = [scope.org, scope.project];
  for (const [table, { key, count }] of Object.entries(COUNTS)) {
    const rows = rested.filter(({ kind }) => kind === table);
    if (rows.length === 0) continue;
    await transaction.query(
      `update ${table} set ${count} = ${count} - gone.less::int from unnest($3::text[], $4::text[]) as gone (name, less)
       where org = $1 and project = $2 and ${key} = gone.name`,
      [...place, rows.map((row) => row.key), rows.map(({ times }) => String(times))],
    );
    await transaction.query(`delete from ${table} where org = $1 and project = $2 and ${count} <= 0`, place);
  }
  await retractEdges(transaction, rested, {
    table: "tool_dependency",
    key: TOOL_EDGE,
    within: "org = $2 and project = $3 and",
    place,
  });
  await retractEdges(transaction, rested, {
    table: "capability_dependency",
    key: CAPABILITY_EDGE,
    within: "",
    place: [],
  });
}

async function retractEdges(
  transaction: Queryable,
  rested: readonly Rested[],
  { table, key, within, place }: { table: string; key: string; within: string; place: readonly string[] },
): Promise<void> {
  const keys = rested.filter(({ kind }) => kind === table).map((each) => each.key);
  if (keys.length === 0) return;
  const which = `where ${within} ${key} = any($1::text[])`;
  await transaction.query(`update ${table} set ${unobserveEdge()} ${which}`, [keys, ...place]);
  await transaction.query(`delete from ${table} ${which} and observed_count <= 0`, [keys, ...place]);
}
