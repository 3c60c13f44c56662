import type { DAGStructure, DagTask } from "@pml/analyzer";

import { canonicalJson } from "../../model/identity.js";

/**
 * Pairs the tasks of two DAGs that play the same part: the same tool and operation, after tasks that are pairs
 * themselves. Where several would do, the one with the most equal arguments. Undefined when one is left over.
 */
export function align(first: DAGStructure, second: DAGStructure): [DagTask, DagTask][] | undefined {
  if (first.tasks.length !== second.tasks.length) return undefined;
  const pairs: [DagTask, DagTask][] = [];
  const partner = new Map<string, string>();
  const free = new Set(second.tasks);
  for (const task of first.tasks) {
    const fitting = [...free].filter((other) => isSamePart(task, other, partner));
    const [best] = fitting.sort((a, b) => countEqual(task, b) - countEqual(task, a));
    if (best === undefined) return undefined;
    free.delete(best);
    partner.set(task.id, best.id);
    pairs.push([task, best]);
  }
  return pairs;
}

/** Tasks stand after those they depend on, so what they depend on has its partner already. */
function isSamePart(a: DagTask, b: DagTask, partner: ReadonlyMap<string, string>): boolean {
  const isSame =
    a.tool === b.tool &&
    a.type === b.type &&
    a.code === b.code &&
    (a.forEach === undefined) === (b.forEach === undefined) &&
    a.forEach?.sequential === b.forEach?.sequential &&
    canonicalJson(a.metadata) === canonicalJson(b.metadata) &&
    a.when?.outcome === b.when?.outcome;
  if (!isSame || a.dependsOn.length !== b.dependsOn.length) return false;
  const guard = a.when === undefined ? undefined : partner.get(a.when.decision);
  if (guard !== b.when?.decision) return false;
  const wanted = new Set(a.dependsOn.map((id) => partner.get(id)));
  return b.dependsOn.every((id) => wanted.has(id));
}

function countEqual(a: DagTask, b: DagTask): number {
  return Object.entries(a.arguments).filter(
    ([field, value]) => canonicalJson(value) === canonicalJson(b.arguments[field]),
  ).length;
}
