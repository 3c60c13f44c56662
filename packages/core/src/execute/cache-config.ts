import type { CacheConfig, Capability } from "../model/capability.js";

const DEFAULT_CACHE_CONFIG: CacheConfig = {
  cacheable: true,
  ttlSeconds: 30 * 60,
  keyStrategy: "params_hash",
  invalidateOn: ["tool_schema_change"],
  maxEntries: 10,
};

/** What a capability says of itself stands over what the host says of all, and that over the defaults. */
export function configOf(
  capability: Pick<Capability, "cacheConfig"> | undefined,
  base: Partial<CacheConfig> = {},
): CacheConfig {
  return { ...DEFAULT_CACHE_CONFIG, ...base, ...capability?.cacheConfig };
}

/** Whether its results are kept at all, at any level. */
export function isKept({ cacheable, keyStrategy, ttlSeconds }: CacheConfig): boolean {
  return cacheable && keyStrategy !== "none" && ttlSeconds > 0;
}

/** Whether they are kept by capability and arguments, on disk. */
export function usesTable({ keyStrategy, maxEntries }: CacheConfig): boolean {
  return keyStrategy === "params_hash" && maxEntries > 0;
}
