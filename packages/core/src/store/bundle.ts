import { StaticStructureBuilder } from "@pml/analyzer";

import type { Capability, NewCapability } from "../model/capability.js";
import { invalidInput, PmlError } from "../model/error.js";
import { hashSource } from "../model/identity.js";
import { codeOf } from "../model/source-code.js";
import { findByHash, findByName, listByIds, listCapabilities, putCapability } from "./capabilities.js";
import { checkCapability } from "./check-capability.js";
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

/**
 * They come in as drafts: what worked elsewhere has yet to work here. Nothing is imported of a bundle with anything in it that
 * cannot be. What comes under a name that is taken comes without it, or is a conflict.
 */
export async function importCapabilities(
  context: StoreContext,
  bundle: unknown,
  onConflict: ConflictRule = "skip",
): Promise<ImportResult> {
  const given = checkBundle(bundle);
  if (onConflict === "error") for (const each of given) await refuseConflict(context, each);
  const result: ImportResult = { imported: [], skipped: [] };
  for (const { name, ...each } of given) {
    const isFree = name !== undefined && (await findByName(context, name)) === undefined;
    const { capability, created } = await putCapability(context, { ...each, ...(isFree && { name }) });
    (created ? result.imported : result.skipped).push(capability.id);
  }
  return result;
}

async function refuseConflict(context: StoreContext, { hash, name }: NewCapability & { hash: string }): Promise<void> {
  const same = await findByHash(context, hash);
  const { org, project } = context.scope;
  if (same?.org === org && same.project === project)
    throw new PmlError("PML_CONFLICT", `Capability ${same.id} is here already.`, { details: { id: same.id } });
  if (name !== undefined && (await findByName(context, name)) !== undefined)
    throw new PmlError("PML_CONFLICT", `The name "${name}" is taken here.`, { details: { name } });
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

/** A bundle is hostile until shown otherwise. */
function checkBundle(bundle: unknown): (NewCapability & { hash: string })[] {
  const { format, version, capabilities } = (bundle ?? {}) as Partial<CapabilityBundle>;
  if (format !== "pml-capabilities" || version !== 1 || !Array.isArray(capabilities))
    throw invalidInput("This is not a bundle of capabilities that this version can read.");
  return capabilities.map((each: unknown) => {
    try {
      return readAnew(checkCapability((each ?? {}) as NewCapability));
    } catch (error) {
      if (error instanceof PmlError) throw error;
      throw invalidInput(`A capability of the bundle cannot be read: ${(error as Error).message}`);
    }
  });
}

/** All that follows from what a capability does is worked out again, its hash above all; the rest is only words. */
function readAnew(claimed: NewCapability): NewCapability & { hash: string } {
  const { source, intent, name, description, cacheConfig } = claimed;
  const analysis = new StaticStructureBuilder().build(codeOf({ source, parameterisedCode: undefined }));
  const { structure, parameters, permissions, shape, parameterised } = analysis;
  const hash = source.type === "code" ? analysis.hash : hashSource(source);
  if (claimed.hash !== hash)
    throw invalidInput("A capability of the bundle is not the code its hash says.", {
      hash: String(claimed.hash).slice(0, 100),
    });
  return {
    source,
    intent,
    hash,
    structure,
    parameters,
    permissions,
    toolsUsed: permissions.tools,
    ...(source.type === "code" && {
      shape,
      parameterisedCode: parameterised.code,
    }),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(cacheConfig !== undefined && { cacheConfig }),
  };
}
