import { type PastPlan, suggest, suggestDag, type SuggestedDag } from "@pml/graph";

import {
  describeCapability,
  describeTool,
  type DiscoveredCapability,
  type DiscoveredTool,
  discover,
} from "../discover/discover.js";
import { capabilityOf } from "../learn/lesson.js";
import type { Capability } from "../model/capability.js";
import { listByIds } from "../store/capabilities.js";
import type { Suggestions } from "./answer.js";
import type { Place } from "./job.js";
import type { ToolBox } from "./tool-box.js";

const SUGGESTED = 10;
const PLANS = 5;

/** Tools with their schemas, capabilities, and a plan from the graph. */
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
  const dag = await planFor({ workspace, context }, found);
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
  used: readonly string[],
  box: ToolBox,
): Promise<Suggestions | undefined> {
  const found = suggest(workspace.knowledge.graph, used, { limit: NEXT });
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

async function planFor(
  { workspace, context }: Place,
  { tools, capabilities }: Pick<Suggestions, "tools" | "capabilities">,
): Promise<SuggestedDag | undefined> {
  const near = await listByIds(
    context,
    capabilities.slice(0, PLANS).map(({ id }) => id),
  );
  const likeness = new Map(capabilities.map(({ id, match }) => [id, match]));
  return suggestDag(workspace.knowledge.graph, {
    candidates: tools.map(({ id, score, description, inputSchema, outputSchema }) => ({
      id,
      score,
      description,
      inputSchema: (inputSchema ?? {}) as Record<string, unknown>,
      outputSchema: (outputSchema ?? workspace.findLearnedOutput(id) ?? {}) as Record<string, unknown>,
    })),
    plans: near.map((capability) => describePlan(capability, likeness.get(capability.id) ?? 0)),
  });
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
