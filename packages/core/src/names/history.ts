import { createTwoFilesPatch } from "diff";

import type { CapabilitySource } from "../model/capability.js";
import { canonicalJson } from "../model/identity.js";
import type { StoreContext } from "../store/context.js";
import { getRecordRow } from "./find-record.js";
import { parseReference } from "./reference.js";
import { type CapabilityVersion, listVersions } from "./versions.js";

export interface HistoryEntry extends Omit<CapabilityVersion, "source"> {
  source: CapabilitySource;
  /** Against the version before, as a unified diff; the whole text for the first. */
  diff: string;
}

/** Every version, newest first. */
export async function history(context: StoreContext, name: string): Promise<HistoryEntry[]> {
  const { row } = await getRecordRow(context.database, context, parseReference(name));
  const versions = await listVersions(context.database, row.id);
  return versions.map((each, index) => ({ ...each, diff: compare(versions[index + 1], each) }));
}

function compare(before: CapabilityVersion | undefined, after: CapabilityVersion): string {
  const [left, right] = [before === undefined ? "" : showSource(before.source), showSource(after.source)];
  return createTwoFilesPatch(before === undefined ? "nothing" : label(before), label(after), left, right);
}

function label({ version, versionTag }: CapabilityVersion): string {
  return versionTag ?? `v${version}`;
}

/** Text that can be compared line by line. */
function showSource(source: CapabilitySource): string {
  const text = source.type === "code" ? source.code : JSON.stringify(JSON.parse(canonicalJson(source)), undefined, 2);
  return text.endsWith("\n") ? text : `${text}\n`;
}
