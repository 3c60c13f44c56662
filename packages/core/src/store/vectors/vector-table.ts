import type { Scope, Visibility } from "../../model/scope.js";
import { visibleFrom } from "../capability-row.js";
import type { Database, Queryable, Row } from "../database/database.js";
import type { Match } from "./exact-index.js";
import { readVector, writeVector } from "./vector-text.js";
import type { Wall } from "./wall.js";

/** What has a vector: a capability's intent, a tool's description, an intent that was asked. */
export type VectorKind = "capability" | "tool" | "intent";

/** A vector on its way to disk. */
export interface NewVector {
  kind: VectorKind;
  ownerId: string;
  vector: Float32Array;
  /** The actor it is private to. */
  owner?: string;
  visibility?: Visibility;
}

/** Where a vector belongs. */
export interface VectorPlace {
  org: string;
  project: string;
  ownerId: string;
}

export type StoredVector = VectorPlace & Wall & { vector: Float32Array };

interface VectorRow extends Row, Wall {
  owner_id: string;
  bytes: Uint8Array;
}

const COLUMNS = "owner_id, org, project, owner, visibility, vector_send(vector) as bytes";
/** Rows asked for at a time: reading them is done before anybody notices. */
const PAGE = 200;

/** The table of vectors, as far as it is one embedder's. */
export class VectorTable {
  readonly #database: Database;
  readonly #embedderId: string;

  constructor(database: Database, embedderId: string) {
    this.#database = database;
    this.#embedderId = embedderId;
  }

  async write(
    transaction: Queryable,
    { org, project }: Pick<Scope, "org" | "project">,
    vectors: readonly NewVector[],
  ): Promise<void> {
    for (const { kind, ownerId, vector, owner = "", visibility = "project" } of vectors)
      await transaction.query(
        `insert into embedding (kind, owner_id, org, project, owner, visibility, embedder_id, vector) values ($1, $2, $3, $4, $5, $6, $7, $8::vector)
         on conflict (kind, org, project, owner_id, embedder_id) do update
           set vector = excluded.vector, owner = excluded.owner, visibility = excluded.visibility`,
        [kind, ownerId, org, project, owner, visibility, this.#embedderId, writeVector(vector)],
      );
  }

  /** How many of a kind there are, or how many of them a scope may see. */
  async count(kind: VectorKind, scope?: Scope): Promise<number> {
    const isSeen = scope === undefined ? "true" : visibleFrom(3);
    const [row] = await this.#database.query<{ count: number }>(
      `select count(*)::int as count from embedding where kind = $1 and embedder_id = $2 and ${isSeen}`,
      [kind, this.#embedderId, ...(scope === undefined ? [] : [scope.org, scope.project, scope.actor])],
    );
    return row?.count ?? 0;
  }

  /** By a cursor, a few at a time: the host's event loop goes on between them. */
  readAll(kind: VectorKind, take: (stored: StoredVector) => void): Promise<void> {
    return this.#database.transaction(async (transaction) => {
      await transaction.exec(
        `declare pml_vectors cursor for select ${COLUMNS} from embedding
         where embedder_id = '${this.#embedderId.replaceAll("'", "''")}' and kind = '${kind}'`,
      );
      const fetch = (): Promise<VectorRow[]> => transaction.query<VectorRow>(`fetch ${PAGE} from pml_vectors`);
      for (let rows = await fetch(); rows.length > 0; rows = await fetch()) for (const row of rows) take(readRow(row));
    });
  }

  async read(kind: VectorKind, places: readonly VectorPlace[]): Promise<StoredVector[]> {
    const found: StoredVector[] = [];
    for (let start = 0; start < places.length; start += PAGE) {
      const page = places.slice(start, start + PAGE);
      const rows = await this.#database.query<VectorRow>(
        `select ${COLUMNS} from embedding where embedder_id = $1 and kind = $2
           and (org, project, owner_id) in (select * from unnest($3::text[], $4::text[], $5::text[]))`,
        [
          this.#embedderId,
          kind,
          page.map(({ org }) => org),
          page.map(({ project }) => project),
          page.map(({ ownerId }) => ownerId),
        ],
      );
      found.push(...rows.map(readRow));
    }
    return found;
  }

  /** These and no others, nearest first, inside a transaction. */
  async compare(
    transaction: Queryable,
    { kind, scope, ids }: { kind: VectorKind; scope: Scope; ids: readonly string[] },
    vector: Float32Array,
  ): Promise<Match[]> {
    if (ids.length === 0) return [];
    return transaction.query<Row & Match>(
      `select owner_id as id, 1 - (vector <=> $1::vector) as cosine from embedding
       where embedder_id = $2 and kind = $3 and org = $4 and project = $5 and owner_id = any($6::text[]) order by cosine desc, owner_id`,
      [writeVector(vector), this.#embedderId, kind, scope.org, scope.project, ids],
    );
  }
}

function readRow({ owner_id: ownerId, bytes, ...wall }: VectorRow): StoredVector {
  const { org, project, owner, visibility } = wall;
  return { ownerId, org, project, owner, visibility, vector: readVector(bytes) };
}
