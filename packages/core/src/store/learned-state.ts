import { invalidInput } from "../model/error.js";
import { checkText } from "../model/text.js";
import { writeJson } from "./capability-row.js";
import type { StoreContext } from "./context.js";
import type { Queryable } from "./database/database.js";

/** What is learned as one value: thresholds by context, weights by model. */
export type LearnedStateKind = "adaptive_threshold" | "learned_weights";

const KEYS: Record<LearnedStateKind, string> = { adaptive_threshold: "context_key", learned_weights: "model" };
const MAX_KEY_LENGTH = 500;

/** It becomes the name of a table. */
function checkKind(kind: LearnedStateKind): void {
  if (!Object.hasOwn(KEYS, kind))
    throw invalidInput(`"${String(kind)}" is nothing that is learned as one value: ${Object.keys(KEYS).join(", ")}.`);
}

export async function putLearnedState(
  { database, scope, now }: Pick<StoreContext, "scope" | "now"> & { database: Queryable },
  { kind, key }: { kind: LearnedStateKind; key: string },
  state: unknown,
): Promise<void> {
  checkKind(kind);
  await database.query(
    `insert into ${kind} (org, project, ${KEYS[kind]}, state, updated_at) values ($1, $2, $3, $4, $5)
     on conflict (org, project, ${KEYS[kind]}) do update set state = excluded.state, updated_at = excluded.updated_at`,
    [scope.org, scope.project, checkText("The key", key, MAX_KEY_LENGTH), writeJson(state) ?? "null", now()],
  );
}

/** As if nothing had been learned yet. */
export async function removeLearnedState(
  { database, scope }: Pick<StoreContext, "scope"> & { database: Queryable },
  { kind, key }: { kind: LearnedStateKind; key: string },
): Promise<void> {
  checkKind(kind);
  await database.query(`delete from ${kind} where org = $1 and project = $2 and ${KEYS[kind]} = $3`, [
    scope.org,
    scope.project,
    checkText("The key", key, MAX_KEY_LENGTH),
  ]);
}

export async function findLearnedState(
  { database, scope }: Pick<StoreContext, "scope"> & { database: Queryable },
  { kind, key }: { kind: LearnedStateKind; key: string },
): Promise<unknown> {
  checkKind(kind);
  const [row] = await database.query<{ state: unknown }>(
    `select state from ${kind} where org = $1 and project = $2 and ${KEYS[kind]} = $3`,
    [scope.org, scope.project, checkText("The key", key, MAX_KEY_LENGTH)],
  );
  return row?.state;
}
