import type { DAGStructure, DagTask } from "@pml/analyzer";

import { invalidInput } from "../model/error.js";

/** Tasks in layers: each waits only for tasks of layers before it. Throws where tasks wait for each other. */
export function listLayers({ tasks }: DAGStructure): DagTask[][] {
  const layerOf = new Map<string, number>();
  const waiting = new Set(tasks);
  while (waiting.size > 0) {
    const ready = [...waiting].filter((task) => listWaitedFor(task).every((id) => layerOf.has(id)));
    if (ready.length === 0)
      throw invalidInput("The tasks of the DAG wait for each other in a circle, or for none of it.");
    for (const task of ready) {
      layerOf.set(task.id, 1 + Math.max(-1, ...listWaitedFor(task).map((id) => layerOf.get(id) ?? 0)));
      waiting.delete(task);
    }
  }
  const layers: DagTask[][] = [];
  for (const task of tasks) (layers[layerOf.get(task.id) ?? 0] ??= []).push(task);
  return layers;
}

function listWaitedFor({ dependsOn, when }: DagTask): string[] {
  return [...dependsOn, ...(when === undefined ? [] : [when.decision])];
}

/** Whether running it as a DAG does anything at the same time that its code would do one after the other. */
export function hasParallelReads(
  layers: readonly (readonly DagTask[])[],
  isReadOnly: (tool: string) => boolean,
): boolean {
  return layers.some((layer) => layer.filter(({ type, tool }) => type === "mcp_tool" && isReadOnly(tool)).length > 1);
}
