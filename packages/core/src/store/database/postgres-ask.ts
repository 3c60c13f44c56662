import type { Pool, PoolClient } from "pg";

import type { Queryable, Row } from "./database.js";
import { databaseError } from "./sql-error.js";

/** A connection answers one question at a time, and pg no longer keeps the others waiting by itself. */
export function askInTurn(client: PoolClient): Queryable {
  let last: Promise<unknown> = Promise.resolve();
  const askNext = <T extends Row>(sql: string, parameters?: readonly unknown[]): Promise<T[]> => {
    const turn = last.then(() => ask<T>(client, sql, parameters));
    last = turn.catch(() => {});
    return turn;
  };
  return { query: askNext, exec: async (sql) => void (await askNext(sql)) };
}

export async function ask<T extends Row>(on: Pool | PoolClient, sql: string, parameters?: readonly unknown[]): Promise<T[]> {
  try {
    const result = await (parameters === undefined || parameters.length === 0
      ? on.query(sql)
      : on.query(sql, [...parameters]));
    return (result.rows ?? []) as T[];
  } catch (error) {
    throw databaseError(error as Error & { code?: string }, error);
  }
}
