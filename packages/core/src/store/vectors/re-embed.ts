import type { Embedder } from "@pml/embeddings";

import { DEFAULT_SCOPE } from "../../model/scope.js";
import type { Database, Row } from "../database/database.js";
import { embedTools } from "../tools.js";
import type { NewVector, VectorKind, VectorStore } from "./vector-store.js";

export interface ReembedProgress {
  done: number;
  total: number;
}

interface MissingRow extends Row {
  kind: VectorKind;
  owner_id: string;
  org: string;
  project: string;
  text: string;
  input_schema: unknown;
}

const BATCH = 64;

/** Everything that should have a vector, with the text it is made of. */
const OWNERS = `select 'capability' as kind, pattern_id::text as owner_id, org, project, intent as text, null::json as input_schema from workflow_pattern
  union all select 'tool', tool_id, org, project, description, input_schema from tool_schema
  union all select 'intent', intent_id::text, org, project, intent, null::json from intent_memory`;
const MISSING = `from (${OWNERS}) owner where not exists (select 1 from embedding e where e.embedder_id = $1 and e.kind = owner.kind
  and e.org = owner.org and e.project = owner.project and e.owner_id = owner.owner_id)`;

/**
 * Gives a vector of this embedder to whatever has none, as after a change of embedder; then removes those of others.
 * Each batch is stored before the next: if it is interrupted, the next opening goes on from there.
 */
export async function reembed(
  { database, vectors, embedder }: { database: Database; vectors: VectorStore; embedder: Embedder },
  onProgress: (progress: ReembedProgress) => void = () => {},
): Promise<void> {
  const [count] = await database.query<{ total: number }>(`select count(*)::int as total ${MISSING}`, [embedder.id]);
  const total = count?.total ?? 0;
  for (let done = 0; done < total;) {
    const rows = await database.query<MissingRow>(`select * ${MISSING} order by kind, owner_id limit ${BATCH}`, [
      embedder.id,
    ]);
    if (rows.length === 0) break;
    await writeBatch({ database, vectors }, rows);
    done += rows.length;
    onProgress({ done, total: Math.max(total, done) });
  }
  await database.query("delete from embedding where embedder_id <> $1", [embedder.id]);
}

async function writeBatch(
  { database, vectors }: { database: Database; vectors: VectorStore },
  rows: readonly MissingRow[],
): Promise<void> {
  const made = await vectors.embed(rows.map(({ text }) => text));
  const embedded = await Promise.all(
    rows.map(
      ({ kind, owner_id: ownerId, text, input_schema: inputSchema }, index): Promise<NewVector[]> | NewVector[] =>
        kind === "tool"
          ? embedTools({ vectors }, [{ id: ownerId, description: text, inputSchema }])
          : [{ kind, ownerId, vector: made[index] as Float32Array }],
    ),
  );
  await database.transaction(async (transaction) => {
    for (const [index, row] of rows.entries())
      await vectors.write(transaction, { ...DEFAULT_SCOPE, org: row.org, project: row.project }, embedded[index] ?? []);
  });
}
