import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { PastRun } from "@pml/core";

import { DATA_FOLDER } from "./data.js";
import type { PlanTask } from "./graph-plans.js";

/** One way in which a task was carried out: its calls in their order, and from where to where data went. */
export interface TaskRun {
  readonly tools: readonly string[];
  readonly flows: readonly (readonly [string, string])[] | undefined;
}

/** The runs there are of each task, by its id. A set without any has its tasks, as if each had been run once. */
export function readRuns(set: string, tasks: readonly PlanTask[]): ReadonlyMap<string, readonly TaskRun[]> {
  const path = join(DATA_FOLDER, set, "traces.jsonl");
  if (!existsSync(path)) return new Map(tasks.map(({ task }) => [task.id, [{ tools: task.tools, flows: undefined }]]));
  const runs = new Map<string, TaskRun[]>();
  for (const line of readFileSync(path, "utf8").split("\n").filter(Boolean)) {
    const { task, steps } = JSON.parse(line) as { task: string; steps: Step[] };
    runs.set(task, [...(runs.get(task) ?? []), readRun(steps)]);
  }
  return runs;
}

interface Step {
  tool: string;
  args: readonly unknown[];
}

/** An argument such as `<Voice Changer>` is what that tool gave. */
function readRun(steps: readonly Step[]): TaskRun {
  const tools = steps.map(({ tool }) => tool);
  const flows = steps.flatMap(({ tool: to, args }) =>
    args
      .flatMap((value) => [...String(value).matchAll(/<([^<>]+)>/g)].map(([, from = ""]) => from))
      .filter((from) => from !== to && tools.includes(from))
      .map((from) => [from, to] as const),
  );
  return { tools, flows };
}

/** What a host would have stored of a task: the request and its first run. */
export function toPastRun(task: PlanTask, runs: ReadonlyMap<string, readonly TaskRun[]>): PastRun[] {
  const run = runs.get(task.task.id)?.[0];
  if (run === undefined) return [];
  const { text, vector, clauses } = task;
  return [{ text, vector, clauses, candidateIds: run.tools, ...(run.flows && { flows: run.flows }) }];
}
