import type { Embedder } from "@pml/embeddings";

import { PmlError } from "../../model/error.js";
import type { Scope } from "../../model/scope.js";
import type { Database } from "../database/database.js";
import { DiskIndex } from "./disk-index.js";
import { ExactIndex, type Match } from "./exact-index.js";
import { likelihood } from "./likelihood.js";
import { type NewVector, type StoredVector, type VectorKind, type VectorPlace, VectorTable } from "./vector-table.js";
import { checkVectors } from "./vector-text.js";
import { isVisible, readWall, type Wall, writeWall } from "./wall.js";

export interface VectorStoreOptions {
  embedder: Embedder;
  /** Vectors of one kind that are searched in memory. By default as many as do not hold up the host. */
  exactUpTo?: number | undefined;
  warn?: (message: string, details: Record<string, unknown>) => void;
}

const VECTOR_KINDS: readonly VectorKind[] = ["capability", "tool", "intent"];
/** What one search in memory reads without holding up the host; `npm run bench` and a slow test measure it. */
const MOST_ROWS = 50_000;
const MOST_NUMBERS = MOST_ROWS * 384;

/** What others see of a `VectorStore`. */
export type Vectors = Pick<VectorStore, keyof VectorStore>;

/** Vectors of one embedder: on disk, and in memory as long as they are few enough to be searched exactly. */
export class VectorStore {
  readonly table: VectorTable;
  readonly #embedder: Embedder;
  readonly #exactUpTo: number;
  readonly #warn: NonNullable<VectorStoreOptions["warn"]>;
  readonly #indexes: Record<VectorKind, ExactIndex | undefined>;
  readonly #disk: Record<VectorKind, DiskIndex>;
  readonly #removals = new Map<string, number>();
  /** What went between two of them is not known. */
  #loads = 0;
  readonly #walls = new Map<string, Wall>();
  /** An index that could not be made is not tried again with every write. */
  readonly #staysInMemory = new Set<VectorKind>();

  constructor(database: Database, { embedder, exactUpTo, warn = () => {} }: VectorStoreOptions) {
    this.table = new VectorTable(database, embedder.id);
    this.#embedder = embedder;
    this.#exactUpTo = exactUpTo ?? Math.min(MOST_ROWS, Math.floor(MOST_NUMBERS / embedder.dimensions));
    this.#warn = warn;
    const create = (): ExactIndex => new ExactIndex(embedder.dimensions);
    this.#indexes = { capability: create(), tool: create(), intent: create() };
    const onDisk = (kind: VectorKind): DiskIndex => new DiskIndex(database, { kind, embedder });
    this.#disk = { capability: onDisk("capability"), tool: onDisk("tool"), intent: onDisk("intent") };
  }

