/** What the host asks of the thread that PGlite runs in. */
export type WorkerRequest =
  | { id: number; type: "query"; sql: string; parameters: readonly unknown[] }
  | { id: number; type: "exec"; sql: string }
  | { id: number; type: "listen"; channel: string }
  | { id: number; type: "close" };

export type WorkerReply =
  | { type: "ready" }
  | { type: "answer"; id: number; rows?: Record<string, unknown>[] }
  | { type: "fault"; id?: number; message: string; code?: string | undefined }
  | { type: "notification"; channel: string; payload: string };

export interface WorkerOptions {
  /** Undefined for a database in memory. */
  directory: string | undefined;
  /** The tar of a migrated database, for a directory that is new. */
  snapshot: string | undefined;
}
