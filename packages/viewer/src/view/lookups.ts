import type { CapabilityDependency, ToolUsage } from "@pml/core";

import type { AskedView, DependencyView } from "../memory-view.js";
import type { Gathered } from "../read/gather.js";
import type { Things } from "./things.js";

/** What was gathered in one list, by what it is about: going through it for each would take its square. */
export interface Lookups {
  readonly usage: ReadonlyMap<string, ToolUsage>;
  /** Ids of capabilities, by tool. */
  readonly usedBy: ReadonlyMap<string, readonly string[]>;
  /** By either end. */
  readonly dependencies: ReadonlyMap<string, readonly DependencyView[]>;
  readonly asked: ReadonlyMap<string, readonly AskedView[]>;
}

export function createLookups({ capabilities, usage, dependencies, asked }: Gathered, things: Things): Lookups {
  const spans = capabilities.flatMap(({ capability: { id, toolsUsed } }) =>
    toolsUsed.map((tool) => [tool, id] as const),
  );
  const ends = dependencies.flatMap((edge) => listEnds(edge, things));
  const served = asked.flatMap(({ capabilityId = "", intent, uses }) => {
    const id = things.findCapability(capabilityId);
    return id === undefined ? [] : [[id, { intent, uses }] as const];
  });
  return {
    usage: new Map(usage.map((each) => [each.toolId, each])),
    usedBy: group(spans),
    dependencies: group(ends),
    asked: group(served),
  };
}

function group<Value>(pairs: readonly (readonly [string, Value])[]): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const [key, value] of pairs) {
    const known = groups.get(key);
    if (known) known.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

/** As seen from each of its ends. Versions of one name are not related, they are the same. */
function listEnds(edge: CapabilityDependency, things: Things): [string, DependencyView][] {
  const [from, to] = [edge.fromCapabilityId, edge.toCapabilityId].map((id) => things.findCapability(id));
  if (from === undefined || to === undefined || from === to) return [];
  const { edgeType: type, edgeSource: source, observedCount: observations, confidenceScore: confidence } = edge;
  const facts = { type, source, observations, confidence };
  return [
    [from, { ...facts, direction: "from", id: to }],
    [to, { ...facts, direction: "to", id: from }],
  ];
}
