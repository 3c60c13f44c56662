import type { CacheConfig, Capability, CapabilitySource, CapabilityStatus } from "../model/capability.js";
import { invalidInput } from "../model/error.js";
import { type CapabilityLearning, NOTHING_LEARNED } from "../model/learning.js";
import type { Visibility } from "../model/scope.js";
import type { Row } from "./database/database.js";

export interface CapabilityRow extends Row {
  pattern_id: string;
  org: string;
  project: string;
  visibility: Visibility;
  code_hash: string;
  shape: string | null;
  name: string | null;
  intent: string;
  description: string | null;
  source: CapabilitySource;
  parameterised_code: string | null;
  structure: unknown;
  parameters: unknown;
  permissions: unknown;
  cache_config: Partial<CacheConfig> | null;
  learning: CapabilityLearning | null;
  signature: string | null;
  verified_at: Date | null;
  tools_used: string[];
  status: CapabilityStatus;
  usage_count: number;
  success_count: number;
  failure_count: number;
  consecutive_failures: number;
  total_duration_ms: number;
  last_used_at: Date | null;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

export function readCapability(row: CapabilityRow): Capability {
  return {
    id: row.pattern_id,
    hash: row.code_hash,
    shape: row.shape ?? undefined,
    name: row.name ?? undefined,
    intent: row.intent,
    description: row.description ?? undefined,
    source: row.source,
    parameterisedCode: row.parameterised_code ?? undefined,
    structure: row.structure ?? undefined,
    parameters: row.parameters ?? undefined,
    permissions: row.permissions ?? undefined,
    toolsUsed: row.tools_used,
    status: row.status,
    statistics: readStatistics(row),
    cacheConfig: row.cache_config ?? undefined,
    learning: row.learning ?? NOTHING_LEARNED,
    signature: row.signature ?? undefined,
    verified: row.verified_at !== null,
    visibility: row.visibility,
    org: row.org,
    project: row.project,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function readStatistics(row: CapabilityRow): Capability["statistics"] {
  const counted = row.success_count + row.failure_count;
  return {
    usageCount: row.usage_count,
    successCount: row.success_count,
    failureCount: row.failure_count,
    consecutiveFailures: row.consecutive_failures,
    successRate: counted === 0 ? undefined : row.success_count / counted,
    averageDurationMs: row.usage_count === 0 ? undefined : row.total_duration_ms / row.usage_count,
    lastUsedAt: row.last_used_at ?? undefined,
  };
}

/** JSON for a parameter, with `null` for what is not there. */
export function writeJson(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch (error) {
    throw invalidInput(`A value cannot be stored, since it is not JSON: ${(error as Error).message}`);
  }
}

/**
 * Which rows of `workflow_pattern` a scope may see, with its org, project and actor as three parameters from `$first`
 * on. It stands in every query: what may not be seen is not found.
 */
export function visibleFrom(first: number): string {
  const [org, project, actor] = [first, first + 1, first + 2].map((number) => `$${number}`);
  return `((org = ${org} and project = ${project} and (owner = '' or owner = ${actor}))
    or (visibility = 'org' and org = ${org}) or visibility = 'public')`;
}

/** Which rows are this scope's own to change, with the same three parameters. */
export function ownedFrom(first: number): string {
  return `(org = $${first} and project = $${first + 1} and owner in ('', $${first + 2}))`;
}
