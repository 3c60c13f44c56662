import type {
  Capability,
  CapabilityDependency,
  CapabilityExample,
  CapabilityRecord,
  Discovered,
  HistoryEntry,
  Pml,
  StoredTool,
  ToolUsage,
  Trace,
} from "@pml/core";

import type { ResolvedOptions } from "../options.js";

/** What of a memory is drawn. */
export type DrawnMemory = Pick<Pml, "capabilities" | "store" | "names" | "graph" | "discover">;

/** One capability, and everything that is asked about it alone. */
export interface GatheredCapability {
  capability: Capability;
  record: CapabilityRecord | undefined;
  /** Newest first; empty while there is one version only. */
  versions: readonly HistoryEntry[];
  examples: readonly CapabilityExample[];
  traces: readonly Trace[];
  related: readonly Discovered[];
}

export interface Gathered {
  capabilities: readonly GatheredCapability[];
  tools: readonly StoredTool[];
  usage: readonly ToolUsage[];
  dependencies: readonly CapabilityDependency[];
  asked: readonly { capabilityId: string | undefined; intent: string; uses: number }[];
  /** The capability that ran, by trace. */
  ranBy: ReadonlyMap<string, Trace>;
  definition: ReturnType<Pml["graph"]["getGraphSnapshot"]>;
  invocation: ReturnType<Pml["graph"]["getGraphSnapshot"]>;
}

const ALL = 1_000_000;
const RECORDS_A_PAGE = 10_000;
/** Each is a search: those used most have it. */
const MOST_RELATED = 100;
const RELATED_EACH = 8;
const MOST_DISCOVERED = 200;
const LATEST_TRACES = 100;

/** Reads a memory, and changes nothing in it. */
export async function gather(pml: DrawnMemory, { mostRuns }: ResolvedOptions): Promise<Gathered> {
  const { store, graph } = pml;
  const capabilities = await pml.capabilities.list({ sortBy: "usage", currentOnly: true, limit: ALL });
  const records = new Map((await listRecords(pml)).map((record) => [record.capabilityId, record]));
  const gathered: GatheredCapability[] = [];
  for (const [rank, capability] of capabilities.entries())
    gathered.push(await gatherOne(pml, capability, { record: records.get(capability.id), mostRuns, rank }));
  return {
    capabilities: gathered,
    tools: await store.listTools(),
    usage: await store.listToolUsage(),
    dependencies: await store.getAllDependencies(),
    asked: await store.listPastIntents(),
    ranBy: new Map((await store.listTraces({ limit: LATEST_TRACES })).map((trace) => [trace.id, trace])),
    definition: graph.getGraphSnapshot({ view: "definition" }),
    invocation: graph.getGraphSnapshot({ view: "invocation" }),
  };
}

async function listRecords({ names }: DrawnMemory): Promise<CapabilityRecord[]> {
  const records: CapabilityRecord[] = [];
  for (let offset = 0; ; offset += RECORDS_A_PAGE) {
    const page = await names.query({ limit: RECORDS_A_PAGE, offset });
    records.push(...page);
    if (page.length < RECORDS_A_PAGE) return records;
  }
}

async function gatherOne(
  pml: DrawnMemory,
  capability: Capability,
  { record, mostRuns, rank }: { record: CapabilityRecord | undefined; mostRuns: number; rank: number },
): Promise<GatheredCapability> {
  const { id, statistics } = capability;
  const wasUsed = statistics.usageCount > 0;
  return {
    capability,
    record,
    versions: record === undefined || record.version === 1 ? [] : await pml.names.history(record.fqdn),
    examples: capability.shape === undefined || !wasUsed ? [] : await pml.store.listExamples(id),
    traces: wasUsed && mostRuns > 0 ? await pml.store.listTraces({ capabilityId: id, limit: mostRuns }) : [],
    related: rank < MOST_RELATED ? await findRelated(pml, capability) : [],
  };
}

/** What the memory would suggest to whoever asks for this and has its tools in use. */
async function findRelated(pml: DrawnMemory, { id, intent, toolsUsed }: Capability): Promise<Discovered[]> {
  const { results } = await pml.discover({
    intent,
    toolsInUse: toolsUsed,
    limit: Math.min(MOST_DISCOVERED, RELATED_EACH + 1 + toolsUsed.length),
    detail: "summary",
  });
  return results.filter((each) => each.id !== id && !toolsUsed.includes(each.id));
}
