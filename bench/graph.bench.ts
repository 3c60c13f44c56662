import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { createProvidesEdges, factsFromRun, type GraphRAGEngine, suggest, suggestDag } from "@pml/graph";

import { createRandom, createRun, createWorld, nameTool } from "./graph-world.js";
import { compare } from "./harness.js";

const SIZES = [1000, 10_000, 100_000];
/** Caches of the machine count too: a graph a hundred times as large no longer fits into them. */
const FLAT_GOAL = 3;
const ROUNDS = 20;

const collectGarbage = exposeGarbageCollector();
const worlds = SIZES.map((nodes) => ({ name: `${nodes} nodes`, ...createWorld(nodes) }));
for (const world of worlds) {
  world.engine.pageRank();
  world.engine.getCommunity(nameTool(0));
}

compareSizes("One run of five calls folded in, and taken back", (engine, tools) => {
  const random = createRandom(7);
  return () => {
    const facts = factsFromRun(createRun("bench", tools, random));
    engine.observe(facts);
    engine.retract(facts);
  };
});

compareSizes("Suggestions for three tools in use", (engine, tools) => {
  const random = createRandom(11);
  return () =>
    suggest(
      engine,
      createRun("bench", tools, random)
        .calls.slice(0, 3)
        .map(({ name }) => name),
    );
});

compareSizes("Suggestions right after a run was folded in", (engine, tools) => {
  const random = createRandom(13);
  return () => {
    const run = createRun("bench", tools, random);
    const facts = factsFromRun(run);
    engine.observe(facts);
    const found = suggest(
      engine,
      run.calls.slice(0, 3).map(({ name }) => name),
    );
    engine.retract(facts);
    return found;
  };
});

compareSizes("A DAG from twenty likely tools", (engine, tools) => {
  const random = createRandom(17);
  const candidates = Array.from({ length: 20 }, (_, at) => ({
    id: nameTool(Math.floor(random() * tools)),
    score: 1 - at / 40,
    inputSchema: schemaOf([`thing${at % 7}_id`, "limit"]),
    outputSchema: schemaOf([`thing${(at + 1) % 7}_id`, "total"]),
  }));
  return () => suggestDag(engine, { candidates });
});

console.log("Everything computed again, once each");
for (const { name, engine } of worlds) {
  engine.observe([{ kind: "edge", from: nameTool(0), to: nameTool(1), type: "alternative", source: "template" }]);
  const ranks = time(() => engine.pageRank());
  const communities = time(() => engine.getCommunity(nameTool(0)));
  console.log(`  ${name.padEnd(14)} PageRank ${ranks}   communities ${communities}`);
}

console.log("\nAll pairs of tools that can feed each other, by their schemas");
for (const count of [1000, 4000]) {
  const tools = Array.from({ length: count }, (_, at) => ({
    id: nameTool(at),
    inputSchema: schemaOf([`thing${at % 400}_id`, "name", "limit"]),
    outputSchema: schemaOf([`thing${(at * 7) % 400}_id`, "status", `count_of_${at % 900}`]),
  }));
  let edges = 0;
  const took = time(() => (edges = createProvidesEdges(tools).length));
  console.log(`  ${count} tools     ${took}   ${edges} edges`);
}

console.log("\nMemory, everything counted: graph, paths, types, recent calls");
for (const nodes of SIZES) {
  const before = usedBytes();
  const world = createWorld(nodes);
  const bytes = usedBytes() - before;
  const edges = world.engine.snapshot().edges.length;
  console.log(
    `  ${String(nodes).padStart(6)} nodes, ${String(edges).padStart(7)} edges   ${Math.round(bytes / edges)} bytes an edge`,
  );
}

function compareSizes(title: string, prepare: (engine: GraphRAGEngine, tools: number) => () => unknown): void {
  const candidates = Object.fromEntries(worlds.map(({ name, engine, tools }) => [name, prepare(engine, tools)]));
  const goals = Object.fromEntries(worlds.slice(1).map(({ name }) => [name, FLAT_GOAL]));
  compare({ title, candidates, goals, rounds: ROUNDS });
}

function schemaOf(names: readonly string[]): Record<string, unknown> {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return { type: "object", properties, required: names.slice(0, 1) };
}

function time(work: () => unknown): string {
  const start = performance.now();
  work();
  return `${(performance.now() - start).toFixed(0)} ms`.padStart(9);
}

function usedBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function exposeGarbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
