import type { Knowledge } from "../learn/knowledge.js";
import { capabilityOf, nodeOf } from "../learn/lesson.js";
import { expectedSuccess, successInterval } from "../learn/reliability.js";
import type { Capability } from "../model/capability.js";
import { invalidInput } from "../model/error.js";
import { checkIntent, checkCount, checkNumber } from "../model/text.js";
import type { NewTool } from "../model/tool.js";
import { findByName, listByIds } from "../store/capabilities.js";
import type { StoreContext } from "../store/context.js";
import { listResting } from "../store/resting.js";
import type { Query } from "./candidate.js";
import { listExactNames } from "./exact-name.js";
import { isSuggestible, matchCapabilities } from "./match-capabilities.js";
import { askInParts, type Planning } from "./planner.js";
import { suggestRelated } from "./suggest-related.js";
import type { ToolCatalog } from "./tool-catalog.js";

export interface DiscoverRequest {
  intent: string;
  filter?: { type?: "tool" | "capability" | "all"; minScore?: number };
  limit?: number;
  offset?: number;
  /** Tools already in use: the graph then says what goes with them. */
  toolsInUse?: readonly string[];
  /** `summary` leaves schemas and sources out. */
  detail?: "summary" | "full";
}

interface DiscoveredBase {
  id: string;
  /** The probability that this is what was meant, times how reliable it is: comparable across tools and capabilities. */
  score: number;
  /** Why it is here, for a person. */
  reason: string;
}

export interface DiscoveredTool extends DiscoveredBase {
  type: "tool";
  description: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
}

export interface DiscoveredCapability extends DiscoveredBase {
  type: "capability";
  name?: string;
  intent: string;
  description?: string;
  status: Capability["status"];
  /** Tools it may call. */
  tools: readonly string[];
  /** The probability alone, without how reliable it is. */
  match: number;
  /** How likely it is to work, and the range in which the true rate may well lie: wide while it was used little. */
  reliability: number;
  reliabilityInterval: { low: number; high: number };
  source?: { type: string; preview: string };
  parameters?: unknown;
}

export type Discovered = DiscoveredTool | DiscoveredCapability;

export interface DiscoverResult {
  results: Discovered[];
  /** How many there are in all that pass the filter, up to the most that are ranked. */
  total: number;
}

export interface Surroundings {
  context: StoreContext;
  knowledge: Knowledge;
  catalog: ToolCatalog;
  /** What is known of the past, where tools are in use. */
  planning?: () => Promise<Planning | undefined>;
}

const DEFAULT_DISCOVER = { limit: 10, offset: 0, minScore: 0, type: "all", detail: "full" } as const;
/** Ranked at the most, for pages: beyond, nothing is likely. */
const MOST_RANKED = 200;
const PREVIEW = 400;
/** How much the graph's word counts beside that of the intent. */
const GRAPH_COUNTS = 0.5;

/** Tools and capabilities for an intent, the likeliest first, in one list. The same question gives the same pages. */
export async function discover(surroundings: Surroundings, request: DiscoverRequest): Promise<DiscoverResult> {
  const { limit, offset, minScore, type, detail } = checkDiscover(request);
  const query = await askFor(surroundings, request.intent);
  const found = [
    ...(type === "capability" ? [] : findTools(surroundings, query)),
    ...(type === "tool" ? [] : await findCapabilities(surroundings, query)),
  ];
  const ranked = giveWay(await addRelated(surroundings, found, request))
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => b.score - a.score || a.type.localeCompare(b.type) || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_RANKED);
  const results = ranked.slice(offset, offset + limit).map((each) => (detail === "full" ? each : summarise(each)));
  return { results, total: ranked.length };
}

/**
 * A tool that served like requests as a step of a capability is likely because the capability is. It stands behind one that
 * more likely than not was meant, and more often than not works.
 */
function giveWay(found: readonly Discovered[]): Discovered[] {
  const doers = found.filter((each) => each.type === "capability" && isLikely(each)) as DiscoveredCapability[];
  return found.map((each) => {
    if (each.type === "capability" || each.score === 1) return each;
    const ahead = doers.filter(({ tools }) => tools.includes(each.id)).map(({ score }) => score);
    return ahead.length === 0 ? each : { ...each, score: Math.min(each.score, Math.max(...ahead)) };
  });
}

function isLikely({ status, match, reliability }: DiscoveredCapability): boolean {
  return status !== "degraded" && match > 0.5 && reliability > 0.5;
}

export async function askFor({ context }: Pick<Surroundings, "context">, intent: string): Promise<Query> {
  const text = checkIntent(intent);
  const [vector] = await context.vectors.embed([text]);
  return { text, vector: vector as Float32Array };
}

function checkDiscover(request: DiscoverRequest): {
  limit: number;
  offset: number;
  minScore: number;
  type: "tool" | "capability" | "all";
  detail: "summary" | "full";
} {
  const { filter = {}, limit = DEFAULT_DISCOVER.limit, offset = DEFAULT_DISCOVER.offset } = request;
  const { type = DEFAULT_DISCOVER.type, minScore = DEFAULT_DISCOVER.minScore } = filter;
  if (!["tool", "capability", "all"].includes(type))
    throw invalidInput(`"${String(type)}" is no type: tool, capability or all.`);
  const { detail = DEFAULT_DISCOVER.detail } = request;
  if (!["summary", "full"].includes(detail)) throw invalidInput(`"${String(detail)}" is no detail: summary or full.`);
  return {
    limit: checkCount("The limit", limit, { min: 1, max: MOST_RANKED }),
    offset: checkCount("The offset", offset, { min: 0, max: MOST_RANKED }),
    minScore: checkNumber("The least score", minScore, { min: 0, max: 1 }),
    type,
    detail,
  };
}

