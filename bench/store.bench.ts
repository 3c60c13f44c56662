import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { create, insertMultiple, search } from "@orama/orama";
import { CapabilityStore, type Database, openPglite } from "@pml/core";
import { createHashEmbedder } from "@pml/embeddings";
import MiniSearch from "minisearch";

import { compareAsync, printFacts } from "./sandbox-harness.js";

const SIZES = [1000, 10_000, 50_000, 100_000];
const QUERIES = 30;
const DIMENSIONS = 384;
const root = mkdtempSync(join(tmpdir(), "pml-bench-"));
const embedder = createHashEmbedder({ dimensions: DIMENSIONS });
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

await measureOpening();
await measureWriting();
const measured: Measured[] = [];
for (const size of SIZES) measured.push(await measureSearch(size));
printFacts("Where an index on disk begins to answer sooner", [[findCrossover(measured)]]);
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

interface Measured {
  size: number;
  exactMs: number;
  indexedMs: number;
}

const EXACT = "@pml/core, exact, rows from the database included";
const INDEXED = "@pml/core, HNSW, rows from the database included";

/** The same vectors, from the same generator, in each of them. */
async function measureSearch(size: number): Promise<Measured> {
  const [texts, vectors] = makeRows(size);
  const next = createQueries();
  const dataDir = join(root, `search-${size}`);
  const database = await openPglite({ dataDir });
  await fill(database, texts, vectors);
  const fixed = { ...embedder, id: "bench", embed: async (given: readonly string[]) => given.map(next) };
  const facts: string[][] = [];
  const build = async <T>(name: string, make: () => T | Promise<T>): Promise<T> => {
    const [before, started] = [usedBytes(), performance.now()];
    const made = await make();
    const took = (performance.now() - started).toFixed(0);
    facts.push([name, `${toMegabytes(usedBytes() - before)} MB in memory`, `ready in ${took} ms`]);
    return made;
  };
  const flat = await build("brute force, Float32Array", () => flatten(vectors));
  const exact = await build("@pml/core, exact", () =>
    CapabilityStore.open({ database, embedder: fixed, exactUpTo: Infinity }),
  );
  const orama = await build("@orama/orama", () => fillOrama(texts, vectors));
  const mini = await build("minisearch and brute force", () => fillMiniSearch(texts));
  facts.push(["@pml/core on disk, exact", `${toMegabytes(sizeOf(dataDir))} MB`, ""]);
  const indexed = await build("@pml/core, HNSW", () =>
    CapabilityStore.open({ database, embedder: fixed, exactUpTo: 0 }),
  );
  facts.push(["@pml/core on disk, with HNSW", `${toMegabytes(sizeOf(dataDir))} MB`, ""]);
  facts.push(...(await describeIndex(exact, indexed)));
  const medians = await compareAsync({
    title: `The ten nearest of ${size.toLocaleString("en")}`,
    candidates: {
      "brute force, Float32Array": async () => bruteForce(flat, next()),
      [EXACT]: () => exact.searchByIntent("intent"),
      [INDEXED]: () => indexed.searchByIntent("intent"),
      "@orama/orama, vectors": async () =>
        search(orama, {
          mode: "vector",
          vector: { value: [...next()], property: "embedding" },
          similarity: -1,
          limit: 10,
        }),
      "minisearch and brute force": async () => [mini.search("intent 42"), bruteForce(flat, next())],
    },
    rounds: 15,
    warmUpMs: 200,
  });
  printFacts(`What ${size.toLocaleString("en")} take`, facts);
  await exact.close();
  return { size, exactMs: medians.get(EXACT) ?? Number.NaN, indexedMs: medians.get(INDEXED) ?? Number.NaN };
}

async function describeIndex(exact: CapabilityStore, indexed: CapabilityStore): Promise<string[][]> {
  return [
    ["HNSW finds of the exact ten", `${(100 * (await measureRecall(exact, indexed))).toFixed(1)} %`, ""],
    ["the host is held up by one exact search", `${(await measureHold(exact)).toFixed(1)} ms`, ""],
    ["the host is held up by one HNSW search", `${(await measureHold(indexed)).toFixed(1)} ms`, ""],
  ];
}

