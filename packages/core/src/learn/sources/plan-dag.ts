import type { Arguments, ArgumentValue, DAGStructure, DagTask, DagValue } from "@pml/analyzer";

import type { Plan, PlanLoop, PlanStep } from "./plan.js";

/** A DAG as a plan. A task for each of some items stands in a loop of its own. */
export function planDag({ tasks }: DAGStructure): Plan {
  const waitsFor = new Map(tasks.map((task) => [task.id, listWaitedFor(task)]));
  const steps = tasks.map((task): PlanStep => {
    const loop = loopOf(task);
    return {
      id: task.id,
      tool: task.type === "capability" ? `cap:${task.tool}` : task.tool,
      input: join(readFields(task.arguments, task)),
      when: task.when === undefined ? [] : [task.when],
      loops: loop === undefined ? [] : [loop.id],
      before: listBefore(task.id, waitsFor),
    };
  });
  const loops = tasks.flatMap((task) => loopOf(task) ?? []);
  return {
    steps: new Map(steps.map((step) => [step.id, step])),
    loops: new Map(loops.map((loop) => [loop.id, loop])),
    decisions: new Set(tasks.flatMap(({ id, metadata }) => (metadata.decision === undefined ? [] : [id]))),
  };
}

/** What stands in for inputs that are not given. */
export function listDefaults({ tasks }: DAGStructure): Record<string, unknown> {
  const defaults: Record<string, unknown> = {};
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { $param: name, default: fallback } = value as Record<string, unknown>;
    if (typeof name === "string" && fallback !== undefined) defaults[name] = fallback;
    else for (const each of Object.values(value)) visit(each);
  };
  for (const task of tasks) visit([task.arguments, task.forEach?.items]);
  return defaults;
}

function loopOf(task: DagTask): PlanLoop | undefined {
  if (task.forEach === undefined) return undefined;
  const list = task.forEach.sequential === true ? readValue(task.forEach.items, undefined) : undefined;
  return { id: `each ${task.id}`, list, holds: new Set([task.id]) };
}

function listWaitedFor({ dependsOn, when }: DagTask): string[] {
  return [...dependsOn, ...(when === undefined ? [] : [when.decision])];
}

function listBefore(id: string, waitsFor: ReadonlyMap<string, readonly string[]>): Set<string> {
  const before = new Set<string>();
  const waiting = [...(waitsFor.get(id) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (before.has(next)) continue;
    before.add(next);
    waiting.push(...(waitsFor.get(next) ?? []));
  }
  return before;
}

/** `task` is the one whose own id stands for the current item. */
function readValue(value: DagValue, task: DagTask | undefined): ArgumentValue {
  if (typeof value !== "object" || value === null) return { type: "literal", value };
  if (Array.isArray(value)) return { ...EMPTY, items: value.map((item: DagValue) => readValue(item, task)) };
  const record = value as Readonly<Record<string, DagValue>>;
  if (Object.hasOwn(record, "$literal")) return { type: "literal", value: record["$literal"] as never };
  const path = (record["path"] ?? []) as (string | number)[];
  const { $from: from, $param: parameterName } = record;
  if (typeof from === "string") {
    const isItem = task?.forEach !== undefined && from === task.id;
    return { type: "reference", expression: "", from: isItem ? `each ${from}` : from, path };
  }
  if (typeof parameterName === "string") return { type: "parameter", parameterName, path };
  return join(readFields(record, task));
}

const EMPTY = { type: "expression", expression: "", dependsOn: [], parameters: [] } as const;

function readFields(fields: Readonly<Record<string, DagValue>>, task: DagTask | undefined): Arguments {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, readValue(value, task)]));
}

function join(fields: Arguments): ArgumentValue {
  return { ...EMPTY, fields };
}
