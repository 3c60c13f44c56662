import { visibleFrom } from "./capability-row.js";
import type { StoreContext } from "./context.js";
import type { Row } from "./database/database.js";

/** What a capability says of itself, where that is not what somebody asked for when it was learned. */
export interface OwnWords {
  id: string;
  name: string | undefined;
  /** And the intent of one that was made by hand, or comes from another project. */
  descriptions: string[];
}

interface OwnWordsRow extends Row {
  id: string;
  name: string | null;
  description: string | null;
  intent: string | null;
}

/** By id, those after `after` only. */
export async function listOwnWords(
  { database, scope }: StoreContext,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<OwnWords[]> {
  const rows = await database.query<OwnWordsRow>(
    `select pattern_id::text as id, name, description,
       case when vouched = 'active' or org <> $1 or project <> $2 then intent end as intent
     from workflow_pattern where ${visibleFrom(1)} and ($4::uuid is null or pattern_id > $4) order by pattern_id limit $5`,
    [scope.org, scope.project, scope.actor, after ?? null, limit],
  );
  return rows.map(({ id, name, description, intent }) => ({
    id,
    name: name ?? undefined,
    descriptions: [description, intent].filter((text) => text !== null),
  }));
}