  get embedder(): Pick<Embedder, "id" | "dimensions"> {
    return this.#embedder;
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    try {
      const { dimensions } = this.#embedder;
      return checkVectors(await this.#embedder.embed(texts), { dimensions, count: texts.length });
    } catch (error) {
      const message = `The embedder "${this.#embedder.id}" failed: ${(error as Error).message}`;
      throw new PmlError("PML_EMBEDDER", message, { cause: error });
    }
  }

  calibrate(cosine: number): number {
    return likelihood(this.#embedder, cosine);
  }

  /** How many of a kind the scope may see. */
  async count(kind: VectorKind, scope: Scope): Promise<number> {
    return this.#indexes[kind]?.count(this.#letIn(scope)) ?? this.table.count(kind, scope);
  }

  /** Grows when something of a project goes: what was made of it has to be made anew. */
  countRemovals(kind: VectorKind, { org, project }: Pick<Scope, "org" | "project">): number {
    return this.#loads + (this.#removals.get(keyOf({ org, project, ownerId: kind })) ?? 0);
  }

  /** Reads into memory what belongs there. What was there answers until that is done. */
  async load(): Promise<void> {
    this.#loads++;
    for (const kind of VECTOR_KINDS) {
      if ((await this.table.count(kind)) > this.#exactUpTo && (await this.#leaveMemory(kind))) continue;
      const index = new ExactIndex(this.#embedder.dimensions);
      await this.table.readAll(kind, (stored) => this.#take(index, stored));
      this.#indexes[kind] = index;
    }
  }

  /** To be called once they are on disk. */
  async remember({ org, project }: Pick<Scope, "org" | "project">, vectors: readonly NewVector[]): Promise<void> {
    for (const { kind, owner = "", visibility = "project", ...rest } of vectors) {
      const index = this.#indexes[kind];
      if (index !== undefined) this.#take(index, { ...rest, org, project, owner, visibility });
    }
    await this.#leaveWhatIsTooLarge();
  }

  /** Follows what was written elsewhere, or removed. */
  async refresh(kind: VectorKind, places: readonly VectorPlace[]): Promise<void> {
    const stored = await this.table.read(kind, places);
    const kept = new Set(stored.map(keyOf));
    for (const place of places) if (!kept.has(keyOf(place))) this.#countRemoval(kind, place);
    const index = this.#indexes[kind];
    if (index === undefined) return;
    for (const place of places) index.delete(keyOf(place));
    for (const each of stored) this.#take(index, each);
    await this.#leaveWhatIsTooLarge();
  }

  /** The nearest of those that the scope may see, nearest first. */
  async search(
    kind: VectorKind,
    vector: Float32Array,
    { limit, scope }: { limit: number; scope: Scope },
  ): Promise<Match[]> {
    const index = this.#indexes[kind];
    if (index === undefined) return this.#disk[kind].search(vector, { limit, scope });
    const matches = index.search(vector, limit, this.#letIn(scope));
    return matches.map(({ id: key, cosine }) => ({ id: readKey(key), cosine }));
  }

  /** By the ids of their owners; those that have none are left out. */
  async find(
    kind: VectorKind,
    { org, project }: Pick<Scope, "org" | "project">,
    ids: readonly string[],
  ): Promise<Map<string, Float32Array>> {
    const places = ids.map((ownerId) => ({ org, project, ownerId }));
    const held = places.map((place) => this.#indexes[kind]?.find(keyOf(place)));
    const missing = await this.table.read(
      kind,
      places.filter((_, at) => held[at] === undefined),
    );
    const found = new Map(missing.map(({ ownerId, vector }) => [ownerId, vector]));
    for (const [at, vector] of held.entries()) if (vector !== undefined) found.set(ids[at] ?? "", vector);
    return found;
  }

  #take(index: ExactIndex, stored: StoredVector): void {
    const group = writeWall(stored);
    if (!this.#walls.has(group)) this.#walls.set(group, readWall(group));
    index.put(keyOf(stored), stored.vector, group);
  }

  #letIn(scope: Scope): (group: string) => boolean {
    return (group) => isVisible(this.#walls.get(group) ?? readWall(group), scope);
  }

  #countRemoval(kind: VectorKind, { org, project }: VectorPlace): void {
    const key = keyOf({ org, project, ownerId: kind });
    this.#removals.set(key, (this.#removals.get(key) ?? 0) + 1);
  }

  async #leaveWhatIsTooLarge(): Promise<void> {
    for (const kind of VECTOR_KINDS)
      if ((this.#indexes[kind]?.size ?? 0) > this.#exactUpTo) await this.#leaveMemory(kind);
  }

  /** Whether it did: where no index can be made, what is in memory still answers. */
  async #leaveMemory(kind: VectorKind): Promise<boolean> {
    if (this.#staysInMemory.has(kind)) return false;
    try {
      await this.#disk[kind].build();
      this.#indexes[kind] = undefined;
      return true;
    } catch (error) {
      this.#staysInMemory.add(kind);
      const reason = (error as Error).message;
      this.#warn("An index on disk could not be made; vectors stay in memory.", { kind, reason });
      return false;
    }
  }
}

function keyOf({ org, project, ownerId }: VectorPlace): string {
  return `${org}\0${project}\0${ownerId}`;
}

/** The owner's id: what stands behind the second NUL. */
function readKey(key: string): string {
  return key.slice(key.indexOf("\0", key.indexOf("\0") + 1) + 1);
}
