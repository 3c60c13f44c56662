import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { create, insertMultiple, search } from "@orama/orama";
import { CapabilityStore, type Database, openPglite } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import MiniSearch from "minisearch";

import { compareAsync, printFacts } from "./sandbox-harness.js";

const SIZES = [1000, 10_000, 50_000];
const DIMENSIONS = 384;
const root = mkdtempSync(join(tmpdir(), "pml-bench-"));
const embedder = createHashEmbedder({ dimensions: DIMENSIONS });

await measureOpening();
await measureWriting();
for (const size of SIZES) await measureSearch(size);
rmSync(root, { recursive: true, force: true });

async function measureOpening(): Promise<void> {
  const kept = join(root, "kept");
  await (await openPglite({ dataDir: kept })).close();
  let count = 0;
  await compareAsync({
    title: "Opening a memory",
    candidates: {
      "one that is there": async () => (await openPglite({ dataDir: kept })).close(),
      "a new one": async () => (await openPglite({ dataDir: join(root, `new-${++count}`) })).close(),
    },
    rounds: 9,
    warmUpMs: 0,
    goals: [{ name: "a new one", than: "one that is there", atMost: 1.5 }],
  });
}

async function measureWriting(): Promise<void> {
  const dataDir = join(root, "written");
  await using store = await CapabilityStore.open({ dataDir, embedder });
  let count = 0;
  const put = (): Promise<unknown> =>
    store.create({
      source: { type: "tool", toolId: "a:b", defaultArgs: { count: ++count } },
      intent: `thing ${count}`,
    });
  const tasks = Array.from({ length: 5 }, (_, index) => ({
    taskId: `t${index}`,
    tool: "fs:read",
    args: { path: `file-${index}` },
    result: { content: "some text" },
    success: true,
    startedAtMs: index,
    durationMs: 1,
  }));
  const run = (): Promise<unknown> =>
    store.recordRun({ trace: { success: true, startedAt: new Date(), durationMs: 5, tasks } });
  await compareAsync({
    title: "Writing",
    candidates: { "a capability": put, "a run with five calls": run },
    rounds: 30,
    perSecond: 1,
  });
  printFacts("On disk", [["after that", `${(sizeOf(dataDir) / 2 ** 20).toFixed(0)} MB`]]);
}

/** The same vectors, from the same generator, in each of them. */
async function measureSearch(size: number): Promise<void> {
  const texts = Array.from({ length: size }, (_, index) => `intent ${index} ${(index * 7919) % size}`);
  const vectors = Array.from({ length: size }, (_, index) => randomVector(index + 1));
  const query = randomVector(0);
  const database = await openPglite({ dataDir: ":memory:" });
  await fill(database, texts, vectors);
  const before = process.memoryUsage().rss;
  const fixed = { ...embedder, id: "bench", embed: async (given: readonly string[]) => given.map(() => query) };
  await using store = await CapabilityStore.open({ database, embedder: fixed });
  const memory = process.memoryUsage().rss - before;
  const flat = new Float32Array(size * DIMENSIONS);
  for (const [index, vector] of vectors.entries()) flat.set(vector, index * DIMENSIONS);
  const orama = create({ schema: { text: "string", embedding: `vector[${DIMENSIONS}]` } as const });
  const mini = new MiniSearch({ fields: ["text"] });
  mini.addAll(texts.map((text, id) => ({ id, text })));
  await insertMultiple(
    orama,
    texts.map((text, index) => ({ text, embedding: [...(vectors[index] ?? [])] })),
    500,
  );
  await compareAsync({
    title: `The ten nearest of ${size.toLocaleString("en")} (${(memory / 2 ** 20).toFixed(0)} MB more in memory)`,
    candidates: {
      "brute force, Float32Array": async () => bruteForce(flat, query),
      "@pml/core, rows from the database included": () => store.searchByIntent("intent"),
      "@orama/orama, vectors": async () =>
        search(orama, {
          mode: "vector",
          vector: { value: [...query], property: "embedding" },
          similarity: -1,
          limit: 10,
        }),
      "minisearch and brute force": async () => [mini.search("intent 42"), bruteForce(flat, query)],
    },
    rounds: 15,
    warmUpMs: 200,
  });
}

async function fill(database: Database, texts: readonly string[], vectors: readonly Float32Array[]): Promise<void> {
  const PAGE = 500;
  for (let start = 0; start < texts.length; start += PAGE) {
    const ids = texts.slice(start, start + PAGE).map(() => crypto.randomUUID());
    const rows = [
      ids,
      texts.slice(start, start + PAGE),
      vectors.slice(start, start + PAGE).map((vector) => `[${vector.join(",")}]`),
    ];
    await database.transaction(async (transaction) => {
      await transaction.query(
        `insert into workflow_pattern (pattern_id, org, project, code_hash, intent, source, status, created_by)
         select id::uuid, 'local', 'default', id, intent, '{"type":"tool","toolId":"a:b"}', 'active', 'bench' from unnest($1::text[], $2::text[]) as row (id, intent)`,
        rows.slice(0, 2),
      );
      await transaction.query(
        `insert into embedding (kind, owner_id, org, project, embedder_id, vector)
         select 'capability', id, 'local', 'default', 'bench', vector::vector from unnest($1::text[], $2::text[]) as row (id, vector)`,
        [rows[0], rows[2]],
      );
    });
  }
}

function bruteForce(flat: Float32Array, query: Float32Array): number[] {
  const scores: [number, number][] = [];
  for (let row = 0; row < flat.length / DIMENSIONS; row++) {
    let sum = 0;
    for (let cell = 0; cell < DIMENSIONS; cell++) sum += (flat[row * DIMENSIONS + cell] ?? 0) * (query[cell] ?? 0);
    scores.push([sum, row]);
  }
  return scores
    .sort(([a], [b]) => b - a)
    .slice(0, 10)
    .map(([, row]) => row);
}

/** Of length 1, and the same for the same seed. */
function randomVector(seed: number): Float32Array {
  let state = seed * 2_654_435_761 + 1;
  const vector = Float32Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  });
  const length = Math.hypot(...vector);
  return vector.map((each) => each / length);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
