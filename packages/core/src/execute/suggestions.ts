import { type CandidateTool, type PastPlan, suggestDag, type SuggestedDag } from "@pml/graph";

import {
  describeCapability,
  describeTool,
  type DiscoveredCapability,
  type DiscoveredTool,
  discover,
} from "../discover/discover.js";
import { askInParts } from "../discover/planner.js";
import { suggestPlan } from "../discover/suggest-plan.js";
import { suggestRelated } from "../discover/suggest-related.js";
import { capabilityOf } from "../learn/lesson.js";
import type { Capability } from "../model/capability.js";
import { listByIds } from "../store/capabilities.js";
import type { StoreContext } from "../store/context.js";
import type { Suggestions } from "./answer.js";
import type { Place } from "./job.js";
import type { ToolBox } from "./tool-box.js";

const SUGGESTED = 10;
const PLANS = 5;

/** Tools with their schemas, capabilities, and a plan. */
export async function suggestFor(
  { workspace, context }: Place,
  intent: string,
  limit: number = SUGGESTED,
): Promise<Suggestions> {
  const { knowledge } = workspace;
  const catalog = await workspace.catalog();
  const surroundings = { context, knowledge, catalog };
  const [tools, capabilities] = await Promise.all([
    discover(surroundings, { intent, filter: { type: "tool" }, limit }),
    discover(surroundings, { intent, filter: { type: "capability" }, limit }),
  ]);
  const found = {
    tools: tools.results as DiscoveredTool[],
    capabilities: capabilities.results as DiscoveredCapability[],
  };
  const dag = await planFor({ workspace, context }, { intent, ...found });
  return { ...found, ...(dag !== undefined && { dag }) };
}

/** Whether one of them is sure enough to run by itself. */
export function hasMatch(
  { workspace }: Pick<Place, "workspace">,
  capabilities: readonly Pick<DiscoveredCapability, "match">[],
): boolean {
  const { threshold } = workspace.knowledge.thresholds.get(["speculation"]);
  return capabilities.some(({ match }) => match >= threshold);
}

const NEXT = 5;

/** What usually comes next, or goes with, what has just been used. Nothing where nothing was learned. */
export async function suggestNext(
  { workspace, context }: Place,
  { used, intent }: { used: readonly string[]; intent: string | undefined },
  box: ToolBox,
): Promise<Suggestions | undefined> {
  const planning = intent === undefined ? undefined : await workspace.planning();
  const request = planning && intent !== undefined ? await askInParts(context, intent) : undefined;
  const found = suggestRelated(workspace.knowledge.graph, { used, request, planning, limit: NEXT });
  if (found.length === 0) return undefined;
  const tools = found.flatMap(({ id, confidence, reason }) => {
    const tool = box.find(id);
    return tool === undefined ? [] : [describeTool(tool, confidence, reason)];
  });
  const byId = new Map(found.map((each) => [capabilityOf(each.id), each]));
  const ids = [...byId.keys()].filter((id) => id !== undefined);
  const known = ids.length === 0 ? [] : await listByIds(context, ids, "active");
  const capabilities = known.map((capability) => {
    const { confidence = 0, reason = "" } = byId.get(capability.id) ?? {};
    return { ...describeCapability(capability, 0, reason), score: confidence };
  });
  return { tools, capabilities };
}

/** By what like requests took, where enough of them are known; else from what seems likely, and the graph. */
async function planFor(
  { workspace, context }: Place,
  { intent, tools, capabilities }: { intent: string } & Pick<Suggestions, "tools" | "capabilities">,
): Promise<SuggestedDag | undefined> {
  const { graph } = workspace.knowledge;
  const planning = await workspace.planning();
  const earlier = await listPlans(context, capabilities);
  const learned = planning && suggestPlan(graph, planning, { request: await askInParts(context, intent), earlier });
  return (
    learned ??
    suggestDag(graph, { candidates: tools.map((tool) => describeCandidate(tool, workspace)), plans: earlier })
  );
}

/** The nearest first. */
async function listPlans(context: StoreContext, capabilities: Suggestions["capabilities"]): Promise<PastPlan[]> {
  const near = capabilities.slice(0, PLANS);
  const stored = await listByIds(
    context,
    near.map(({ id }) => id),
  );
  const known = new Map(stored.map((each) => [each.id, each]));
  return near.flatMap(({ id, match }) => {
    const capability = known.get(id);
    return capability === undefined ? [] : [describePlan(capability, match)];
  });
}

function describeCandidate(
  { id, score, description, inputSchema, outputSchema }: DiscoveredTool,
  workspace: Place["workspace"],
): CandidateTool {
  return {
    id,
    score,
    description,
    inputSchema: (inputSchema ?? {}) as Record<string, unknown>,
    outputSchema: (outputSchema ?? workspace.findLearnedOutput(id) ?? {}) as Record<string, unknown>,
  };
}

/** The tools of a capability, with the arguments its code has written out. */
function describePlan({ id, structure }: Capability, likeness: number): PastPlan {
  const nodes =
    (structure as { nodes?: { type: string; tool?: string; arguments?: object }[] } | undefined)?.nodes ?? [];
  const tasks = nodes
    .filter(({ type, tool }) => type === "task" && tool !== undefined && !tool.startsWith("code:"))
    .map(({ tool = "", arguments: given = {} }) => ({ tool, arguments: listLiterals(given) }));
  return { id, likeness, tasks };
}

function listLiterals(given: object): Record<string, unknown> {
  const entries = Object.entries(given) as [string, { type: string; value?: unknown }][];
  return Object.fromEntries(entries.flatMap(([name, { type, value }]) => (type === "literal" ? [[name, value]] : [])));
}
