import type { Place, Powers } from "./job.js";

/** What took a name over and does worse than what had it gives it back, and whoever listens hears of it. */
export async function stepBack(powers: Powers, { context, workspace }: Place, capabilityId: string): Promise<void> {
  const { box, naming, metrics, info, now } = powers;
  const stepped = await naming.stepBack(context, capabilityId, ({ toolsUsed }) =>
    toolsUsed.every((tool) => box.find(tool) !== undefined),
  );
  for (const { name, from, to, version, reason } of stepped) {
    metrics.count("rollbacks");
    info("A name stands for an older version again.", { from, to });
    workspace.hub.emit({ type: "capability_rolled_back", name, from, to, version, reason, ts: now().getTime() });
  }
}
