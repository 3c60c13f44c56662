import { PmlError } from "../../model/error.js";
import type { Queryable, Row } from "./database.js";

/**
 * What the work of a transaction is given. After its end it answers no more, as its statements would stand in someone
 * else's transaction; and it remembers what failed, as PostgreSQL keeps nothing of a transaction in which a statement did,
 * and says so to nobody.
 */
export class TransactionGuard implements Queryable {
  readonly #statements: Queryable;
  #failure: { error: unknown } | undefined;
  #isOver = false;

  constructor(statements: Queryable) {
    this.#statements = statements;
  }

  query<T extends Row = Row>(sql: string, parameters?: readonly unknown[]): Promise<T[]> {
    return this.#ask(() => this.#statements.query<T>(sql, parameters));
  }

  exec(sql: string): Promise<void> {
    return this.#ask(() => this.#statements.exec(sql));
  }

  /** Runs the work; throws what failed in it, even if the work itself did not mind. */
  async run<T>(work: (transaction: Queryable) => Promise<T>): Promise<T> {
    try {
      const result = await work(this);
      if (this.#failure !== undefined) throw this.#failure.error;
      return result;
    } finally {
      this.#isOver = true;
    }
  }

  async #ask<T>(statement: () => Promise<T>): Promise<T> {
    if (this.#isOver) throw new PmlError("PML_CLOSED", "The transaction is over. Start another one.");
    try {
      return await statement();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}
