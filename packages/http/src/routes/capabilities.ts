import type { Capability } from "@pml/core";

import type { Answer, Call } from "../call.js";
import { asCount, asFlag, asOneOf, asShare, asText, readQuery } from "../query.js";
import { toWire } from "../snake-case.js";

const DEFAULT_LIMIT = 50;
const MOST_CAPABILITIES = 200;

const FILTERS = {
  namespace: asText,
  named_only: asFlag,
  status: asOneOf(["draft", "active", "degraded"]),
  min_usage: asCount,
  min_success_rate: asShare,
  all_versions: asFlag,
  sort: asOneOf(["name", "usage", "recent"]),
  limit: asCount,
  offset: asCount,
};

export async function listCapabilities({ store, url }: Call): Promise<Answer> {
  const query = readQuery(url, FILTERS);
  const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MOST_CAPABILITIES);
  const offset = query.offset ?? 0;
  const filter = {
    ...(query.namespace !== undefined && { namespace: query.namespace }),
    ...(query.status !== undefined && { status: query.status }),
    ...(query.min_success_rate !== undefined && { minSuccessRate: query.min_success_rate }),
    namedOnly: query.named_only ?? false,
    minUsage: query.min_usage ?? 0,
    currentOnly: !(query.all_versions ?? false),
    sortBy: query.sort ?? "usage",
  } as const;
  const [capabilities, total] = [await store.list({ ...filter, limit, offset }), await store.count(filter)];
  const counts = await store.listDependencyCounts(capabilities.map(({ id }) => id));
  return {
    status: 200,
    body: {
      capabilities: capabilities.map((each) => describe(each, counts.get(each.id) ?? 0)),
      total,
      limit,
      offset,
      next_offset: offset + capabilities.length < total ? offset + capabilities.length : null,
    },
  };
}

/** Source and parameters are data of their own, whose names are not ours to change. */
function describe(capability: Capability, dependencies_count: number): Record<string, unknown> {
  const { id, name, intent, description, status, statistics, toolsUsed, verified, visibility } = capability;
  const { createdBy, createdAt, updatedAt } = capability;
  const known = { id, name, intent, description, status, ...statistics, toolsUsed, verified, visibility };
  return {
    ...(toWire({ ...known, createdBy, createdAt, updatedAt }) as Record<string, unknown>),
    source_type: capability.source.type,
    parameters: capability.parameters ?? null,
    dependencies_count,
  };
}
