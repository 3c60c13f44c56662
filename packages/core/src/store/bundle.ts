import type { Capability, NewCapability } from "../model/capability.js";
import { invalidInput, PmlError } from "../model/error.js";
import { hashSource } from "../model/identity.js";
import { findByHash, listByIds, listCapabilities, putCapability } from "./capabilities.js";
import type { StoreContext } from "./context.js";

/** Capabilities on their way to another store. */
export interface CapabilityBundle {
  format: "pml-capabilities";
  version: 1;
  capabilities: (NewCapability & { hash: string })[];
}

/** What happens to a capability that is there already: it is left alone, or the import fails as a whole. */
export type ConflictRule = "skip" | "error";

export interface ImportResult {
  imported: string[];
  skipped: string[];
}

const ALL = 100_000;

/** Those with the ids given, or all that are not drafts. Statistics stay behind: they were earned elsewhere. */
export async function exportCapabilities(context: StoreContext, ids?: readonly string[]): Promise<CapabilityBundle> {
  const found = ids === undefined ? await listCapabilities(context, { limit: ALL }) : await listByIds(context, ids);
  const capabilities = found.filter(({ status }) => ids !== undefined || status !== "draft").map(pack);
  return { format: "pml-capabilities", version: 1, capabilities };
}

/** They come in as drafts: what worked elsewhere has yet to work here. */
export async function importCapabilities(
  context: StoreContext,
  bundle: unknown,
  onConflict: ConflictRule = "skip",
): Promise<ImportResult> {
  const given = checkBundle(bundle);
  const known = await Promise.all(given.map(async ({ hash }) => findByHash(context, hash)));
  const conflict = known.find((each) => each !== undefined);
  if (onConflict === "error" && conflict !== undefined)
    throw new PmlError("PML_CONFLICT", `Capability ${conflict.id} is here already.`, { details: { id: conflict.id } });
  const result: ImportResult = { imported: [], skipped: [] };
  for (const each of given) {
    const { capability, created } = await putCapability(context, each);
    (created ? result.imported : result.skipped).push(capability.id);
  }
  return result;
}

function pack(capability: Capability): NewCapability & { hash: string } {
  const {
    hash,
    shape,
    name,
    intent,
    description,
    source,
    parameterisedCode,
    structure,
    parameters,
    permissions,
    toolsUsed,
    cacheConfig,
  } = capability;
  const optional = { shape, name, description, parameterisedCode, structure, parameters, permissions, cacheConfig };
  const present = Object.entries(optional).filter(([, value]) => value !== undefined);
  return { hash, intent, source, toolsUsed, ...Object.fromEntries(present) };
}

/** A bundle is hostile until shown otherwise: its hashes are computed again from its code. */
function checkBundle(bundle: unknown): (NewCapability & { hash: string })[] {
  const { format, version, capabilities } = (bundle ?? {}) as Partial<CapabilityBundle>;
  if (format !== "pml-capabilities" || version !== 1 || !Array.isArray(capabilities))
    throw invalidInput("This is not a bundle of capabilities that this version can read.");
  return capabilities.map((each) => {
    const hash = hashSource(each.source);
    if (each.hash !== hash)
      throw invalidInput("A capability of the bundle is not the code its hash says.", {
        hash: String(each.hash).slice(0, 100),
      });
    return each;
  });
}
