import type { Scope } from "../model/scope.js";
import type { Database } from "./database/database.js";
import type { ReembedProgress } from "./vectors/re-embed-progress.js";
import type { Vectors } from "./vectors/vector-store.js";

/** What every part of the store works with. */
export interface StoreContext {
  database: Database;
  vectors: Vectors;
  scope: Scope;
  now: () => Date;
  newId: () => string;
  warn: (message: string, details: Record<string, unknown>) => void;
  onReembed: (progress: ReembedProgress) => void;
  /** Marks changes as ours in the feed. */
  origin: string;
}
