import type { Capability } from "../model/capability.js";
import { PmlError } from "../model/error.js";
import { checkSignature } from "../model/signature.js";
import type { TraceResolution } from "../model/trace.js";
import { type CapabilityRow, readCapability, visibleFrom } from "../store/capability-row.js";
import type { StoreContext } from "../store/context.js";
import { unnamed } from "./display-name.js";
import { findLoaded, type LoadedRow, notFound } from "./find-record.js";
import { formatReference, parseReference, type Reference } from "./reference.js";
import { chooseVersion } from "./version.js";
import { listVersions } from "./versions.js";
import { scopeParameters } from "./walls.js";

/** What a name stands for now: one version of one capability, its signature checked. */
export interface Resolution {
  capability: Capability;
  /** Display name, or `unnamed_<hash>`. */
  name: string;
  fqdn: string | undefined;
  version: number | undefined;
  versionTag: string | undefined;
  via: TraceResolution["via"];
  /** Says that an old name was used, and which to use instead. */
  warning: string | undefined;
}

/** Finds what a display name, old name, `name@version`, FQDN, id or `unnamed_<hash>` stands for. */
export async function resolve(context: StoreContext, text: string): Promise<Resolution> {
  const resolution = await resolveReference(context, parseReference(text));
  checkSignature(resolution.capability);
  if (resolution.warning !== undefined)
    context.warn(resolution.warning, { called: text.slice(0, 200), name: resolution.name });
  return resolution;
}

export async function resolveReference(context: StoreContext, reference: Reference): Promise<Resolution> {
  const found = await findLoaded(context.database, context, reference);
  if (found !== undefined) return resolveRecord(context, reference, found);
  const capability = await findWithoutRecord(context, reference);
  if (capability === undefined) throw notFound(reference);
  const via = reference.target.kind === "id" ? "id" : "unnamed";
  const name = capability.name ?? unnamed(capability.hash);
  return { capability, name, fqdn: undefined, version: undefined, versionTag: undefined, via, warning: undefined };
}

async function resolveRecord(context: StoreContext, reference: Reference, row: LoadedRow): Promise<Resolution> {
  const chosen = await chooseRow(context, reference, row);
  const isCurrent = chosen.capabilityId === row.capability_id;
  const capability = isCurrent ? readCapability(row) : await loadRow(context, chosen.capabilityId);
  if (capability === undefined) throw notFound(reference);
  const name = row.display_name;
  const { kind } = reference.target;
  return {
    capability: { ...capability, name },
    name,
    fqdn: row.fqdn,
    version: chosen.version,
    versionTag: chosen.versionTag,
    via: row.via_alias ? "alias" : kind,
    warning: row.via_alias ? `"${formatReference(reference)}" is an old name of "${name}". Use that.` : undefined,
  };
}

async function chooseRow(
  context: StoreContext,
  reference: Reference,
  row: LoadedRow,
): Promise<{ capabilityId: string; version: number; versionTag: string | undefined }> {
  if (reference.version.kind === "latest")
    return { capabilityId: row.capability_id, version: row.version, versionTag: row.version_tag ?? undefined };
  const versions = await listVersions(context.database, row.fqdn);
  const chosen = chooseVersion(versions, reference.version);
  if (chosen !== undefined) return chosen;
  const known = versions.map(({ version, versionTag }) => versionTag ?? `v${version}`);
  throw new PmlError(
    "PML_NOT_FOUND",
    `"${formatReference(reference)}" does not exist. There are ${known.join(", ")}.`,
    {
      details: { name: row.display_name, versions: known },
    },
  );
}

/** Behind no wall: the record that led here has been seen, and shares what it points at. */
async function loadRow({ database }: StoreContext, id: string): Promise<Capability | undefined> {
  const [row] = await database.query<CapabilityRow>("select * from workflow_pattern where pattern_id = $1", [id]);
  return row && readCapability(row);
}

const BY_HASH = `select * from workflow_pattern where org = $1 and project = $2 and owner = any(array['', $3])
  and code_hash >= $4 and code_hash < $4 || 'g' order by owner desc, code_hash limit 2`;
const BY_ID = `select * from workflow_pattern where pattern_id = $4 and ${visibleFrom(1)}`;

async function findWithoutRecord(context: StoreContext, reference: Reference): Promise<Capability | undefined> {
  const { target } = reference;
  if (target.kind !== "unnamed" && target.kind !== "id") return undefined;
  const [sql, key] = target.kind === "id" ? [BY_ID, target.id] : [BY_HASH, target.hash];
  const rows = await context.database.query<CapabilityRow>(sql, [...scopeParameters(context.scope), key]);
  const hashes = new Set(rows.map(({ code_hash }) => code_hash));
  if (hashes.size > 1)
    throw new PmlError(
      "PML_NAME_AMBIGUOUS",
      `"${formatReference(reference)}" may mean several. Say more of the hash.`,
      {
        details: { hashes: [...hashes] },
      },
    );
  return rows[0] && readCapability(rows[0]);
}
