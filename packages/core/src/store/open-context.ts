import { randomUUID } from "node:crypto";

import type { Embedder } from "@pml/embeddings";

import { resolveScope, type Scope } from "../model/scope.js";
import type { StoreContext } from "./context.js";
import type { Database } from "./database/database.js";
import { openPglite } from "./database/pglite-database.js";
import { migrate } from "./migrations/migrate.js";
import { keepCurrent } from "./vectors/keep-current.js";
import type { ReembedProgress } from "./vectors/re-embed-progress.js";
import { reembed } from "./vectors/re-embed.js";
import { VectorStore } from "./vectors/vector-store.js";

export interface StoreOptions {
  /** The directory of the memory; `:memory:` keeps nothing. Or a `database` instead. */
  dataDir?: string;
  /** Used instead of a directory, and closed with the store. */
  database?: Database;
  embedder: Embedder;
  scope?: Partial<Scope>;
  /**
   * Vectors of one kind that are searched in memory; more than that are left to an index on disk. Default 50 000, and less
   * where they have more than 384 dimensions.
   */
  exactUpTo?: number;
  /** Called while texts are embedded anew after a change of embedder. */
  onReembed?: (progress: ReembedProgress) => void;
  now?: () => Date;
  newId?: () => string;
  warn?: (message: string, details: Record<string, unknown>) => void;
}

/** A database brought up to date, with the vectors of its embedder, following what other processes do to it. */
export async function openContext(
  options: StoreOptions,
): Promise<{ context: StoreContext; unfollow: () => Promise<void> }> {
  const database = options.database ?? (await openPglite({ dataDir: options.dataDir ?? ":memory:" }));
  try {
    await migrate(database);
    // Whoever opened a directory is alone in it.
    if (options.database === undefined) await database.query("update workflow set held_until = null");
    const context = createContext(database, options);
    // Followed from before they are read: what changes in between would be missed otherwise.
    const following = keepCurrent(context, () => reading);
    const reading = following.then(() => readVectors(context));
    await reading;
    return { context, unfollow: await following };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Gives vectors to what has none, and reads those that are searched in memory. */
export async function readVectors({ database, vectors, onReembed }: StoreContext): Promise<void> {
  await reembed({ database, vectors }, onReembed);
  await vectors.load();
}

function createContext(database: Database, options: StoreOptions): StoreContext {
  const { embedder, exactUpTo, warn = () => {} } = options;
  return {
    database,
    vectors: new VectorStore(database, { embedder, exactUpTo, warn }),
    scope: resolveScope(options.scope),
    now: options.now ?? (() => new Date()),
    newId: options.newId ?? randomUUID,
    warn,
    onReembed: options.onReembed ?? (() => {}),
    origin: randomUUID(),
  };
}
