import type { Capability } from "../../model/capability.js";
import { invalidInput, PmlError, type PmlErrorCode } from "../../model/error.js";
import { checkId } from "../../model/text.js";
import { findBrokenRule, unnamed } from "../display-name.js";
import type { NamesContext } from "../powers.js";
import { parseReference } from "../reference.js";
import { rename } from "../rename.js";
import { resolveReference } from "../resolve.js";
import { adoptParent } from "./adopt-parent.js";
import { type CurationFilter, listCandidatesForNames, listTakenNames } from "./candidates.js";
import { clusterByTools } from "./cluster.js";
import { nameByRule } from "./name-by-rule.js";
import { inferNamespace } from "./namespace-rules.js";
import { findNearDuplicates, type ParentProposal } from "./near-duplicates.js";
import { listCandidates, resolveCollisions, type Wish } from "./resolve-collisions.js";

export interface CurationRequest {
  /** `suggest` changes nothing, `auto` gives the names it suggests, `apply` those that are given here. */
  strategy: "suggest" | "auto" | "apply";
  filter?: CurationFilter;
  renames?: readonly { id: string; name: string }[];
  /** Of `suggest`'s parents, those to be made. */
  parents?: readonly Pick<ParentProposal, "ids" | "name">[];
  limit?: number;
}

export interface NameSuggestion {
  id: string;
  currentName: string;
  name: string;
  namespace: string;
  by: "rule" | "host";
  reason: string;
  /** The tools of the cluster it was found in. */
  cluster: string[];
}

export interface CurationReport {
  suggestions: NameSuggestion[];
  /** Near-duplicates that one capability could stand for. Never made without being asked for. */
  parents: ParentProposal[];
  applied: { id: string; from: string; name: string }[];
  failed: { id: string; name: string; code: PmlErrorCode; message: string }[];
}

export async function curate(context: NamesContext, request: CurationRequest): Promise<CurationReport> {
  if (request.strategy === "apply") return apply(context, request);
  if (request.strategy !== "suggest" && request.strategy !== "auto")
    throw invalidInput(`A strategy is suggest, auto or apply, not ${String(request.strategy)}.`);
  const capabilities = await listCandidatesForNames(context, request);
  const suggestions = await suggest(context, capabilities);
  const parents = findNearDuplicates(capabilities, (code) => context.analyse(code));
  const report: CurationReport = { suggestions, parents, applied: [], failed: [] };
  if (request.strategy === "auto")
    for (const { id, name } of suggestions) await giveName(context, { id, name, by: "curation" }, report);
  return report;
}

async function apply(context: NamesContext, { renames = [], parents = [] }: CurationRequest): Promise<CurationReport> {
  const report: CurationReport = { suggestions: [], parents: [], applied: [], failed: [] };
  for (const each of renames) await giveName(context, each, report);
  for (const each of parents)
    await attempt({ id: each.ids[0] ?? "", name: each.name }, report, async () => {
      const { capabilityId } = await adoptParent(context, each);
      report.applied.push({ id: capabilityId, from: each.ids.join(", "), name: each.name });
    });
  return report;
}

async function suggest(context: NamesContext, capabilities: readonly Capability[]): Promise<NameSuggestion[]> {
  const drafts: { capability: Capability; wish: Wish; suggestion: Omit<NameSuggestion, "name"> }[] = [];
  for (const { tools, members } of clusterByTools(capabilities))
    for (const capability of members) drafts.push({ capability, ...(await draftName(context, capability, tools)) });
  // Who is used most has the first choice.
  drafts.sort((a, b) => b.capability.statistics.usageCount - a.capability.statistics.usageCount);
  const wishes = drafts.map(({ wish }) => wish);
  const taken = await listTakenNames(context, wishes.flatMap(listCandidates));
  const names = resolveCollisions(wishes, (name) => taken.has(name));
  return drafts.flatMap(({ capability, suggestion }) => {
    const name = names.get(capability.id);
    return name === undefined ? [] : [{ ...suggestion, name }];
  });
}

async function draftName(
  context: NamesContext,
  capability: Capability,
  cluster: string[],
): Promise<{ wish: Wish; suggestion: Omit<NameSuggestion, "name"> }> {
  const { id, hash } = capability;
  // Tools of the whole cluster decide where its members belong, so that they end up together.
  const rule = nameByRule(capability);
  const namespace = inferNamespace(cluster.length > 0 ? cluster : capability.toolsUsed);
  const byRule = `${namespace}:${rule.name.slice(rule.name.indexOf(":") + 1)}`;
  const told = await askHost(context, capability);
  const name = told.name ?? byRule;
  const suggestion = {
    id,
    currentName: capability.name ?? unnamed(hash),
    namespace: name.slice(0, name.indexOf(":")),
    by: told.name === undefined ? ("rule" as const) : ("host" as const),
    reason: told.reason ?? rule.reason,
    cluster,
  };
  return { wish: { id, hash, name, variants: rule.variants }, suggestion };
}

/** A model may say anything, or nothing, or fail: then the rules decide. */
async function askHost(context: NamesContext, capability: Capability): Promise<{ name?: string; reason?: string }> {
  if (context.nameWith === undefined) return {};
  try {
    const name = (await context.nameWith(capability))?.trim();
    if (name === undefined || name === "") return {};
    const broken = findBrokenRule(name);
    if (broken === undefined) return { name, reason: "the host's naming function said so" };
    context.warn(`nameWith gave "${name.slice(0, 100)}": ${broken.text}`, { id: capability.id });
  } catch (error) {
    context.warn(`nameWith failed: ${(error as Error).message}`, { id: capability.id });
  }
  return {};
}

async function giveName(
  context: NamesContext,
  { id, name, by }: { id: string; name: string; by?: string },
  report: CurationReport,
): Promise<void> {
  await attempt({ id, name }, report, async () => {
    const before = await resolveReference(context, parseReference(checkId("The id", id)));
    await rename(context, id, { to: name, ...(by !== undefined && { by }) });
    report.applied.push({ id, from: before.name, name });
  });
}

/** One name that cannot be given does not keep the others from theirs. */
async function attempt(
  what: { id: string; name: string },
  report: CurationReport,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof PmlError)) throw error;
    report.failed.push({ ...what, code: error.code, message: error.message });
  }
}
