import { checkId, checkText } from "../model/text.js";
import type { LearnedThing } from "../model/trace.js";
import type { StoreContext } from "./context.js";
import type { Queryable, Row } from "./database/database.js";
import { sortBy } from "./sort-by.js";

const MAX_KEY_LENGTH = 1000;

/** Something that was learned from a trace, and how often that said it. */
export type Rested = LearnedThing & { times: number };

/** Notes that these rest on the trace. Once more is once more said. */
export async function writeOrigins(
  transaction: Queryable,
  traceId: string,
  learned: readonly (LearnedThing & Partial<Rested>)[],
): Promise<void> {
  if (learned.length === 0) return;
  const rows = sortBy(addUp(learned), nameOf);
  await transaction.query(
    `insert into learned_from as known (kind, learned_key, trace_id, times) select kind, learned_key, $4::uuid, times::int
     from unnest($1::text[], $2::text[], $3::text[]) as row (kind, learned_key, times)
     on conflict (kind, learned_key, trace_id) do update set times = known.times + excluded.times`,
    [rows.map(({ kind }) => kind), rows.map(({ key }) => key), rows.map(({ times }) => String(times)), traceId],
  );
}

/** Takes back that a trace taught things of this kind, which it then may teach anew. */
export async function takeBackOrigins(transaction: Queryable, traceId: string, kind: string): Promise<Rested[]> {
  return transaction.query<Row & Rested>(
    "delete from learned_from where trace_id = $1 and kind = $2 returning kind, learned_key as key, times",
    [traceId, kind],
  );
}

function addUp(learned: readonly (LearnedThing & Partial<Rested>)[]): Rested[] {
  const sums = new Map<string, Rested>();
  for (const each of learned) {
    const checked = checkLearned(each);
    const name = nameOf(checked);
    sums.set(name, { ...checked, times: (sums.get(name)?.times ?? 0) + (each.times ?? 1) });
  }
  return [...sums.values()];
}

function nameOf({ kind, key }: LearnedThing): string {
  return `${kind}\n${key}`;
}

/** The traces that something rests on, newest first; those that retention removed are not among them. */
export async function listOrigins({ database, scope }: StoreContext, learned: LearnedThing): Promise<string[]> {
  const { kind, key } = checkLearned(learned);
  const rows = await database.query<{ id: string }>(
    `select trace_id::text as id from learned_from join execution_trace using (trace_id)
     where kind = $1 and learned_key = $2 and org = $3 and project = $4 and owner in ('', $5) order by started_at desc, trace_id`,
    [kind, key, scope.org, scope.project, scope.actor],
  );
  return rows.map(({ id }) => id);
}

/** What rests on a trace: what has to be looked at again when it is to be forgotten. */
export async function listLearnedFrom({ database, scope }: StoreContext, traceId: string): Promise<LearnedThing[]> {
  return database.query<Row & LearnedThing>(
    `select kind, learned_key as key from learned_from join execution_trace using (trace_id)
     where trace_id = $1 and org = $2 and project = $3 and owner in ('', $4) order by kind, learned_key`,
    [checkId("The trace's id", traceId), scope.org, scope.project, scope.actor],
  );
}

function checkLearned({ kind, key }: LearnedThing): LearnedThing {
  return { kind: checkText("A kind of what was learned", kind, 100), key: checkText("Its key", key, MAX_KEY_LENGTH) };
}
