import type { DAGStructure, DagValue } from "@pml/analyzer";
import type { SuggestedDag } from "@pml/graph";

import { isReadOnly } from "../model/tool.js";
import type { ToolBox } from "./tool-box.js";

/**
 * A suggested plan as a DAG that can be run with a context, or undefined if it may not run by itself: every task has to
 * be read-only, whatever it needs has to come from another task, from what was done before, or from the context, and all that
 * the context has must be of use: what leaves some of it out does something else.
 */
export function completeDag(
  { dag, toolSchemas }: SuggestedDag,
  context: Record<string, unknown>,
  box: ToolBox,
): DAGStructure | undefined {
  const unused = new Set(Object.keys(context));
  const tasks: DAGStructure["tasks"][number][] = [];
  for (const task of dag.tasks) {
    const tool = box.find(task.tool);
    if (tool === undefined || !isReadOnly(tool)) return undefined;
    const schema = toolSchemas[task.tool];
    const names = [...(schema?.requiredInputs ?? []), ...(schema?.optionalInputs ?? [])];
    const given = names.filter((name) => Object.hasOwn(context, name) && !isReference(task.arguments[name]));
    for (const name of given) unused.delete(name);
    const args = { ...task.arguments, ...Object.fromEntries(given.map((name) => [name, { $param: name }])) };
    if ((schema?.requiredInputs ?? []).some((name) => !Object.hasOwn(args, name))) return undefined;
    const { id, type, dependsOn } = task;
    tasks.push({
      id,
      tool: task.tool,
      type,
      arguments: args as Record<string, DagValue>,
      dependsOn,
      sideEffects: false,
      metadata: {},
    });
  }
  const last = tasks.at(-1);
  return last === undefined || unused.size > 0 ? undefined : { tasks, returns: [{ value: { $from: last.id } }] };
}

function isReference(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "$from");
}