/** On the line between the two sizes around it. */
function findCrossover(results: readonly Measured[]): string {
  const above = results.findIndex(({ exactMs, indexedMs }) => indexedMs < exactMs);
  const [before, after] = [results[above - 1], results[above]];
  if (after === undefined) return "at none of these sizes";
  if (before === undefined) return `below ${after.size.toLocaleString("en")}`;
  const [lead, lag] = [before.indexedMs - before.exactMs, after.exactMs - after.indexedMs];
  const size = before.size + ((after.size - before.size) * lead) / (lead + lag);
  return `at about ${(Math.round(size / 1000) * 1000).toLocaleString("en")} vectors of ${DIMENSIONS} numbers`;
}

/** The longest that anything else had to wait during a search; the median of some searches. */
async function measureHold(store: CapabilityStore): Promise<number> {
  const longest: number[] = [];
  for (let search = 0; search < QUERIES; search++) {
    let [last, held, isDone] = [performance.now(), 0, false];
    const look = (): void => {
      held = Math.max(held, performance.now() - last);
      last = performance.now();
      if (!isDone) setImmediate(look);
    };
    setImmediate(look);
    await store.searchByIntent("intent");
    isDone = true;
    longest.push(Math.max(held, performance.now() - last));
  }
  return longest.sort((a, b) => a - b)[QUERIES / 2] ?? Number.NaN;
}

/** The same ones again and again. */
function createQueries(): () => Float32Array {
  const queries = Array.from({ length: QUERIES }, (_, index) => clusteredVector(-index - 1));
  let turn = 0;
  return () => queries[++turn % QUERIES] as Float32Array;
}

function makeRows(size: number): [string[], Float32Array[]] {
  const rows = Array.from({ length: size }, (_, index) => index);
  return [
    rows.map((index) => `intent ${index} ${(index * 7919) % size}`),
    rows.map((index) => clusteredVector(index + 1)),
  ];
}

/** Both are asked the same queries, one after the other: the embedder gives the next one each time. */
async function measureRecall(exact: CapabilityStore, indexed: CapabilityStore): Promise<number> {
  const [right, found] = [await askAll(exact), await askAll(indexed)];
  const hits = right.map((ids, at) => ids.filter((id) => found[at]?.includes(id)).length);
  return hits.reduce((sum, each) => sum + each, 0) / right.flat().length;
}

async function askAll(store: CapabilityStore): Promise<string[][]> {
  const answers = [];
  for (let query = 0; query < QUERIES; query++)
    answers.push((await store.searchByIntent("intent")).map(({ capability }) => capability.id));
  return answers;
}

function flatten(vectors: readonly Float32Array[]): Float32Array {
  const flat = new Float32Array(vectors.length * DIMENSIONS);
  for (const [index, vector] of vectors.entries()) flat.set(vector, index * DIMENSIONS);
  return flat;
}

async function fillOrama(
  texts: readonly string[],
  vectors: readonly Float32Array[],
): Promise<ReturnType<typeof makeOrama>> {
  const orama = makeOrama();
  const rows = texts.map((text, index) => ({ text, embedding: [...(vectors[index] ?? [])] }));
  await insertMultiple(orama, rows, 500);
  return orama;
}

function makeOrama() {
  return create({ schema: { text: "string", embedding: `vector[${DIMENSIONS}]` } as const });
}

function fillMiniSearch(texts: readonly string[]): MiniSearch {
  const mini = new MiniSearch({ fields: ["text"] });
  mini.addAll(texts.map((text, id) => ({ id, text })));
  return mini;
}

/** Memory of WebAssembly and of typed arrays is outside the heap. That of PGlite's thread is not counted. */
function usedBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function toMegabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
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

/** Around one of 200 centres, as intents gather around what people ask for. */
function clusteredVector(seed: number): Float32Array {
  const [centre, own] = [randomVector(1_000_000 + (Math.abs(seed) % 200)), randomVector(seed)];
  const vector = centre.map((value, index) => value + (own[index] ?? 0));
  const length = Math.hypot(...vector);
  return vector.map((each) => each / length);
}

/** Of length 1, and the same for the same seed. */
function randomVector(seed: number): Float32Array {
  let state = Math.imul(seed, 2_654_435_761) + 1;
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