function findTools({ catalog }: Surroundings, query: Query): DiscoveredTool[] {
  return catalog.rank(query, MOST_RANKED).map(({ tool, score, reason }) => describeTool(tool, score, reason));
}

export function describeTool(tool: NewTool, score: number, reason: string): DiscoveredTool {
  const { id, description, inputSchema, outputSchema } = tool;
  return {
    type: "tool",
    id,
    score,
    reason,
    description,
    ...(inputSchema !== undefined && { inputSchema }),
    ...(outputSchema !== undefined && { outputSchema }),
  };
}

async function findCapabilities(
  { context, knowledge, catalog }: Surroundings,
  query: Query,
): Promise<DiscoveredCapability[]> {
  const named = await findByName(context, listExactNames(query.text));
  const matches = await matchCapabilities(context, query, MOST_RANKED);
  const found = matches
    .filter(({ capability }) => capability.id !== named?.id && isSuggestible(capability.statistics, knowledge))
    .map(({ capability, match, asked }) => describeCapability(capability, match, `It served "${asked}".`));
  const exact =
    named === undefined || named.status === "draft" ? [] : [describeCapability(named, 1, "It has this name.")];
  const all = [...exact.map((each) => ({ ...each, score: 1 })), ...found];
  return markDegraded(all, await listResting(context, catalog.gone), catalog);
}

/** One whose tool is gone, or a tool of one it calls, cannot run, whatever it did before. */
function markDegraded(
  found: readonly DiscoveredCapability[],
  resting: ReadonlySet<string>,
  catalog: ToolCatalog,
): DiscoveredCapability[] {
  const canRun = ({ id, tools }: DiscoveredCapability): boolean =>
    !resting.has(id) && tools.every((tool) => catalog.find(tool) !== undefined);
  return found.map((each) => (canRun(each) ? each : { ...each, status: "degraded" }));
}

export function describeCapability(capability: Capability, match: number, reason: string): DiscoveredCapability {
  const { id, name, intent, description, status, statistics, parameters, toolsUsed } = capability;
  const reliability = expectedSuccess(statistics);
  return {
    type: "capability",
    id,
    ...(name !== undefined && { name }),
    intent,
    ...(description !== undefined && { description }),
    status,
    score: match * reliability,
    match,
    reliability,
    reliabilityInterval: successInterval(statistics),
    reason,
    source: previewSource(capability),
    ...(parameters !== undefined && { parameters }),
    tools: toolsUsed,
  };
}

function previewSource({ source }: Capability): { type: string; preview: string } {
  const text =
    source.type === "code" ? source.code : JSON.stringify(source.type === "dag" ? source.dagStructure : source);
  return { type: source.type, preview: text.slice(0, PREVIEW) };
}

/** The graph speaks where there is context: what goes with the tools in use rises, and what it alone knows joins in. */
async function addRelated(
  { context, knowledge, catalog, planning }: Surroundings,
  found: readonly Discovered[],
  { intent, toolsInUse: used = [] }: DiscoverRequest,
): Promise<Discovered[]> {
  if (used.length === 0) return [...found];
  const learned = await planning?.();
  const request = learned && (await askInParts(context, intent));
  const goesWith = suggestRelated(knowledge.graph, { used, request, planning: learned, limit: MOST_RANKED });
  const related = new Map(goesWith.map((each) => [each.id, each]));
  const raised = found.map((each) => {
    const why = related.get(each.type === "tool" ? each.id : nodeOf(each.id));
    related.delete(each.type === "tool" ? each.id : nodeOf(each.id));
    if (why === undefined) return each;
    return {
      ...each,
      score: 1 - (1 - each.score) * (1 - GRAPH_COUNTS * why.confidence),
      reason: `${each.reason} ${why.reason}`,
    };
  });
  const ids = [...related.keys()].flatMap((node) => capabilityOf(node) ?? []);
  const capabilities = await listByIds(context, ids, "active");
  const joined = capabilities.map((capability) => {
    const { confidence = 0, reason = "" } = related.get(nodeOf(capability.id)) ?? {};
    return { ...describeCapability(capability, 0, reason), score: GRAPH_COUNTS * confidence };
  });
  const resting = await listResting(context, joined.length === 0 ? [] : catalog.gone);
  const tools = [...related.values()].flatMap(({ id, confidence, reason }) => {
    const tool = catalog.find(id);
    return tool === undefined ? [] : [describeTool(tool, GRAPH_COUNTS * confidence, reason)];
  });
  return [...raised, ...markDegraded(joined, resting, catalog), ...tools];
}

function summarise(found: Discovered): Discovered {
  if (found.type === "tool") {
    const { inputSchema: _, outputSchema: __, ...rest } = found;
    return rest;
  }
  const { source: _, parameters: __, ...rest } = found;
  return rest;
}
