import { PmlError } from "../model/error.js";
import type { StoreContext } from "../store/context.js";
import type { Queryable } from "../store/database/database.js";
import { type FoundRecord, getRecordRow, notFound } from "./find-record.js";
import { parseReference } from "./reference.js";

/** A record that this scope may change: its project's, or the actor's own. What others share may be seen, not changed. */
export async function getOwnRecord(
  queryable: Queryable,
  context: Pick<StoreContext, "scope" | "now">,
  name: string,
): Promise<FoundRecord> {
  const reference = parseReference(name);
  if (reference.target.kind === "unnamed") throw notFound(reference);
  const found = await getRecordRow(queryable, context, reference);
  const { org, project } = context.scope;
  if (found.row.org === org && found.row.project === project) return found;
  throw new PmlError(
    "PML_NOT_FOUND",
    `"${name}" belongs to ${found.row.org}.${found.row.project}. Fork it to change it.`,
    {
      details: { name, fqdn: found.row.id },
    },
  );
}
