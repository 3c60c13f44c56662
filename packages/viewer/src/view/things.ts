import type { ThingKind } from "../memory-view.js";
import type { Gathered } from "../read/gather.js";

/** A tool, capability or operation that nodes of the graph stand for. */
export interface Thing {
  /** `fs:read`, `code:filter`, `capability:{uuid}`. */
  key: string;
  kind: ThingKind;
  label: string;
  /** How often it was used, so far as that is known. */
  uses: number;
}

export interface Things {
  readonly all: ReadonlyMap<string, Thing>;
  /** The capability that an id leads to now: its own, or that of the name it once was a version of. */
  findCapability(id: string): string | undefined;
  /** Of a node of the graph; undefined for a capability that is not this memory's to see. */
  find(node: string): Thing | undefined;
}

const CAPABILITY = "capability:";

export const keyOfCapability = (id: string): string => CAPABILITY + id;

/** The graph is of a project, and does not know what in it is private to someone else: what is not listed is not drawn. */
export function nameThings({ capabilities, tools, usage, definition }: Gathered): Things {
  const uses = new Map(usage.map(({ toolId, calls }) => [toolId, calls]));
  const all = new Map<string, Thing>();
  const current = new Map<string, string>();
  const put = (thing: Thing): void => void all.set(thing.key, thing);
  for (const { id, available } of tools)
    if (available || uses.has(id)) put({ key: id, kind: "tool", label: id, uses: uses.get(id) ?? 0 });
  for (const { id, kind, uses: times } of listOthers(definition, uses)) put({ key: id, kind, label: id, uses: times });
  for (const { capability, versions } of capabilities) {
    const key = keyOfCapability(capability.id);
    put({ key, kind: "capability", label: labelOf(capability), uses: capability.statistics.usageCount });
    // Runs of what its name stood for before are drawn as its own.
    for (const { capabilityId } of versions) current.set(keyOfCapability(capabilityId), key);
  }
  const find: Things["find"] = (node) => all.get(current.get(node) ?? node);
  return { all, find, findCapability: (id) => find(keyOfCapability(id))?.key.slice(CAPABILITY.length) };
}

/** Tools that only runs know, and operations. */
function listOthers(
  { nodes }: Gathered["definition"],
  uses: ReadonlyMap<string, number>,
): { id: string; kind: ThingKind; uses: number }[] {
  return nodes.flatMap((node) => {
    if (!("kind" in node) || node.kind === "capability") return [];
    return [{ id: node.id, kind: node.kind, uses: uses.get(node.id) ?? node.successes + node.failures }];
  });
}

/** What nobody has named yet is known by what it was asked for. */
export function labelOf({ name, intent }: { name: string | undefined; intent: string }): string {
  return name ?? intent;
}
