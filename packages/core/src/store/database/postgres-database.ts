import type * as Pg from "pg";
import type { Client, Pool, PoolClient, PoolConfig } from "pg";

import { PmlError } from "../../model/error.js";
import type { Database, Queryable, Row } from "./database.js";
import { ask, askInTurn } from "./postgres-ask.js";
import { PostgresListener } from "./postgres-listener.js";
import { databaseError } from "./sql-error.js";
import { TransactionGuard } from "./transaction-guard.js";

export interface PostgresOptions {
  /** `postgresql://user:password@host:port/database`. */
  connectionString: string;
  /** Connections at most. Default 8. */
  maxConnections?: number;
}

const DEFAULT_MAX_CONNECTIONS = 8;
/** Serialisation failure and deadlock: the server undid the work, and doing it again is what it asks for. */
const TRY_AGAIN = new Set(["40001", "40P01"]);
const ATTEMPTS = 5;

/** A PostgreSQL server with pgvector, for a memory that several processes share. Needs the package `pg`. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { default: pg } = await importPg();
  const config: PoolConfig = {
    connectionString: options.connectionString,
    max: options.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
    allowExitOnIdle: true,
  };
  const pool = new pg.Pool(config);
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => {});
  const { connectionString } = options;
  const createClient = (): Client => new pg.Client({ connectionString, keepAlive: true });
  const database = new PostgresDatabase(pool, createClient);
  try {
    await database.query("select 1");
    return database;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function importPg(): Promise<typeof Pg> {
  try {
    return await import("pg");
  } catch (error) {
    throw new PmlError("PML_DATABASE_UNAVAILABLE", 'A PostgreSQL server needs the package "pg": npm install pg.', {
      cause: error,
    });
  }
}

class PostgresDatabase implements Database {
  readonly #pool: Pool;
  readonly #createClient: () => Client;
  readonly #listening = new Set<PostgresListener>();
  #closing: Promise<void> | undefined;

  constructor(pool: Pool, createClient: () => Client) {
    this.#pool = pool;
    this.#createClient = createClient;
  }

  query<T extends Row>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    return ask<T>(this.#pool, sql, parameters);
  }

  async exec(sql: string): Promise<void> {
    await ask(this.#pool, sql);
  }

  async transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#attempt(work);
      } catch (error) {
        const again = error instanceof PmlError && TRY_AGAIN.has(String(error.details["sqlState"]));
        if (!again || attempt === ATTEMPTS) throw error;
      }
  }

  async listen(
    channel: string,
    onMessage: (payload: string) => void,
    onGap: () => void = () => {},
  ): Promise<() => Promise<void>> {
    const createClient = this.#createClient;
    try {
      const listener = await PostgresListener.start({ createClient, channel, onMessage, onGap });
      this.#listening.add(listener);
      return async () => {
        this.#listening.delete(listener);
        await listener.stop();
      };
    } catch (error) {
      throw databaseError(error as Error, error);
    }
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      await Promise.all([...this.#listening].map((listener) => listener.stop()));
      await this.#pool.end();
    })();
    return this.#closing;
  }

  async #attempt<T>(work: (transaction: Queryable) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    const statements = askInTurn(client);
    try {
      await statements.exec("begin");
      const result = await new TransactionGuard(statements).run(work);
      await statements.exec("commit");
      client.release();
      return result;
    } catch (error) {
      const undone = await client.query("rollback").then(
        () => true,
        () => false,
      );
      // A connection that cannot even roll back is not one to use again.
      client.release(!undone);
      throw error;
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw databaseError(error as Error, error);
    }
  }
}
