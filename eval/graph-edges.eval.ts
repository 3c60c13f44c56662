import { inferEdges } from "@pml/graph";

import { microF1, type Tally, withInterval } from "./bootstrap.js";
import type { DataSet, Task } from "./data.js";
import { readToolSchemas } from "./graph-schemas.js";

const GOALS: Record<string, string> = {
  nestful: "≥ 52, aim 65",
  restbench: "≥ 70, aim 80",
  sealtools: "≥ 42, aim 52",
  processtbench: "≥ 72, aim 80",
};

/** Whether schemas alone say who feeds whom, when the tools of a task are known but not their order. */
export default function measureEdges(sets: readonly DataSet[]): void {
  console.log("Edges from schemas, right nodes given without their order; F1 over all tasks with its 95 % interval.\n");
  console.table(sets.filter(({ name }) => Object.hasOwn(GOALS, name)).map(measureSet));
}

function measureSet(set: DataSet): Record<string, unknown> {
  const schemas = readToolSchemas(set);
  const tasks = set.tasks.filter(({ edges }) => edges !== null && edges.length > 0);
  const tallies = tasks.map((task) => tallyTask(task, schemas));
  return { set: set.name, tasks: tasks.length, "edge F1": withInterval(tallies, microF1), goal: GOALS[set.name] };
}

function tallyTask(task: Task, schemas: ReturnType<typeof readToolSchemas>): Tally {
  // Sorted, so that the order in which the answer was written cannot help.
  const tools = [...new Set(task.tools)].sort().flatMap((id) => schemas.get(id) ?? []);
  const found = inferEdges(tools).map(({ from, to }) => `${from} → ${to}`);
  const expected = new Set((task.edges ?? []).map(([from, to]) => `${from} → ${to}`));
  return { found: found.length, expected: expected.size, correct: found.filter((edge) => expected.has(edge)).length };
}
