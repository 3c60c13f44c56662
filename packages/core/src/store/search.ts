import type { Capability } from "../model/capability.js";
import { checkIntent, checkCount, checkNumber } from "../model/text.js";
import { listByIds } from "./capabilities.js";
import type { StoreContext } from "./context.js";
import { getDependencies } from "./dependencies.js";

export interface SearchOptions {
  limit?: number;
  /** On the embedder's calibrated scale, 0 to 1. */
  minScore?: number;
}

export interface CapabilityMatch {
  capability: Capability;
  /** How likely it is that this was meant, if the embedder is calibrated; the cosine otherwise. */
  semanticScore: number;
}

export type CapabilityMatchWithDependencies = CapabilityMatch & { dependencies: Capability[] };

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 1000;

/** Active capabilities that this scope may see, likeliest first. Drafts are never found. */
export async function searchByIntent(
  context: StoreContext,
  intent: string,
  options: SearchOptions = {},
): Promise<CapabilityMatch[]> {
  const limit = checkCount("The limit", options.limit ?? DEFAULT_LIMIT, { min: 1, max: MAX_LIMIT });
  const minScore = checkNumber("The least score", options.minScore ?? 0, { min: 0, max: 1 });
  const [vector] = await context.vectors.embed([checkIntent(intent)]);
  if (vector === undefined) return [];
  // Drafts have vectors too, and are left out after the search: it is asked for more until there is enough.
  for (let asked = limit * 2; ; asked *= 4) {
    const near = await context.vectors.search("capability", vector, { limit: asked, scope: context.scope });
    const capabilities = await listByIds(
      context,
      near.map(({ id }) => id),
      "active",
    );
    const scores = new Map(near.map(({ id, cosine }) => [id, context.vectors.calibrate(cosine)]));
    const matches = capabilities.map((capability) => ({ capability, semanticScore: scores.get(capability.id) ?? 0 }));
    if (matches.length >= limit || near.length < asked)
      return matches.slice(0, limit).filter(({ semanticScore }) => semanticScore >= minScore);
  }
}

/** With what each of them depends on. */
export async function searchByIntentWithDeps(
  context: StoreContext,
  intent: string,
  options: SearchOptions = {},
): Promise<CapabilityMatchWithDependencies[]> {
  const matches = await searchByIntent(context, intent, options);
  return Promise.all(
    matches.map(async (match) => {
      const edges = await getDependencies(context, match.capability.id, "from");
      const ids = edges.filter(({ edgeType }) => edgeType === "dependency").map(({ toCapabilityId }) => toCapabilityId);
      return { ...match, dependencies: await listByIds(context, ids) };
    }),
  );
}
