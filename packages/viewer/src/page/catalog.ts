import type { CapabilityView, MemoryView, ThingKind, ToolView } from "../memory-view.js";
import { writeRoute } from "./route.js";

/** Something with a name and, unless it is an operation, a page. */
export interface Thing {
  /** As nodes of the graph name it. */
  key: string;
  kind: ThingKind;
  label: string;
  description: string;
  href: string | undefined;
  community: number | undefined;
  capability?: CapabilityView;
  tool?: ToolView;
}

export interface Catalog {
  readonly things: readonly Thing[];
  find(key: string): Thing | undefined;
  findCapability(id: string): Thing | undefined;
  /** As code calls it, by its name or an old one. */
  findByName(name: string): Thing | undefined;
}

const CAPABILITY = "capability:";

/** Everything the memory knows, found by any of its names. */
export function createCatalog({ capabilities, tools, definition }: MemoryView): Catalog {
  const things = new Map<string, Thing>();
  const names = new Map<string, Thing>();
  for (const capability of capabilities) {
    const thing = describeCapability(capability);
    things.set(thing.key, thing);
    for (const name of [...(capability.record?.aliases ?? []), ...(capability.isNamed ? [capability.name] : [])])
      names.set(name, thing);
  }
  for (const tool of tools) things.set(tool.id, describeTool(tool));
  for (const { thing: key, kind, label, community } of definition.nodes)
    if (!things.has(key)) things.set(key, { key, kind, label, description: "", href: undefined, community });
  return {
    things: [...things.values()],
    find: (key) => things.get(key),
    findCapability: (id) => things.get(CAPABILITY + id),
    findByName: (name) => names.get(name.replace(/^cap:/, "").replace(/@.*$/, "")) ?? things.get(CAPABILITY + name),
  };
}

function describeCapability(capability: CapabilityView): Thing {
  const { id, name, intent, description, community } = capability;
  return {
    key: CAPABILITY + id,
    kind: "capability",
    label: name,
    description: description ?? intent,
    href: writeRoute({ page: "capability", id }),
    community,
    capability,
  };
}

function describeTool(tool: ToolView): Thing {
  const { id, description, community } = tool;
  return {
    key: id,
    kind: "tool",
    label: id,
    description,
    href: writeRoute({ page: "tool", id }),
    community,
    tool,
  };
}
