import { fileURLToPath } from "node:url";

import { PmlError } from "../../model/error.js";
import type { Database, Queryable, Row } from "./database.js";
import { openDirectory } from "./directory.js";
import { TransactionGuard } from "./transaction-guard.js";
import { Turnstile } from "./turnstile.js";
import { WorkerLink } from "./worker-link.js";

export interface PgliteOptions {
  /** Where everything is kept, made if it is not there; `:memory:` for nothing kept. */
  dataDir: string;
}

/** PGlite in a thread of its own, on a directory that this process alone may use. */
export async function openPglite({ dataDir }: PgliteOptions): Promise<Database> {
  if (dataDir === ":memory:") return connect(new PgliteDatabase({ directory: undefined, snapshot: SNAPSHOT }));
  const directory = await openDirectory(dataDir);
  try {
    const snapshot = directory.isNew ? SNAPSHOT : undefined;
    const database = await connect(
      new PgliteDatabase({ directory: directory.postgres, snapshot }, () => directory.release()),
    );
    await directory.markReady();
    return database;
  } catch (error) {
    await directory.release();
    throw directory.explain(error);
  }
}

const SNAPSHOT = fileURLToPath(new URL("./snapshot.tar", import.meta.url));
const CLOSED = new PmlError("PML_CLOSED", "The database is closed. Open it again.");

async function connect(database: PgliteDatabase): Promise<PgliteDatabase> {
  await database.ready();
  return database;
}

class PgliteDatabase implements Database {
  readonly #link: WorkerLink;
  readonly #turnstile = new Turnstile();
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  readonly #onClosed: () => Promise<void>;
  #closing: Promise<void> | undefined;

  constructor(options: ConstructorParameters<typeof WorkerLink>[0], onClosed: () => Promise<void> = async () => {}) {
    this.#onClosed = onClosed;
    this.#link = new WorkerLink(options, (channel, payload) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(payload);
    });
  }

  async ready(): Promise<void> {
    await this.#link.ready();
  }

  query<T extends Row>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    return this.#turnstile.pass(() => this.#statements.query<T>(sql, parameters));
  }

  exec(sql: string): Promise<void> {
    return this.#turnstile.pass(() => this.#statements.exec(sql));
  }

  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T> {
    return this.#turnstile.pass(async () => {
      await this.#statements.exec("begin");
      try {
        const result = await new TransactionGuard(this.#statements).run(work);
        await this.#statements.exec("commit");
        return result;
      } catch (error) {
        // If this fails too the database is gone, and the first error says more.
        await this.#statements.exec("rollback").catch(() => {});
        throw error;
      }
    });
  }

  async listen(channel: string, onMessage: (payload: string) => void): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(onMessage));
    await this.#turnstile.pass(() => this.#link.send({ type: "listen", channel }));
    return async () => void listeners.delete(onMessage);
  }

  close(): Promise<void> {
    this.#closing ??= this.#turnstile.pass(async () => {
      // A database that crashed cannot be asked to close; its thread is ended all the same.
      await this.#link.send({ type: "close" }).catch(() => {});
      await this.#link.terminate(CLOSED);
      await this.#onClosed();
    });
    return this.#closing;
  }

  readonly #statements: Queryable = {
    query: async <T extends Row>(sql: string, parameters: readonly unknown[] = []) =>
      (await this.#link.send({ type: "query", sql, parameters })) as T[],
    exec: async (sql) => void (await this.#link.send({ type: "exec", sql })),
  };
}
