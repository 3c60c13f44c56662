import type { SteppedBack } from "../execute/naming.js";
import { isWorse } from "../learn/reliability.js";
import type { Capability } from "../model/capability.js";
import { PmlError } from "../model/error.js";
import { findCapability } from "../store/capabilities.js";
import type { StoreContext } from "../store/context.js";
import type { Row } from "../store/database/database.js";
import { pointAt } from "./point-at.js";
import { listVersions } from "./versions.js";

interface LiveRow extends Row {
  id: string;
  display_name: string;
}

/** Names that stand for what does worse than what was there before it stand for that again. */
export async function stepBack(
  context: StoreContext,
  capabilityId: string,
  canRun: (capability: Capability) => boolean,
): Promise<SteppedBack[]> {
  const { org, project, actor } = context.scope;
  const rows = await context.database.query<LiveRow>(
    `select id, display_name from capability_records where capability_id = $4 and deleted_at is null
       and org = $1 and project = $2 and owner in ('', $3) order by id`,
    [org, project, actor, capabilityId],
  );
  const now = rows.length === 0 ? undefined : await findCapability(context, capabilityId);
  if (now === undefined) return [];
  const stepped = await Promise.all(rows.map((row) => stepBackOne(context, { row, now, canRun })));
  return stepped.flatMap((each) => each ?? []);
}

async function stepBackOne(
  context: StoreContext,
  { row, now, canRun }: { row: LiveRow; now: Capability; canRun: (capability: Capability) => boolean },
): Promise<SteppedBack | undefined> {
  const target = await findBefore(context, row.id, now.id);
  const before = target && (await findCapability(context, target.capabilityId));
  if (target === undefined || before === undefined || before.status === "degraded" || !canRun(before)) return undefined;
  if (!isWorse(now.statistics, before.statistics)) return undefined;
  const reason = `${describe(now)}, and ${describe(before)} with version ${target.version}`;
  const changeSummary = `Back to version ${target.version} by itself: ${reason}`;
  try {
    await pointAt(context, { fqdn: row.id, before: now.id }, { capabilityId: before.id, changeSummary });
  } catch (error) {
    if (error instanceof PmlError && error.code === "PML_CONFLICT") return undefined;
    throw error;
  }
  return { name: row.display_name, from: now.id, to: before.id, version: target.version, reason };
}

/** What the name stood for when this first took over; what it has been taken back from since is not before it. */
async function findBefore(
  { database }: StoreContext,
  fqdn: string,
  capabilityId: string,
): Promise<{ capabilityId: string; version: number } | undefined> {
  const oldestFirst = (await listVersions(database, fqdn)).reverse();
  const first = oldestFirst.findIndex((each) => each.capabilityId === capabilityId);
  return first < 1 ? undefined : oldestFirst[first - 1];
}

function describe({ statistics: { successCount, failureCount } }: Capability): string {
  return `${successCount} of ${successCount + failureCount} runs went well`;
}
