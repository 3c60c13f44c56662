import { PmlError } from "../model/error.js";
import { checkId } from "../model/text.js";
import { announce } from "./changes.js";
import type { StoreContext } from "./context.js";
import type { Queryable, Row } from "./database/database.js";
import type { VectorKind, VectorPlace } from "./vectors/vector-table.js";

export async function removeCapability(context: StoreContext, id: string): Promise<void> {
  const { org, project, actor } = context.scope;
  const removed = await context.database.transaction(async (transaction) => {
    // Whoever has the name in mind is not to get something else under it: the record stays, and keeps the name for a while.
    const names = await transaction.query<{ id: string }>(
      "update capability_records set deleted_at = $4 where capability_id = $1 and org = $2 and project = $3 and deleted_at is null returning id",
      [checkId("The id", id), org, project, context.now()],
    );
    const gone = await transaction.query(
      "delete from workflow_pattern where pattern_id = $1 and org = $2 and project = $3 and owner in ('', $4) returning pattern_id",
      [checkId("The id", id), org, project, actor],
    );
    if (gone.length === 0)
      throw new PmlError("PML_NOT_FOUND", `There is no capability ${id} here to remove.`, { details: { id } });
    const left = await removeVectors(transaction, context, id);
    await announce(transaction, context, { table: "workflow_pattern", id });
    for (const name of names) await announce(transaction, context, { table: "capability_records", id: name.id });
    return left;
  });
  await forgetVectors(context, removed);
}

/** Where vectors were that are no more. */
export type RemovedVector = VectorPlace & { kind: VectorKind };

/** That of a capability which is gone, and those of the intents that went with it. */
export function removeVectors(transaction: Queryable, { scope }: StoreContext, id: string): Promise<RemovedVector[]> {
  return transaction.query<Row & RemovedVector>(
    `delete from embedding where org = $1 and project = $2 and ((kind = 'capability' and owner_id = $3) or (kind = 'intent'
       and not exists (select 1 from intent_memory where intent_id::text = owner_id)))
     returning kind, org, project, owner_id as "ownerId"`,
    [scope.org, scope.project, id],
  );
}

/** From memory, once they are gone from disk. */
export async function forgetVectors({ vectors }: StoreContext, removed: readonly RemovedVector[]): Promise<void> {
  for (const kind of ["capability", "intent"] as const)
    await vectors.refresh(
      kind,
      removed.filter((each) => each.kind === kind),
    );
}
