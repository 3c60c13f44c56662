import { randomUUID } from "node:crypto";

import type { Embedder } from "@pml/embeddings";

import { resolveScope, type Scope } from "../model/scope.js";
import { follow, type StoreChange } from "./changes.js";
import type { StoreContext } from "./context.js";
import type { Database } from "./database/database.js";
import { openPglite } from "./database/pglite-database.js";
import { migrate } from "./migrations/migrate.js";
import { reembed, type ReembedProgress } from "./vectors/re-embed.js";
import { VectorStore } from "./vectors/vector-store.js";

export interface StoreOptions {
  /** The directory of the memory; `:memory:` keeps nothing. Or a `database` instead. */
  dataDir?: string;
  /** Used instead of a directory, and closed with the store. */
  database?: Database;
  embedder: Embedder;
  scope?: Partial<Scope>;
  /** Vectors of one kind that are searched in memory; more than that are left to an index on disk. Default 50 000. */
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
    const context = createContext(database, options);
    await reembed({ database, vectors: context.vectors, embedder: options.embedder }, options.onReembed);
    await context.vectors.load();
    const unfollow = await follow(context, (change, own) => {
      // A failure here is one of the connection, and shows at the next question that is asked.
      if (!own) refresh(context, change).catch(() => {});
    });
    return { context, unfollow };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function createContext(database: Database, options: StoreOptions): StoreContext {
  return {
    database,
    vectors: new VectorStore(database, options.embedder, options.exactUpTo),
    scope: resolveScope(options.scope),
    now: options.now ?? (() => new Date()),
    newId: options.newId ?? randomUUID,
    warn: options.warn ?? (() => {}),
    origin: randomUUID(),
  };
}

async function refresh({ vectors, scope }: StoreContext, { table, id, org, project }: StoreChange): Promise<void> {
  if (table === "workflow_pattern") await vectors.refresh("capability", { ...scope, org, project }, id);
  if (table === "tool_schema") await vectors.refresh("tool", { ...scope, org, project }, id);
}
