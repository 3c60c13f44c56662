import type { CommunityView } from "../memory-view.js";
import type { Gathered } from "../read/gather.js";
import { keyOfCapability, type Things } from "./things.js";

export interface Communities {
  readonly list: CommunityView[];
  /** By key of a thing; an index into `list`. */
  readonly of: ReadonlyMap<string, number>;
}

/**
 * Communities are of tools. A capability stands with the one that most of its tools are in, so that one colour means one
 * thing; its own cluster is said in words, by what is related to it.
 */
export function viewCommunities(gathered: Gathered, things: Things): Communities {
  const groups = groupTools(gathered);
  const ranked = [...groups.values()].filter((tools) => tools.length > 1).sort(compareGroups);
  const of = new Map(ranked.flatMap((tools, index) => tools.map((tool) => [tool, index] as const)));
  const sizes = ranked.map((tools) => tools.length);
  for (const { capability } of gathered.capabilities) {
    const community = findMost(capability.toolsUsed.flatMap((tool) => of.get(tool) ?? []));
    if (community === undefined) continue;
    of.set(keyOfCapability(capability.id), community);
    sizes[community] = (sizes[community] ?? 0) + 1;
  }
  const list = ranked.map((tools, index) => ({ label: labelOf(tools, things), size: sizes[index] ?? 0 }));
  return { list, of };
}

function groupTools({ definition }: Gathered): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const node of definition.nodes) {
    if (!("kind" in node) || node.kind !== "tool" || node.community === undefined) continue;
    groups.set(node.community, [...(groups.get(node.community) ?? []), node.id]);
  }
  for (const tools of groups.values()) tools.sort();
  return groups;
}

function compareGroups(a: readonly string[], b: readonly string[]): number {
  return b.length - a.length || ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1);
}

/** Its two most used tools. */
function labelOf(tools: readonly string[], { all }: Things): string {
  const usesOf = (tool: string): number => all.get(tool)?.uses ?? 0;
  const ranked = [...tools].sort((a, b) => usesOf(b) - usesOf(a) || (a < b ? -1 : 1));
  return ranked.slice(0, 2).join(", ");
}

/** What is there most often; of those there as often, the first. */
function findMost(indexes: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const index of indexes) counts.set(index, (counts.get(index) ?? 0) + 1);
  return [...counts].sort(([a, left], [b, right]) => right - left || a - b)[0]?.[0];
}
