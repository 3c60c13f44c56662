import type { MemoryView } from "../memory-view.js";
import type { ResolvedOptions } from "../options.js";
import type { Gathered } from "../read/gather.js";
import { viewCommunities } from "./communities.js";
import { drawDefinition } from "./draw-definition.js";
import { drawInvocation } from "./draw-invocation.js";
import { createLookups } from "./lookups.js";
import { nameThings } from "./things.js";
import { viewCapability } from "./view-capability.js";
import { viewTool } from "./view-tool.js";

/** What was gathered, as the page wants it. Pure: the same memory gives the same page. */
export function viewMemory(gathered: Gathered, options: ResolvedOptions): MemoryView {
  const things = nameThings(gathered);
  const communities = viewCommunities(gathered, things);
  const lookups = createLookups(gathered, things);
  return {
    title: options.title ?? "What this memory knows",
    madeAtMs: options.now.getTime(),
    renderer: options.renderer,
    capabilities: gathered.capabilities.map((each) => viewCapability(each, { things, lookups, communities, options })),
    tools: gathered.tools.map((tool) => viewTool(tool, { lookups, communities })),
    communities: communities.list,
    definition: drawDefinition(gathered, things, communities),
    invocation: drawInvocation(gathered, things, communities),
  };
}
