import { FlowMemory, locateMentions, PlanMemory } from "@pml/core";
import { type CandidateTool, factsFromRun, GraphRAGEngine, inferEdges, suggestDag, type ToolSchemas } from "@pml/graph";

import { microF1, type Tally, withInterval } from "./bootstrap.js";
import type { DataSet, Task } from "./data.js";
import { FOLDS, type PlanSet, preparePlans, type PlanTask } from "./graph-plans.js";
import { readRuns, type TaskRun, toPastRun } from "./graph-runs.js";
import { readToolSchemas } from "./graph-schemas.js";
import { findNearCopies } from "./leaks.js";

const GOALS: Record<string, string> = {
  ultratool: "≥ 78 / 50, aim 84 / 58",
  processtbench: "≥ 74 / 40, given ≥ 72; aim 82 / 52, 80",
};
/** A tool that is likelier than this becomes a task. */
const LEAST_CHANCE = 0.4;

interface Measured {
  nodes: Tally;
  edges: Tally;
  given: Tally;
  /** The same two, with flows learned instead of by rules. */
  learned: Tally;
  learnedGiven: Tally;
  isNearCopy: boolean;
}

/** A whole plan for an intent never seen: which tools, and who feeds whom. Learned from the other folds only. */
export default async function measureDags(sets: readonly DataSet[]): Promise<void> {
  console.log("Plans from memory, five folds by task id; F1 over all tasks with its 95 % interval.\n");
  const rows: Record<string, unknown>[] = [];
  for (const set of sets.filter(({ name }) => Object.hasOwn(GOALS, name))) rows.push(await measureSet(set));
  console.table(rows);
}

async function measureSet(set: DataSet): Promise<Record<string, unknown>> {
  const prepared = await preparePlans(set);
  const schemas = readToolSchemas(set);
  const runs = readRuns(set.name, prepared.tasks);
  const measured = Array.from({ length: FOLDS }, (_, fold) => measureFold(prepared, { schemas, runs }, fold)).flat();
  const f1 = (key: keyof Omit<Measured, "isNearCopy">, rows = measured): string =>
    withInterval(
      rows.map((row) => row[key]),
      microF1,
    );
  const fresh = measured.filter(({ isNearCopy }) => !isNearCopy);
  return {
    set: set.name,
    tasks: measured.length,
    "node F1": f1("nodes"),
    "edge F1": f1("learned"),
    "by rules": f1("edges"),
    "edge F1, right nodes given": f1("learnedGiven"),
    "given, by rules": f1("given"),
    "near copies": measured.length - fresh.length,
    "nodes · edges without them": `${f1("nodes", fresh)} · ${f1("learned", fresh)}`,
    goal: GOALS[set.name],
  };
}

interface Sources {
  schemas: ReadonlyMap<string, ToolSchemas>;
  runs: ReadonlyMap<string, readonly TaskRun[]>;
}

function measureFold(set: PlanSet, { schemas, runs }: Sources, fold: number): Measured[] {
  const train = set.tasks.filter((task) => task.fold !== fold);
  const held = set.tasks.filter((task) => task.fold === fold);
  const tools = set.candidates.map((candidate) => ({ ...candidate, ...schemas.get(candidate.id) })) as FlowTools;
  const past = train.flatMap((task) =>
    toPastRun(task, runs).map((run) => ({ ...run, ...(task.task.edges && { flows: task.task.edges }) })),
  );
  const learned: Learned = {
    set,
    schemas,
    memory: new PlanMemory(set.candidates, train),
    flows: new FlowMemory(tools, past),
    engine: learnRuns(train.map(({ task }) => task)),
    copies: findNearCopies(held, train),
  };
  return held.map((task) => measureTask(task, learned));
}

type FlowTools = ConstructorParameters<typeof FlowMemory>[0];

interface Learned {
  set: PlanSet;
  schemas: ReadonlyMap<string, ToolSchemas>;
  memory: PlanMemory;
  flows: FlowMemory;
  engine: GraphRAGEngine;
  copies: ReadonlySet<PlanTask>;
}

function measureTask(task: PlanTask, { set, schemas, memory, flows, engine, copies }: Learned): Measured {
  const chances = memory.score(task);
  const order = locateMentions(task.clauses, set.candidates);
  const best = Math.max(...chances);
  const candidates = set.candidates.flatMap(({ id }, row): CandidateTool[] => {
    const [schema, score] = [schemas.get(id), chances[row] ?? 0];
    return schema !== undefined && (score >= LEAST_CHANCE || score === best) ? [{ ...schema, score }] : [];
  });
  const suggested = suggestDag(engine, { candidates, order, leastScore: 0, mostTasks: 8 });
  const tasks = suggested?.dag.tasks ?? [];
  const toolOf = new Map(tasks.map(({ id, tool }) => [id, tool]));
  const found = tasks.flatMap(({ tool, dependsOn }) => dependsOn.map((from) => `${toolOf.get(from)} → ${tool}`));
  // Sorted, so that the order in which the answer was written cannot help.
  const right = [...new Set(task.task.tools)].sort().flatMap((id) => schemas.get(id) ?? []);
  const given = inferEdges(right, { engine, order }).map(show);
  const chosen = [...toolOf.values()];
  const expected = (task.task.edges ?? []).map(([from, to]) => `${from} → ${to}`);
  return {
    nodes: tally(chosen, task.task.tools),
    edges: tally(found, expected),
    given: tally(given, expected),
    learned: tally(flows.infer(task, chosen).map(show), expected),
    learnedGiven: tally(
      flows
        .infer(
          task,
          right.map(({ id }) => id),
        )
        .map(show),
      expected,
    ),
    isNearCopy: copies.has(task),
  };
}

function show({ from, to }: { from: string; to: string }): string {
  return `${from} → ${to}`;
}

/** What runs would have taught: the calls in their order, and where data went from one to the other. */
export function learnRuns(tasks: readonly Task[]): GraphRAGEngine {
  const engine = new GraphRAGEngine();
  for (const { id, tools, edges } of tasks) {
    const calls = tools.map((name, at) => ({
      id: `c${at}`,
      nodeId: name,
      name,
      startMs: 2 * at,
      endMs: 2 * at + 1,
      success: true,
    }));
    engine.observe(factsFromRun({ trace: id, calls, flows: (edges ?? []).map(([from, to]) => ({ from, to })) }));
  }
  return engine;
}

function tally(found: readonly string[], expected: readonly string[]): Tally {
  const [mine, right] = [new Set(found), new Set(expected)];
  return { found: mine.size, expected: right.size, correct: [...mine].filter((each) => right.has(each)).length };
}
