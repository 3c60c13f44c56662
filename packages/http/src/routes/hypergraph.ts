import type { Capability, CapabilityDependency, CapabilityStore, StoredTool, ToolDependency } from "@pml/core";

import type { Answer, Call } from "../call.js";
import { asCount, asShare, readQuery } from "../query.js";
import { toWire } from "../snake-case.js";

const DEFAULT_LIMIT = 1000;
const MOST = 10_000;

/** From the store and not from the graph in memory: that one is of a project, and knows no actors. */
export async function showHypergraph({ store, url }: Call): Promise<Answer> {
  const query = readQuery(url, { min_confidence: asShare, limit: asCount });
  const limit = Math.max(1, Math.min(query.limit ?? DEFAULT_LIMIT, MOST));
  const found = await load(store, { limit, minConfidence: query.min_confidence ?? 0 });
  const { capabilities, tools } = found;
  const edges = [...found.capabilityEdges.map(drawCapabilityEdge), ...found.toolEdges.map(drawToolEdge)];
  return {
    status: 200,
    body: {
      nodes: [...capabilities.map(drawCapability), ...tools.map(drawTool)],
      edges,
      hyperedges: capabilities.map(({ id, toolsUsed }) => ({ capability_id: id, tools: toolsUsed })),
      capabilities_count: capabilities.length,
      tools_count: tools.length,
      edges_count: edges.length,
      truncated: found.total > capabilities.length,
    },
  };
}

interface Loaded {
  capabilities: Capability[];
  total: number;
  tools: StoredTool[];
  capabilityEdges: CapabilityDependency[];
  toolEdges: ToolDependency[];
}

/** The most used capabilities up to the limit; an edge is shown where both of its ends are. */
async function load(
  store: CapabilityStore,
  { limit, minConfidence }: { limit: number; minConfidence: number },
): Promise<Loaded> {
  const capabilities = await store.list({ currentOnly: true, sortBy: "usage", limit });
  const shown = new Set(capabilities.map(({ id }) => id));
  const tools = await store.listTools();
  const known = new Set(tools.map(({ id }) => id));
  const [capabilityEdges, toolEdges] = [
    await store.getAllDependencies(minConfidence),
    await store.listToolDependencies(minConfidence),
  ];
  return {
    capabilities,
    total: await store.count({ currentOnly: true }),
    tools,
    capabilityEdges: capabilityEdges.filter(
      (edge) => shown.has(edge.fromCapabilityId) && shown.has(edge.toCapabilityId),
    ),
    toolEdges: toolEdges.filter((edge) => known.has(edge.fromToolId) && known.has(edge.toToolId)),
  };
}

function drawCapability({ id, name, intent, status, statistics, toolsUsed }: Capability): unknown {
  const { usageCount, successRate } = statistics;
  return toWire({
    id: `capability:${id}`,
    type: "capability",
    label: name ?? intent,
    status,
    usageCount,
    successRate,
    toolsUsed,
  });
}

function drawTool({ id, description, available }: StoredTool): unknown {
  const server = id.slice(0, id.indexOf(":"));
  return { id, type: "tool", label: id.slice(server.length + 1), server, description, available };
}

function drawCapabilityEdge({ fromCapabilityId, toCapabilityId, ...edge }: CapabilityDependency): unknown {
  return toWire({
    from: `capability:${fromCapabilityId}`,
    to: `capability:${toCapabilityId}`,
    kind: "capability",
    ...edge,
  });
}

function drawToolEdge({ fromToolId, toToolId, ...edge }: ToolDependency): unknown {
  return toWire({ from: fromToolId, to: toToolId, kind: "tool", ...edge });
}
