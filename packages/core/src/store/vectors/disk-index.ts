import { createHash } from "node:crypto";

import type { Scope } from "../../model/scope.js";
import { visibleFrom } from "../capability-row.js";
import type { Database, Queryable, Row } from "../database/database.js";
import type { Match } from "./exact-index.js";
import { writeVector } from "./vector-text.js";

/** The vectors of one kind and embedder; an index is on these alone, since others may have other dimensions. */
export interface VectorSet {
  kind: string;
  embedder: { id: string; dimensions: number };
}

/** Candidates HNSW looks at: enough that it finds what an exact search would, 99 times of 100. */
const EF_SEARCH = 400;
const MOST_EF_SEARCH = 1000;
/** With less than this, building an index of some size does not fit into memory, and takes many times as long. */
const BUILD_MEMORY = "256MB";
/** So many are compared one by one in a few milliseconds, which is never wrong. */
const FEW = 10_000;
/** Any number that no other program on the same server uses: two that make one index at once would collide. */
const ADVISORY_LOCK = 7_163_553;

/** Searches vectors where they are stored, by an index of pgvector. */
export class DiskIndex {
  readonly #database: Database;
  readonly #set: VectorSet;
  /** Scopes that have been seen to see more than a few: they hardly ever come to see less. */
  readonly #seeMany = new Set<string>();

  constructor(database: Database, set: VectorSet) {
    this.#database = database;
    this.#set = set;
  }

  /** Makes the index if there is none. Vectors too long for any go without: all of them are compared then. */
  async build(): Promise<void> {
    const { kind, embedder } = this.#set;
    const indexable = findIndexable(embedder.dimensions);
    if (indexable === undefined) return;
    const { type, operators } = indexable;
    const name = `embedding_${kind}_${createHash("sha256").update(embedder.id).digest("hex").slice(0, 32)}`;
    await this.#database.transaction(async (transaction) => {
      await transaction.query("select pg_advisory_xact_lock($1::bigint)", [ADVISORY_LOCK]);
      await transaction.query(
        `select set_config('maintenance_work_mem', $1::text, true)
         where pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes($1::text)`,
        [BUILD_MEMORY],
      );
      await transaction.exec(
        `create index if not exists ${name} on embedding using hnsw ((vector::${type}(${embedder.dimensions})) ${operators})
         with (m = 16, ef_construction = 64) where ${isOf(this.#set)}`,
      );
      await transaction.exec("analyze embedding");
    });
  }

  /**
   * The nearest that the scope may see, nearest first. Where that is few, as for one project of many, they are all
   * compared: of those that an index passes on its walk, nearly all would be other projects'.
   */
  search(vector: Float32Array, { limit, scope }: { limit: number; scope: Scope }): Promise<Match[]> {
    const parameters = [scope.org, scope.project, scope.actor, writeVector(vector), limit];
    return this.#database.transaction(async (transaction) => {
      if (await this.#seesMany(transaction, { scope, than: Math.max(FEW, limit) })) {
        await transaction.exec(`set local hnsw.ef_search = ${Math.min(MOST_EF_SEARCH, Math.max(EF_SEARCH, limit))}`);
        await transaction.exec("set local hnsw.iterative_scan = strict_order");
        const found = await selectNearest(transaction, this.#set, parameters);
        // Its walk has a longest length, too.
        if (found.length === limit) return found;
      }
      await transaction.exec("set local enable_indexscan = off");
      return selectNearest(transaction, this.#set, parameters);
    });
  }

  async #seesMany(transaction: Queryable, { scope, than }: { scope: Scope; than: number }): Promise<boolean> {
    const key = JSON.stringify([scope.org, scope.project, scope.actor]);
    if (than === FEW && this.#seeMany.has(key)) return true;
    const [row] = await transaction.query<{ count: number }>(
      `select count(*)::int as count from (select from embedding where ${isOf(this.#set)} and ${visibleFrom(1)} limit $4) seen`,
      [scope.org, scope.project, scope.actor, than + 1],
    );
    const isMany = (row?.count ?? 0) > than;
    if (isMany) this.#seeMany.add(key);
    return isMany;
  }
}

/** As which type, with which operators, pgvector can index so many dimensions; undefined where it cannot. */
function findIndexable(dimensions: number): { type: string; operators: string } | undefined {
  if (dimensions <= 2000) return { type: "vector", operators: "vector_cosine_ops" };
  if (dimensions <= 4000) return { type: "halfvec", operators: "halfvec_cosine_ops" };
  return undefined;
}

function selectNearest(
  transaction: Queryable,
  { kind, embedder }: VectorSet,
  parameters: readonly unknown[],
): Promise<Match[]> {
  const { type } = findIndexable(embedder.dimensions) ?? { type: "vector" };
  const shape = `${type}(${embedder.dimensions})`;
  return transaction.query<Row & Match>(
    `select owner_id as id, 1 - (vector::${shape} <=> $4::${shape}) as cosine from embedding
     where ${isOf({ kind, embedder })} and ${visibleFrom(1)} order by vector::${shape} <=> $4::${shape} limit $5`,
    parameters,
  );
}

/** Written out: the planner knows a partial index by the words of its condition. */
function isOf({ kind, embedder }: VectorSet): string {
  return `kind = '${kind}' and embedder_id = '${embedder.id.replaceAll("'", "''")}'`;
}
