import type { CapabilityLearning } from "./learning.js";
import type { Visibility } from "./scope.js";

/** Any JSON value, as it is stored. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type CapabilitySource =
  | { type: "code"; code: string }
  | { type: "dag"; dagStructure: unknown }
  | { type: "tool"; toolId: string; defaultArgs?: Record<string, unknown> };

/**
 * `draft`: analysed, has not worked yet. `active`: has worked once with every call succeeding. `degraded`: failed three
 * times in a row, or a tool of it is gone; not run automatically.
 */
export type CapabilityStatus = "draft" | "active" | "degraded";

export interface CapabilityStatistics {
  usageCount: number;
  successCount: number;
  failureCount: number;
  consecutiveFailures: number;
  /** Undefined until it has been used. */
  successRate: number | undefined;
  averageDurationMs: number | undefined;
  lastUsedAt: Date | undefined;
}

export interface CacheConfig {
  cacheable: boolean;
  ttlSeconds: number;
  keyStrategy: "params_hash" | "intent_similarity" | "none";
  invalidateOn: ("tool_schema_change" | "daily" | "manual_only")[];
  maxEntries: number;
}

/** A learned way to serve an intent. */
export interface Capability {
  id: string;
  /** Identity: what does the same has the same hash, and is stored once in a project. */
  hash: string;
  /** The hash without the values of lifted literals. */
  shape: string | undefined;
  /** Display name, once it has one: `namespace:action_target`. */
  name: string | undefined;
  /** What the caller asked for when it was learned. */
  intent: string;
  description: string | undefined;
  source: CapabilitySource;
  /** Source with literals lifted into parameters, where it is code. */
  parameterisedCode: string | undefined;
  structure: unknown;
  /** JSON Schema of its parameters. */
  parameters: unknown;
  permissions: unknown;
  toolsUsed: string[];
  status: CapabilityStatus;
  statistics: CapabilityStatistics;
  cacheConfig: Partial<CacheConfig> | undefined;
  /** The ways its runs took, and how its decisions went. */
  learning: CapabilityLearning;
  /** Of what it was when it was stored; see `signCapability`. */
  signature: string | undefined;
  /** A replay of it has passed. */
  verified: boolean;
  visibility: Visibility;
  org: string;
  project: string;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
}

/** What is known of a capability when it is stored for the first time. */
export interface NewCapability {
  source: CapabilitySource;
  intent: string;
  /** Of the source when not given. */
  hash?: string;
  shape?: string;
  name?: string;
  description?: string;
  parameterisedCode?: string;
  structure?: unknown;
  parameters?: unknown;
  permissions?: unknown;
  toolsUsed?: readonly string[];
  cacheConfig?: Partial<CacheConfig>;
  visibility?: Visibility;
}
