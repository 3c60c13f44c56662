import type { Query } from "../discover/candidate.js";
import { askFor } from "../discover/discover.js";
import { maskValues } from "../discover/mask-values.js";
import { findNear, judgeNear, type MatchedCapability, type NearCapabilities } from "../discover/match-capabilities.js";
import type { Capability } from "../model/capability.js";
import { canonicalJson } from "../model/identity.js";
import { defaultsOf } from "./analyses.js";
import type { CanRun } from "./can-run.js";
import { type Filling, fillParameters } from "./fill-parameters.js";
import type { Place } from "./job.js";

/** Capabilities looked at for each request. */
const LOOKED_AT = 5;

/** The likeliest capability, with its parameters filled as far as the context goes. */
export interface Choice extends MatchedCapability {
  filling: Filling;
}

/** One that the context has everything for. */
export interface Fitting {
  capability: Capability;
  filling: Extract<Filling, { ok: true }>;
}

interface Wanted {
  intent: string;
  inputs: Record<string, unknown>;
  threshold: number;
  canRun: CanRun;
}

/** What an intent asks for, given the values that came with it: what has no use for them, or lacks one, is rarely meant. */
export async function chooseCapability(
  place: Place,
  { intent, inputs, threshold, canRun }: Wanted,
): Promise<Choice | undefined> {
  const { text, named } = maskValues(intent, inputs);
  const query = await askFor(place, text);
  const near = await findNear(place.context, query, LOOKED_AT);
  const fitting = joinAlike(listFitting(near.capabilities.filter(canRun), inputs, named));
  const best = findBest(query, near, fitting);
  if (best !== undefined && best.match >= threshold) return best;
  // Where nothing that fits is meant, something that lacks an input or cannot run may be: the caller is told.
  const [likeliest] = judgeNear(query, near);
  const filling = likeliest && fillParameters(likeliest.capability, inputs);
  if (likeliest === undefined || filling === undefined) return best;
  return filling.ok && canRun(likeliest.capability) ? best : { ...likeliest, filling };
}

/**
 * Those that can run with the context and have a use for each value that the intent names; of them, those that leave the
 * least of the rest unused.
 */
function listFitting(
  capabilities: readonly Capability[],
  inputs: Record<string, unknown>,
  named: ReadonlySet<string>,
): Fitting[] {
  const filled = capabilities.flatMap((capability) => {
    const filling = fillParameters(capability, inputs);
    return filling.ok && !filling.unused.some((key) => named.has(key)) ? [{ capability, filling }] : [];
  });
  const least = Math.min(...filled.map(({ filling }) => filling.unused.length));
  return filled.filter(({ filling }) => filling.unused.length === least);
}

/** The same for all that would do the very same. */
export function describeDeed({ capability, filling }: Fitting): string {
  const { shape, hash } = capability;
  return `${shape ?? hash} ${canonicalJson({ ...defaultsOf(capability), ...filling.inputs })}`;
}

/** Of those that would do the very same, one stands for all: they are no rivals. */
function joinAlike(fitting: readonly Fitting[]): Map<string, Fitting> {
  const first = new Map<string, Fitting>();
  return new Map(
    fitting.map((each) => {
      const key = describeDeed(each);
      const known = first.get(key) ?? each;
      first.set(key, known);
      return [each.capability.id, known];
    }),
  );
}

function findBest(query: Query, near: NearCapabilities, fitting: ReadonlyMap<string, Fitting>): Choice | undefined {
  const standing = [...new Set(fitting.values())];
  const requests = near.requests.flatMap((request) => {
    const servedBy = fitting.get(request.servedBy)?.capability.id;
    return servedBy === undefined ? [] : [{ ...request, servedBy }];
  });
  const capabilities = standing.map(({ capability }) => capability);
  const judged = judgeNear(query, { ...near, requests, capabilities });
  const [first] = judged;
  const filling = first && fitting.get(first.capability.id)?.filling;
  if (first === undefined || filling === undefined) return undefined;
  return { ...first, filling, match: weighFit(judged, near.count) };
}

/**
 * That a capability takes just what was given speaks against none being meant, the more the fewer do (Bayes' rule: by how
 * seldom one fits by chance). It says nothing between those that fit.
 */
function weighFit(fitting: readonly MatchedCapability[], count: number): number {
  const rarity = (count + 1) / fitting.length;
  const total = fitting.reduce((sum, { match }) => sum + match, 0);
  const best = fitting[0]?.match ?? 0;
  return (rarity * best) / (rarity * total + Math.max(0, 1 - total));
}
