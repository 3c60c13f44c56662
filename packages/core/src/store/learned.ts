import { createHash } from "node:crypto";

import type { LearnedThing } from "../model/trace.js";
import type { StoreContext } from "./context.js";
import type { Queryable, Row } from "./database/database.js";
import type { Rested } from "./origins.js";
import { sortBy } from "./sort-by.js";

/** The tools and capabilities of a run, in order, and how often a run took just that way. */
export interface LearnedPath {
  nodes: string[];
  times: number;
}

/** A type that a tool's result had, and how often. */
export interface LearnedShape {
  tool: string;
  type: unknown;
  times: number;
}

export async function writePath(
  transaction: Queryable,
  { scope }: StoreContext,
  nodes: readonly string[],
): Promise<LearnedThing[]> {
  if (nodes.length === 0) return [];
  const key = digest(nodes);
  await transaction.query(
    `insert into learned_path as known (org, project, path_key, nodes, times) values ($1, $2, $3, $4, 1)
     on conflict (org, project, path_key) do update set times = known.times + 1`,
    [scope.org, scope.project, key, JSON.stringify(nodes)],
  );
  return [{ kind: "learned_path", key }];
}

export async function writeShapes(
  transaction: Queryable,
  { scope }: StoreContext,
  shapes: readonly Omit<LearnedShape, "times">[],
): Promise<Rested[]> {
  if (shapes.length === 0) return [];
  const counted = new Map<string, { tool: string; key: string; shape: unknown; times: number }>();
  for (const { tool, type } of shapes) {
    const key = digest(type);
    const id = `${tool}|${key}`;
    counted.set(id, { tool, key, shape: type, times: (counted.get(id)?.times ?? 0) + 1 });
  }
  const rows = sortBy([...counted], ([id]) => id).map(([, row]) => row);
  // Arrays of text: json_to_recordset would stop at an escaped NUL in the name of a field.
  await transaction.query(
    `insert into learned_type as known (org, project, tool_id, shape_key, shape, times)
     select $1, $2, tool, key, shape::json, times::int from unnest($3::text[], $4::text[], $5::text[], $6::text[]) as given (tool, key, shape, times)
     on conflict (org, project, tool_id, shape_key) do update set times = known.times + excluded.times`,
    [
      scope.org,
      scope.project,
      rows.map(({ tool }) => tool),
      rows.map(({ key }) => key),
      rows.map(({ shape }) => JSON.stringify(shape)),
      rows.map(({ times }) => String(times)),
    ],
  );
  return rows.map(({ tool, key, times }) => ({ kind: "learned_type", key: `${tool}|${key}`, times }));
}

export async function listPaths({ database, scope }: StoreContext): Promise<LearnedPath[]> {
  const rows = await database.query<Row & LearnedPath>(
    "select nodes, times from learned_path where org = $1 and project = $2 order by path_key",
    [scope.org, scope.project],
  );
  return rows.map(({ nodes, times }) => ({ nodes, times }));
}

export async function listShapes({ database, scope }: StoreContext): Promise<LearnedShape[]> {
  const rows = await database.query<Row & { tool_id: string; shape: unknown; times: number }>(
    "select tool_id, shape, times from learned_type where org = $1 and project = $2 order by tool_id, shape_key",
    [scope.org, scope.project],
  );
  return rows.map(({ tool_id, shape, times }) => ({ tool: tool_id, type: shape, times }));
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}
