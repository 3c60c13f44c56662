import type { Place, Powers } from "./job.js";

/**
 * Curation may ask a model about many capabilities. The run that made it due does not wait for that, closing the memory
 * does, and whoever listens hears what came of it.
 */
export function curateWhenDue(powers: Powers, place: Place): void {
  const { underWay, newId, warn } = powers;
  underWay
    .hold(newId(), () => curate(powers, place))
    .catch((error: { code?: unknown; name?: unknown }) =>
      warn("Capabilities without a name were not curated.", { code: String(error.code ?? error.name) }),
    );
}

async function curate({ naming, info, now }: Powers, { context, workspace }: Place): Promise<void> {
  const curated = await naming.curateWhenDue(context);
  if (curated === undefined) return;
  const { suggestions, applied, failed } = curated;
  info("Capabilities without a name were curated.", { suggested: suggestions.length, named: applied.length });
  workspace.hub.emit({ type: "curated", suggestions, applied, failed, ts: now().getTime() });
}
