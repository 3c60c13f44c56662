import type { Scope } from "../model/scope.js";
import { type Invalidation, listInvalidations } from "../store/cache.js";
import type { Powers } from "./job.js";

/** The caches of a memory, by hand. What changes by itself reaches them by itself. */
export interface CacheControl {
  /**
   * Throws out what is kept of a capability, by any of its names, or rests on a tool; all that is kept of the project when
   * neither is said. Gives how many results went.
   */
  invalidate(what?: { capability?: string; tool?: string; scope?: Partial<Scope> }): Promise<number>;
  /** What was thrown out, and why; oldest first. */
  listInvalidations(scope?: Partial<Scope>): Promise<Invalidation[]>;
}

export function createCacheControl({ caches, naming, open }: Powers): CacheControl {
  return {
    async invalidate({ capability, tool, scope } = {}) {
      const { context } = await open(scope);
      const named = capability === undefined ? undefined : await naming.resolve(context, capability);
      return caches.invalidate(context, { trigger: "manual", toolId: tool, capabilityId: named?.capability.id });
    },
    listInvalidations: async (scope) => listInvalidations((await open(scope)).context),
  };
}
