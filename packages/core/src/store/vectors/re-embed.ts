import type { Visibility } from "../../model/scope.js";
import type { Database, Row } from "../database/database.js";
import { listToolTexts } from "../tools.js";
import type { ReembedProgress } from "./re-embed-progress.js";
import type { Vectors } from "./vector-store.js";
import type { VectorKind } from "./vector-table.js";

interface MissingRow extends Row {
  kind: VectorKind;
  owner_id: string;
  org: string;
  project: string;
  owner: string;
  visibility: Visibility;
  text: string;
  input_schema: unknown;
}

/** Rows looked for at a time, since looking for them reads all; and texts embedded at a time. */
const PAGE = 1024;
const BATCH = 64;

/** Everything that should have a vector, with the text it is made of and who may see it. */
const OWNERS = `select 'capability' as kind, pattern_id::text as owner_id, org, project, owner, visibility, intent as text, null::json as input_schema from workflow_pattern
  union all select 'tool', tool_id, org, project, '', 'project', description, input_schema from tool_schema
  union all select 'intent', intent_id::text, org, project, owner, 'project', intent, null::json from intent_memory`;
/** One of other dimensions, as a foreign backup may bring, is none. */
const MISSING = `from (${OWNERS}) o where not exists (select 1 from embedding e where e.embedder_id = $1 and vector_dims(e.vector) = $2
  and e.kind = o.kind and e.org = o.org and e.project = o.project and e.owner_id = o.owner_id)`;

interface Target {
  database: Database;
  vectors: Vectors;
}

/**
 * Gives a vector of this embedder to whatever has none, as after a change of embedder; then removes those of others.
 * Each batch is stored before the next: if it is interrupted, the next opening goes on from there.
 */
export async function reembed(
  { database, vectors }: Target,
  onProgress: (progress: ReembedProgress) => void = () => {},
): Promise<void> {
  const own = [vectors.embedder.id, vectors.embedder.dimensions];
  const [count] = await database.query<{ total: number }>(`select count(*)::int as total ${MISSING}`, own);
  const total = count?.total ?? 0;
  for (let done = 0; done < total;) {
    const rows = await database.query<MissingRow>(`select * ${MISSING} order by kind, owner_id limit ${PAGE}`, own);
    if (rows.length === 0) break;
    for (let start = 0; start < rows.length; start += BATCH) {
      const batch = rows.slice(start, start + BATCH);
      await writeBatch({ database, vectors }, batch);
      done += batch.length;
      onProgress({ done, total: Math.max(total, done) });
    }
  }
  await database.query("delete from embedding where embedder_id <> $1 or vector_dims(vector) <> $2", own);
}

async function writeBatch({ database, vectors }: Target, rows: readonly MissingRow[]): Promise<void> {
  const owed = rows.flatMap((row) => listTexts(row).map((each) => ({ ...each, row })));
  const made = await vectors.embed(owed.map(({ text }) => text));
  await database.transaction(async (transaction) => {
    for (const [at, { ownerId, row }] of owed.entries()) {
      const { kind, owner, visibility } = row;
      const vector = made[at] as Float32Array;
      await vectors.table.write(transaction, row, [{ kind, ownerId, vector, owner, visibility }]);
    }
  });
}

function listTexts({
  kind,
  owner_id: id,
  text,
  input_schema: inputSchema,
}: MissingRow): { ownerId: string; text: string }[] {
  return kind === "tool" ? listToolTexts({ id, description: text, inputSchema }) : [{ ownerId: id, text }];
}
