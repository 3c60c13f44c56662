import { expectedSuccess } from "../learn/reliability.js";
import type { Capability } from "../model/capability.js";
import { listAlternatives } from "../store/dependencies.js";
import { listResting } from "../store/resting.js";
import type { Alternative } from "./answer.js";
import type { Place, Powers } from "./job.js";

/** Capabilities that serve the same request by other means and can run now, the most reliable first. */
export async function findAlternatives(
  { box }: Pick<Powers, "box">,
  { context, workspace }: Place,
  capabilityId: string,
): Promise<Alternative[]> {
  const found = await listAlternatives(context, capabilityId);
  if (found.length === 0) return [];
  const resting = await listResting(context, workspace.gone);
  return found
    .filter(({ id, toolsUsed }) => !resting.has(id) && toolsUsed.every((tool) => box.find(tool) !== undefined))
    .map(describe)
    .sort((a, b) => b.reliability - a.reliability || (a.capabilityId < b.capabilityId ? -1 : 1));
}

function describe({ id, name, intent, statistics }: Capability): Alternative {
  return {
    capabilityId: id,
    ...(name !== undefined && { name }),
    intent,
    reliability: expectedSuccess(statistics),
  };
}
