import { createHash } from "node:crypto";

import type { Embedder } from "@pml/embeddings";

import { PmlError } from "../../model/error.js";
import type { Scope } from "../../model/scope.js";
import type { Database, Queryable, Row } from "../database/database.js";
import { ExactIndex, type Match } from "./exact-index.js";
import { likelihood } from "./likelihood.js";
import { checkVector, readVector, writeVector } from "./vector-text.js";

/** What has a vector: a capability's intent, a tool's description, an intent that was asked. */
export type VectorKind = "capability" | "tool" | "intent";
const VECTOR_KINDS: readonly VectorKind[] = ["capability", "tool", "intent"];

/** A vector on its way to disk. */
export interface NewVector {
  kind: VectorKind;
  ownerId: string;
  vector: Float32Array;
}

/** Where HNSW begins to answer sooner than a walk over all rows; `npm run bench` measures it. */
const DEFAULT_EXACT_UP_TO = 50_000;
/** Candidates HNSW looks at: enough that it finds what an exact search would, 99 times of 100. */
const EF_SEARCH = 400;
const PAGE = 200;

interface VectorRow extends Row {
  kind: VectorKind;
  owner_id: string;
  org: string;
  project: string;
  bytes: Uint8Array;
}

/** Vectors of one embedder: on disk, and in memory as long as they are few enough to be searched exactly. */
export class VectorStore {
  readonly #database: Database;
  readonly #embedder: Embedder;
  readonly #exactUpTo: number;
  readonly #indexes: Record<VectorKind, ExactIndex | undefined>;

