import { FlowMemory, locateMentions, PlanMemory, suggestPlan } from "@pml/core";
import { factsFromRun, GraphRAGEngine, inferEdges, type ToolSchemas } from "@pml/graph";

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
interface Measured {
  nodes: Tally;
  edges: Tally;
  given: Tally;
  /** The same two, with flows learned instead of by rules. */
  learned: Tally;
  learnedGiven: Tally;
  /** Whether there was a plan at all: the product has none for what is like nothing before. */
  isAnswered: boolean;
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
  const f1 = (key: keyof Omit<Measured, "isNearCopy" | "isAnswered">, rows = measured): string =>
    withInterval(
      rows.map((row) => row[key]),
      microF1,
    );
  const fresh = measured.filter(({ isNearCopy }) => !isNearCopy);
  return {
    set: set.name,
    tasks: measured.length,
    "without a plan": measured.filter(({ isAnswered }) => !isAnswered).length,
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
    schemas,
    tools,
    memory: PlanMemory.create(set.candidates, train),
    flows: FlowMemory.create(tools, past),
    engine: learnRuns(train.map(({ task }) => task)),
    copies: findNearCopies(held, train),
  };
  return held.map((task) => measureTask(task, learned));
}

type FlowTools = Parameters<typeof FlowMemory.create>[0];

interface Learned {
  tools: FlowTools;
  schemas: ReadonlyMap<string, ToolSchemas>;
  memory: PlanMemory;
  flows: FlowMemory;
  engine: GraphRAGEngine;
  copies: ReadonlySet<PlanTask>;
}

function measureTask(task: PlanTask, { schemas, tools, memory, flows, engine, copies }: Learned): Measured {
  const order = locateMentions(task.clauses, tools);
  const suggested = suggestPlan(engine, { tools, plans: memory, flows }, { request: task });
  const tasks = suggested?.dag.tasks ?? [];
  const toolOf = new Map(tasks.map(({ id, tool }) => [id, tool]));
  const found = tasks.flatMap(({ tool, dependsOn }) => dependsOn.map((from) => `${toolOf.get(from)} → ${tool}`));
  // Sorted, so that the order in which the answer was written cannot help.
  const right = listSchemas([...new Set(task.task.tools)].sort(), schemas);
  const chosen = [...new Set(toolOf.values())];
  const expected = (task.task.edges ?? []).map(([from, to]) => `${from} → ${to}`);
  const rightIds = right.map(({ id }) => id);
  return {
    isAnswered: suggested !== undefined,
    nodes: tally(chosen, task.task.tools),
    edges: tally(inferEdges(listSchemas(chosen, schemas), { engine, order }).map(show), expected),
    given: tally(inferEdges(right, { engine, order }).map(show), expected),
    learned: tally(found, expected),
    learnedGiven: tally(flows.infer(task, rightIds).map(show), expected),
    isNearCopy: copies.has(task),
  };
}

function listSchemas(ids: readonly string[], schemas: ReadonlyMap<string, ToolSchemas>): ToolSchemas[] {
  return ids.flatMap((id) => schemas.get(id) ?? []);
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
