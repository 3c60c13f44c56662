/** One row, its columns by name. */
export type Row = Record<string, unknown>;

/** What can be asked, inside a transaction or outside. */
export interface Queryable {
  /** One statement, with `$1` … for its parameters. */
  query<T extends Row = Row>(sql: string, parameters?: readonly unknown[]): Promise<T[]>;
  /** Several statements, without parameters. */
  exec(sql: string): Promise<void>;
}

/**
 * PostgreSQL with pgvector, be it embedded or a server. Ids are made by the caller; JSON goes in as text, cast in the
 * statement; counts are cast to `int`: the two drivers differ in how they show anything else.
 */
export interface Database extends Queryable {
  /** All of the work, or none of it. What it returns is returned once it is on disk. */
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>;
  /**
   * Calls back with the payload of every `notify` on the channel, from any process, once it is committed. `onGap` is called
   * when a broken connection was replaced, so that some may have been missed.
   */
  listen(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
