import type { StoredTool, ToolUsage } from "@pml/core";

import type { StatisticsView, ToolView } from "../memory-view.js";
import type { Communities } from "./communities.js";
import type { Lookups } from "./lookups.js";

interface Surroundings {
  lookups: Lookups;
  communities: Communities;
}

export function viewTool(tool: StoredTool, { lookups, communities }: Surroundings): ToolView {
  const { id, description, available, version, annotations, approval } = tool;
  const { inputSchema, outputSchema, examples } = tool;
  const usage = lookups.usage.get(id);
  const community = communities.of.get(id);
  return {
    id,
    description,
    available,
    version,
    ...(annotations.readOnlyHint === true && { readOnly: true }),
    ...(annotations.destructiveHint === true && { destructive: true }),
    ...(annotations.idempotentHint === true && { idempotent: true }),
    ...(approval != null && { approval }),
    ...(inputSchema != null && { inputSchema }),
    ...(outputSchema != null && { outputSchema }),
    ...(examples != null && { examples }),
    ...(usage !== undefined && { uses: viewUsage(usage) }),
    usedBy: [...(lookups.usedBy.get(id) ?? [])],
    ...(community !== undefined && { community }),
  };
}

function viewUsage({ calls, failures, averageDurationMs, lastUsedAt }: ToolUsage): StatisticsView {
  return {
    uses: calls,
    successes: calls - failures,
    failures,
    averageMs: averageDurationMs,
    lastUsedAtMs: lastUsedAt.getTime(),
  };
}
