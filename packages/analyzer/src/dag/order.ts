import type { StaticStructure, StructureNode } from "../structure.js";

/** Ids of calls that come before a node. `isExclusive` says that another never runs in the same run. */
export type Order = (node: StructureNode, isExclusive: (other: string) => boolean) => string[];

/**
 * Which calls a call must wait for though no data flows between them. What came before it in the code stays before it,
 * unless both only read.
 */
export function createOrder({ nodes, edges }: StaticStructure): Order {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const before = new Map<string, string[]>();
  const inside = new Map<string, string[]>();
  const holder = new Map<string, string>();
  for (const { from, to, type } of edges) {
    if (type === "contains") {
      append(inside, from, to);
      holder.set(to, from);
    } else if (type !== "provides") append(before, to, from);
  }
  return (node, isExclusive) => {
    const found: string[] = [];
    const seen = new Set<string>();
    const waiting = [...(before.get(holder.get(node.id) ?? node.id) ?? [])];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const calls = [id, ...(inside.get(id) ?? [])]
        .map((each) => byId.get(each))
        .filter(hasEffects)
        .filter((call) => !isExclusive(call.id));
      const isBarrier = calls.some((call) => !reads(call));
      for (const call of calls) if (!reads(call) || !reads(node)) found.push(call.id);
      if (!isBarrier) waiting.push(...(before.get(id) ?? []));
    }
    const declared = edges.filter((edge) => edge.declared && edge.to === node.id).map((edge) => edge.from);
    return [...found, ...declared];
  };
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function hasEffects(node: StructureNode | undefined): node is StructureNode {
  return node?.type === "capability" || (node?.type === "task" && !node.pure);
}

function reads(node: StructureNode): boolean {
  return node.type === "task" && node.readOnly === true;
}