  constructor(database: Database, embedder: Embedder, exactUpTo: number = DEFAULT_EXACT_UP_TO) {
    this.#database = database;
    this.#embedder = embedder;
    this.#exactUpTo = exactUpTo;
    const create = (): ExactIndex => new ExactIndex(embedder.dimensions);
    this.#indexes = { capability: create(), tool: create(), intent: create() };
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    try {
      const vectors = await this.#embedder.embed(texts);
      return vectors.map((vector) => checkVector(vector, this.#embedder.dimensions));
    } catch (error) {
      const message = `The embedder "${this.#embedder.id}" failed: ${(error as Error).message}`;
      throw new PmlError("PML_EMBEDDER", message, { cause: error });
    }
  }

  calibrate(cosine: number): number {
    return likelihood(this.#embedder, cosine);
  }

  /** How many vectors of a kind there are. */
  async count(kind: VectorKind): Promise<number> {
    const index = this.#indexes[kind];
    return index === undefined ? this.#countOnDisk(kind) : index.size;
  }

  async load(): Promise<void> {
    for (const kind of VECTOR_KINDS) {
      if ((await this.#countOnDisk(kind)) > this.#exactUpTo) await this.#leaveMemory(kind);
      else await this.#loadKind(kind);
    }
  }

  async write(transaction: Queryable, scope: Scope, vectors: readonly NewVector[]): Promise<void> {
    for (const { kind, ownerId, vector } of vectors)
      await transaction.query(
        `insert into embedding (kind, owner_id, org, project, embedder_id, vector) values ($1, $2, $3, $4, $5, $6::vector)
         on conflict (kind, org, project, owner_id, embedder_id) do update set vector = excluded.vector`,
        [kind, ownerId, scope.org, scope.project, this.#embedder.id, writeVector(vector)],
      );
  }

  /** To be called once they are on disk. */
  async remember(scope: Scope, vectors: readonly NewVector[]): Promise<void> {
    for (const { kind, ownerId, vector } of vectors) this.#indexes[kind]?.put(keyOf(scope, ownerId), vector);
    for (const kind of VECTOR_KINDS)
      if ((this.#indexes[kind]?.size ?? 0) > this.#exactUpTo) await this.#leaveMemory(kind);
  }

  /** Follows what another process wrote. */
  async refresh(kind: VectorKind, scope: Scope, ownerId: string): Promise<void> {
    const index = this.#indexes[kind];
    if (index === undefined) return;
    const [row] = await this.#read(`kind = $2 and org = $3 and project = $4 and owner_id = $5`, [
      kind,
      scope.org,
      scope.project,
      ownerId,
    ]);
    if (row === undefined) index.delete(keyOf(scope, ownerId));
    else index.put(keyOf(scope, ownerId), readVector(row.bytes));
  }

  async search(
    kind: VectorKind,
    vector: Float32Array,
    limit: number,
  ): Promise<(Match & { org: string; project: string })[]> {
    const index = this.#indexes[kind];
    const matches = index === undefined ? await this.#searchOnDisk(kind, vector, limit) : index.search(vector, limit);
    return matches.map(({ id: key, cosine }) => ({ ...readKey(key), cosine }));
  }

  async #countOnDisk(kind: VectorKind): Promise<number> {
    const [row] = await this.#database.query<{ count: number }>(
      "select count(*)::int as count from embedding where kind = $1 and embedder_id = $2",
      [kind, this.#embedder.id],
    );
    return row?.count ?? 0;
  }

  /** All of one kind that a project has, by owner. */
  async list(kind: VectorKind, scope: Pick<Scope, "org" | "project">): Promise<Map<string, Float32Array>> {
    const rows = await this.#read("kind = $2 and org = $3 and project = $4", [kind, scope.org, scope.project]);
    return new Map(rows.map((row) => [row.owner_id, readVector(row.bytes)]));
  }

  /** These and no others, nearest first, inside a transaction and whatever is held in memory. */
  async compare(
    transaction: Queryable,
    { kind, scope, ids }: { kind: VectorKind; scope: Scope; ids: readonly string[] },
    vector: Float32Array,
  ): Promise<Match[]> {
    if (ids.length === 0) return [];
    return transaction.query<Row & Match>(
      `select owner_id as id, 1 - (vector <=> $1::vector) as cosine from embedding
       where embedder_id = $2 and kind = $3 and org = $4 and project = $5 and owner_id = any($6::text[]) order by cosine desc, owner_id`,
      [writeVector(vector), this.#embedder.id, kind, scope.org, scope.project, ids],
    );
  }

  /** By a cursor, a few at a time: the host's event loop goes on between them. */
  async #loadKind(kind: VectorKind): Promise<void> {
    const index = this.#indexes[kind];
    await this.#database.transaction(async (transaction) => {
      await transaction.exec(
        `declare pml_vectors cursor for select kind, owner_id, org, project, vector_send(vector) as bytes from embedding
         where embedder_id = '${this.#embedder.id.replaceAll("'", "''")}' and kind = '${kind}'`,
      );
      for (
        let rows: VectorRow[];
        (rows = await transaction.query<VectorRow>(`fetch ${PAGE} from pml_vectors`)).length > 0;
      )
        for (const row of rows) index?.put(keyOf(row, row.owner_id), readVector(row.bytes));
    });
  }

  #read(condition: string, parameters: readonly unknown[]): Promise<VectorRow[]> {
    return this.#database.query<VectorRow>(
      `select kind, owner_id, org, project, vector_send(vector) as bytes from embedding where embedder_id = $1 and ${condition}`,
      [this.#embedder.id, ...parameters],
    );
  }

  /** The index is on the vectors of one kind and embedder, since those of another may have other dimensions. */
  async #leaveMemory(kind: VectorKind): Promise<void> {
    const { id, dimensions } = this.#embedder;
    const name = `embedding_${kind}_${createHash("sha256").update(id).digest("hex").slice(0, 32)}`;
    const embedder = id.replaceAll("'", "''");
    await this.#database.exec(
      `create index if not exists ${name} on embedding using hnsw ((vector::vector(${dimensions})) vector_cosine_ops)
       with (m = 16, ef_construction = 64) where kind = '${kind}' and embedder_id = '${embedder}'`,
    );
    this.#indexes[kind] = undefined;
  }

  #searchOnDisk(kind: VectorKind, vector: Float32Array, limit: number): Promise<Match[]> {
    const { id, dimensions } = this.#embedder;
    const distance = `vector::vector(${dimensions}) <=> $1::vector(${dimensions})`;
    return this.#database.transaction(async (transaction) => {
      await transaction.exec(`set local hnsw.ef_search = ${Math.min(1000, Math.max(EF_SEARCH, limit))}`);
      await transaction.exec("set local hnsw.iterative_scan = strict_order");
      const rows = await transaction.query<VectorRow & { distance: number }>(
        `select owner_id, org, project, ${distance} as distance from embedding
         where kind = '${kind}' and embedder_id = '${id.replaceAll("'", "''")}' order by ${distance} limit $2`,
        [writeVector(vector), limit],
      );
      return rows.map((row) => ({ id: keyOf(row, row.owner_id), cosine: 1 - row.distance }));
    });
  }
}

function keyOf({ org, project }: { org: string; project: string }, ownerId: string): string {
  return `${org}\0${project}\0${ownerId}`;
}

function readKey(key: string): { org: string; project: string; id: string } {
  const [org = "", project = "", id = ""] = key.split("\0");
  return { org, project, id };
}
