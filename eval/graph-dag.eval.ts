import { locateMentions, PlanMemory } from "@pml/core";
import { type CandidateTool, factsFromRun, GraphRAGEngine, inferEdges, suggestDag, type ToolSchemas } from "@pml/graph";

import { microF1, type Tally, withInterval } from "./bootstrap.js";
import type { DataSet, Task } from "./data.js";
import { FOLDS, type PlanSet, preparePlans, type PlanTask } from "./graph-plans.js";
import { readToolSchemas } from "./graph-schemas.js";

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
  const measured = Array.from({ length: FOLDS }, (_, fold) => measureFold(prepared, schemas, fold)).flat();
  const f1 = (key: keyof Measured): string =>
    withInterval(
      measured.map((row) => row[key]),
      microF1,
    );
  return {
    set: set.name,
    tasks: measured.length,
    "node F1": f1("nodes"),
    "edge F1": f1("edges"),
    "edge F1, right nodes given": f1("given"),
    goal: GOALS[set.name],
  };
}

function measureFold(set: PlanSet, schemas: ReadonlyMap<string, ToolSchemas>, fold: number): Measured[] {
  const train = set.tasks.filter((task) => task.fold !== fold);
  const memory = new PlanMemory(set.candidates, train);
  const engine = learnRuns(train.map(({ task }) => task));
  return set.tasks
    .filter((task) => task.fold === fold)
    .map((task) => measureTask(task, { set, schemas, memory, engine }));
}

interface Learned {
  set: PlanSet;
  schemas: ReadonlyMap<string, ToolSchemas>;
  memory: PlanMemory;
  engine: GraphRAGEngine;
}

function measureTask(task: PlanTask, { set, schemas, memory, engine }: Learned): Measured {
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
  const given = inferEdges(right, { engine, order }).map(({ from, to }) => `${from} → ${to}`);
  const expected = (task.task.edges ?? []).map(([from, to]) => `${from} → ${to}`);
  return {
    nodes: tally([...toolOf.values()], task.task.tools),
    edges: tally(found, expected),
    given: tally(given, expected),
  };
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
