import { codeOf } from "../execute/analyses.js";
import type { NewCapability } from "../model/capability.js";
import { PmlError } from "../model/error.js";
import { canonicalJson, hashSource } from "../model/identity.js";
import { signCapability } from "../model/signature.js";
import { findByHash, putCapability } from "../store/capabilities.js";
import { listTools } from "../store/tools.js";
import { assign } from "./assign.js";
import { type Bundle, openBundle, type PackageContent } from "./bundle.js";
import { listTakenNames } from "./curate/candidates.js";
import { findBrokenRule } from "./display-name.js";
import { fromAnalysis } from "./new-capability.js";
import type { NamesContext } from "./powers.js";
import { sortByCalls } from "./sort-by-calls.js";
import { markVerified } from "./verify.js";

export interface ImportOptions {
  /** What happens when code or name is here already: it is left alone, or nothing is imported at all. */
  onConflict?: "skip" | "error";
}

export interface BundleReport {
  /** `verified`: its samples were replayed and gave what they gave. Without samples it is a draft nobody vouches for. */
  imported: { address: string; id: string; name: string | undefined; verified: boolean; note: string | undefined }[];
  skipped: { address: string; id: string }[];
  refused: { address: string; reason: string }[];
  /** Tools that are called and not known here. */
  missingTools: string[];
}

type Package = Bundle["packages"][number];

/** Takes in what proves to be what it says. Code is read anew, and replayed, before anything of it is stored. */
export async function importBundle(
  context: NamesContext,
  given: unknown,
  { onConflict = "skip" }: ImportOptions = {},
): Promise<BundleReport> {
  const packages = sortByCalls(openBundle(given));
  if (onConflict === "error") await refuseConflicts(context, packages);
  const report: BundleReport = { imported: [], skipped: [], refused: [], missingTools: [] };
  const called = new Set<string>();
  for (const each of packages) for (const tool of await importOne(context, each, report)) called.add(tool);
  const here = new Set((await listTools(context)).map(({ id }) => id));
  return { ...report, missingTools: [...called].filter((tool) => !here.has(tool)).sort() };
}

/** Gives the tools that what was taken in calls: not as it claims, but as its code reads. */
async function importOne(
  context: NamesContext,
  { address, content }: Package,
  report: BundleReport,
): Promise<readonly string[]> {
  const known = await findOwn(context, content.capability.hash);
  if (known !== undefined) {
    report.skipped.push({ address, id: known });
    return [];
  }
  try {
    const capability = readAnew(context, content);
    const verdict =
      content.samples.length === 0 ? undefined : await context.verify(capability, content.samples, context);
    if (verdict?.ok === false) throw new Refused(`Replaying it did not give what it gave: ${verdict.reason}`);
    const { capability: stored } = await putCapability(context, capability, "version");
    if (verdict?.ok === true) await markVerified(context, stored.id);
    const named = await giveName(context, stored.id, content);
    report.imported.push({ address, id: stored.id, verified: verdict?.ok === true, ...named });
    return stored.toolsUsed;
  } catch (error) {
    report.refused.push({ address, reason: (error as Error).message });
    return [];
  }
}

class Refused extends Error {}

/** What it claims to be is worked out again; where the claims do not hold, it is not taken. */
function readAnew(context: NamesContext, { capability: claimed, signature }: PackageContent): NewCapability {
  if (signCapability(claimed) !== signature) throw new Refused("Its signature does not fit its content.");
  const { source, intent, description, cacheConfig } = claimed;
  const said = {
    intent,
    ...(description !== undefined && { description }),
    ...(cacheConfig !== undefined && { cacheConfig }),
  };
  const read = source.type === "code" ? fromAnalysis(context.analyse(source.code)) : readOther(context, claimed);
  if (read.hash !== claimed.hash) throw new Refused("It is not what its hash says.");
  if (claimed.permissions !== undefined && callsOf(read.permissions) !== callsOf(claimed.permissions))
    throw new Refused("Its code calls other tools than it says.");
  return { ...read, ...said };
}

/** What is no code becomes some, to see what it calls. */
function readOther(
  context: NamesContext,
  { source, parameters }: PackageContent["capability"],
): Omit<NewCapability, "intent"> & { hash: string } {
  const { permissions, structure } = context.analyse(codeOf({ source, parameterisedCode: undefined }));
  const hash = hashSource(source);
  return {
    source,
    hash,
    structure,
    permissions,
    toolsUsed: permissions.tools,
    ...(parameters !== undefined && { parameters }),
  };
}

/** Which permission set that takes depends on the tools of the place; what is called does not. */
function callsOf(permissions: unknown): string {
  const { tools, capabilities, computed } = (permissions ?? {}) as Record<string, unknown>;
  return canonicalJson([tools, capabilities, computed]);
}

async function giveName(
  context: NamesContext,
  capabilityId: string,
  { name, tags, versionTag }: PackageContent,
): Promise<{ name: string | undefined; note: string | undefined }> {
  if (name === undefined) return { name: undefined, note: undefined };
  try {
    const options = { tags, ...(versionTag !== undefined && { versionTag }) };
    await assign(context, { capabilityId, name, changeSummary: "Imported", ...options });
    return { name, note: undefined };
  } catch (error) {
    if (!(error instanceof PmlError)) throw error;
    return { name: undefined, note: error.message };
  }
}

async function refuseConflicts(context: NamesContext, packages: readonly Package[]): Promise<void> {
  const names = packages.flatMap(({ content }) =>
    findBrokenRule(content.name) === undefined ? [content.name as string] : [],
  );
  const [taken] = await listTakenNames(context, names);
  if (taken !== undefined)
    throw new PmlError("PML_NAME_TAKEN", `The name "${taken}" is taken here. Nothing was imported.`, {
      details: { name: taken },
    });
  for (const { content } of packages) {
    const id = await findOwn(context, content.capability.hash);
    if (id !== undefined)
      throw new PmlError("PML_CONFLICT", `Capability ${id} is here already. Nothing was imported.`, {
        details: { id },
      });
  }
}

async function findOwn(context: NamesContext, hash: string): Promise<string | undefined> {
  const found = await findByHash(context, String(hash));
  const { org, project } = context.scope;
  return found?.org === org && found.project === project ? found.id : undefined;
}
