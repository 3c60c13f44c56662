import type { Capability } from "../model/capability.js";
import { listResting } from "../store/resting.js";
import type { Place } from "./job.js";

export type CanRun = (capability: Capability) => boolean;

/** False for what has failed too often, or lacks a tool. */
export async function findWhatCanRun(
  { context, workspace }: Place,
  isHere: (toolId: string) => boolean,
): Promise<CanRun> {
  const resting = await listResting(context, workspace.gone);
  return ({ id, status, toolsUsed }) => status === "active" && !resting.has(id) && toolsUsed.every(isHere);
}
