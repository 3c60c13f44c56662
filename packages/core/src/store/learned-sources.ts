import { createHash } from "node:crypto";

import type { ArgumentSource } from "@pml/graph";

import type { LearnedThing } from "../model/trace.js";
import { writeJson } from "./capability-row.js";
import type { StoreContext } from "./context.js";
import type { Queryable, Row } from "./database/database.js";

/** Where calls of a tool, or at a place in the code of a capability, had their input from, and in how many runs. */
export interface LearnedSource {
  subject: string;
  /** Absent: that the subject was there. */
  source?: ArgumentSource;
  runs: number;
}

/** One run says each thing once: whoever takes the run back lowers by one the counts of what rests on it. */
export async function writeSources(
  transaction: Queryable,
  { scope }: StoreContext,
  sources: readonly Omit<LearnedSource, "runs">[],
): Promise<LearnedThing[]> {
  if (sources.length === 0) return [];
  const byKey = new Map(sources.map((each) => [digest(each), each]));
  const rows = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => ({ key, ...each }));
  // Arrays of text: json_to_recordset would stop at an escaped NUL in the name of a field.
  await transaction.query(
    `insert into learned_source as known (org, project, source_key, subject, source, runs)
     select $1, $2, key, subject, source::json, 1 from unnest($3::text[], $4::text[], $5::text[]) as given (key, subject, source)
     on conflict (org, project, source_key) do update set runs = known.runs + 1`,
    [
      scope.org,
      scope.project,
      rows.map(({ key }) => key),
      rows.map(({ subject }) => subject),
      rows.map(({ source }) => writeJson(source)),
    ],
  );
  return rows.map(({ key }) => ({ kind: "learned_source", key }));
}

export async function listSources({ database, scope }: StoreContext): Promise<LearnedSource[]> {
  const rows = await database.query<Row & { subject: string; source: ArgumentSource | null; runs: number }>(
    "select subject, source, runs from learned_source where org = $1 and project = $2 order by source_key",
    [scope.org, scope.project],
  );
  return rows.map(({ subject, source, runs }) => ({ subject, ...(source !== null && { source }), runs }));
}

function digest({ subject, source }: Omit<LearnedSource, "runs">): string {
  const text = JSON.stringify([subject, source ?? null]);
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
