import type { Knowledge } from "../learn/knowledge.js";
import { expectedSuccess } from "../learn/reliability.js";
import type { Capability } from "../model/capability.js";
import { listByIds } from "../store/capabilities.js";
import type { StoreContext } from "../store/context.js";
import { listPastIntentsById } from "../store/past-intents.js";
import type { Query } from "./candidate.js";
import { judgeEach, type NearRequest } from "./same-request.js";

export interface MatchedCapability {
  capability: Capability;
  /** The probability that the intent asks for what this capability did before. */
  match: number;
  /** What was asked then. */
  asked: string;
}

/** Past requests looked at for each capability wanted: one has many wordings. */
const WORDINGS = 4;
const FEWEST_LOOKED_AT = 40;

/** Capabilities whose past requests are near to this one, the likeliest first. Drafts are never among them. */
export async function matchCapabilities(
  context: StoreContext,
  query: Query,
  limit: number,
): Promise<MatchedCapability[]> {
  return judgeNear(query, await findNear(context, query, limit)).slice(0, limit);
}

/** What there is near a query, before it is judged. */
export interface NearCapabilities {
  capabilities: readonly Capability[];
  requests: readonly NearRequest[];
  /** Capabilities there are in all. */
  count: number;
}

export async function findNear(context: StoreContext, query: Query, limit: number): Promise<NearCapabilities> {
  const requests = await listNearRequests(context, query, Math.max(FEWEST_LOOKED_AT, limit * WORDINGS));
  const known = await listByIds(context, [...new Set(requests.map(({ servedBy }) => servedBy))]);
  const capabilities = known.filter(({ status }) => status !== "draft");
  return { capabilities, requests, count: await context.vectors.count("capability", context.scope) };
}

/** The likeliest first. Only those that may be meant are each other's rivals. */
export function judgeNear(
  query: Query,
  { capabilities, requests, count }: NearCapabilities,
  mayBeMeant: readonly Capability[] = capabilities,
): MatchedCapability[] {
  const usable = new Map(mayBeMeant.map((each) => [each.id, each]));
  const near = requests.filter(({ servedBy }) => usable.has(servedBy));
  return judgeEach(query.text, near, count)
    .map(({ request, probability }) => ({
      capability: usable.get(request.servedBy) as Capability,
      match: probability,
      asked: request.text,
    }))
    .sort((a, b) => b.match - a.match || (a.capability.id < b.capability.id ? -1 : 1));
}

/** What callers asked for, and what capabilities were learned for: near ones of both. */
async function listNearRequests(context: StoreContext, query: Query, count: number): Promise<NearRequest[]> {
  const near = { limit: count, scope: context.scope };
  const [asked, learned] = await Promise.all([
    context.vectors.search("intent", query.vector, near),
    context.vectors.search("capability", query.vector, near),
  ]);
  const meaning = new Map([...asked, ...learned].map(({ id, cosine }) => [id, cosine]));
  const [intents, capabilities] = await Promise.all([
    listPastIntentsById(
      context,
      asked.map(({ id }) => id),
    ),
    listByIds(
      context,
      learned.map(({ id }) => id),
    ),
  ]);
  const requests = [
    ...intents.flatMap(({ id, intent, capabilityId, toolIds }) =>
      capabilityId === undefined ? [] : [{ id, text: intent, servedBy: capabilityId, toolIds }],
    ),
    ...capabilities.map(({ id, intent, toolsUsed }) => ({ id, text: intent, servedBy: id, toolIds: toolsUsed })),
  ];
  return requests.map((each) => ({ ...each, meaning: meaning.get(each.id) ?? 0 }));
}

/** Uses from which on more of them say nothing more. */
const MUCH_USED = 100;

/** On reliability and use together, a capability below the suggestion threshold is not worth a glance. */
export function isSuggestible(statistics: Capability["statistics"], { thresholds }: Knowledge): boolean {
  const usage = Math.min(1, Math.log1p(statistics.usageCount) / Math.log1p(MUCH_USED));
  return 0.6 * expectedSuccess(statistics) + 0.4 * usage >= thresholds.get(["suggestion"]).threshold;
}
