import { invalidInput } from "../model/error.js";
import { checkVisibility, type Visibility } from "../model/scope.js";
import { checkText } from "../model/text.js";
import { announce } from "../store/changes.js";
import type { StoreContext } from "../store/context.js";
import { readFullRecord } from "./find-record.js";
import { getOwnRecord } from "./own-record.js";
import type { CapabilityRecord } from "./record.js";
import { syncNames } from "./sync-names.js";
import { checkVersionTag } from "./version.js";
import { refuseSecondTag } from "./versions.js";
import { lockNames } from "./walls.js";

export interface TagChanges {
  /** Instead of those it has. */
  tags?: readonly string[];
  add?: readonly string[];
  remove?: readonly string[];
  /** For the current version. */
  versionTag?: string;
  /** Who may find it. What is private stays so: fork it to share it. */
  visibility?: Exclude<Visibility, "private">;
}

const MAX_TAGS = 50;
const SHARED = ["project", "org", "public"] as const;

export async function tag(context: StoreContext, name: string, changes: TagChanges): Promise<CapabilityRecord> {
  const fqdn = await context.database.transaction(async (transaction) => {
    await lockNames(transaction, context);
    const { row } = await getOwnRecord(transaction, context, name);
    if (changes.visibility !== undefined) checkVisibility(changes.visibility, SHARED);
    if (changes.visibility !== undefined && row.owner !== "")
      throw invalidInput(`"${row.display_name}" is private. Fork it to share it.`);
    const versionTag = changes.versionTag === undefined ? row.version_tag : checkVersionTag(changes.versionTag);
    if (versionTag !== row.version_tag) await refuseSecondTag(transaction, row.id, versionTag);
    await transaction.query(
      "update capability_records set tags = $2, version_tag = $3, visibility = $4, updated_by = $5, updated_at = $6 where id = $1",
      [
        row.id,
        changeTags(row.tags, changes),
        versionTag,
        changes.visibility ?? row.visibility,
        context.scope.actor,
        context.now(),
      ],
    );
    await transaction.query(
      "update capability_versions set version_tag = $3 where capability_fqdn = $1 and version = $2",
      [row.id, row.version, versionTag],
    );
    await syncNames(transaction, context, [row.capability_id]);
    await announce(transaction, context, { table: "capability_records", id: row.id });
    return row.id;
  });
  return readFullRecord(context, fqdn);
}

function changeTags(tags: readonly string[], changes: TagChanges): string[] {
  const removed = new Set(checkTags(changes.remove ?? []));
  return checkTags(
    [...checkTags(changes.tags ?? tags), ...checkTags(changes.add ?? [])].filter((each) => !removed.has(each)),
  );
}

/** Sorted, each once. */
export function checkTags(tags: readonly string[]): string[] {
  if (!Array.isArray(tags)) throw invalidInput("Tags are a list of texts.");
  const distinct = [...new Set(tags.map((each) => checkText("A tag", each, 64).trim().toLowerCase()))];
  if (distinct.length > MAX_TAGS) throw invalidInput(`There are ${distinct.length} tags; the most is ${MAX_TAGS}.`);
  if (distinct.includes("")) throw invalidInput("A tag is empty.");
  return distinct.sort();
}
