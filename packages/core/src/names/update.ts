import type { Trial } from "../execute/trial/try-version.js";
import { invalidInput, PmlError } from "../model/error.js";
import { putCapability } from "../store/capabilities.js";
import type { StoreContext } from "../store/context.js";
import { getOwnRow } from "./assign.js";
import { readFullRecord } from "./find-record.js";
import { fromAnalysis } from "./new-capability.js";
import { getOwnRecord } from "./own-record.js";
import { pointAt } from "./point-at.js";
import type { NamesPowers } from "./powers.js";
import type { CapabilityRecord } from "./record.js";
import { formatReference, parseReference } from "./reference.js";
import { resolveReference } from "./resolve.js";
import { tryOut } from "./try-out.js";
import { markVerified } from "./verify.js";

export interface Update {
  /** New code, or a capability of this project that is stored already. */
  code?: string;
  capabilityId?: string;
  versionTag?: string;
  changeSummary?: string;
  /** Takes over although recorded runs of the version before turn out otherwise with it: that is what it is for. */
  acceptDifferences?: boolean;
}

/** With how the new version did on what the one before has done. */
export interface Updated extends CapabilityRecord {
  trial: Trial;
}

type UpdateContext = StoreContext & Pick<NamesPowers, "analyse" | "tryVersion">;

/**
 * Lets a name stand for other code from now on. What it stood for stays, as an older version. Code that does otherwise on
 * recorded runs does not take over: it stays a draft, until somebody says that this is meant.
 */
export async function update(context: UpdateContext, name: string, change: Update): Promise<Updated> {
  const found = await getOwnRecord(context.database, context, name);
  const capabilityId = change.capabilityId ?? (await store(context, found.row.capability_id, change.code));
  if (capabilityId === found.row.capability_id)
    throw invalidInput(`"${name}" does exactly that already: version ${found.row.version} stays.`);
  const before = found.row.capability_id;
  const trial = await tryOut(context, { before, after: capabilityId });
  if (trial.verdict === "different" && change.acceptDifferences !== true) throw refused(name, capabilityId, trial);
  const fqdn = await pointAt(context, { fqdn: found.row.id, before }, { ...change, capabilityId });
  if (trial.verdict === "same") await markVerified(context, capabilityId);
  return { ...(await readFullRecord(context, fqdn)), trial };
}

function refused(name: string, candidateId: string, trial: Trial): PmlError {
  const why = trial.differences.map(({ message }) => message).join(" ");
  const message = `"${name}" stays as it is: on what it has done, the new version does otherwise. ${why}`;
  const details = { name, candidateId, traceIds: trial.traceIds, differences: trial.differences };
  return new PmlError("PML_VERSION_DIFFERS", message, { details });
}

/** Takes an older version up again, as the newest one: history only ever grows. */
export async function rollback(context: StoreContext, name: string, { to }: { to: string }): Promise<CapabilityRecord> {
  const { row } = await getOwnRecord(context.database, context, name);
  const reference = { ...parseReference(row.id), version: parseReference(`${row.display_name}@${to}`).version };
  const { capability, version } = await resolveReference(context, reference);
  if (version === row.version) throw invalidInput(`${formatReference(reference)} is the current version.`);
  const changeSummary = `Back to version ${version}`;
  const place = { fqdn: row.id, before: row.capability_id };
  const fqdn = await pointAt(context, place, { capabilityId: capability.id, changeSummary });
  return readFullRecord(context, fqdn);
}

async function store(
  context: StoreContext & Pick<NamesPowers, "analyse">,
  before: string,
  code: string | undefined,
): Promise<string> {
  if (code === undefined) throw invalidInput("Give the new code, or the id of a capability that has it.");
  const row = await getOwnRow(context.database, context, before);
  const { capability } = await putCapability(
    context,
    {
      ...fromAnalysis(context.analyse(code)),
      intent: row.intent,
      visibility: row.visibility,
      ...(row.description !== null && { description: row.description }),
      ...(row.cache_config !== null && { cacheConfig: row.cache_config }),
    },
    "version",
  );
  return capability.id;
}
