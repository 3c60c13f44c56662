import type { StoreContext } from "./context.js";
import type { Queryable } from "./database/database.js";

/** Something was stored, changed or removed, by this process or another. */
export interface StoreChange {
  table: "workflow_pattern" | "capability_records" | "capability_dependency" | "tool_schema" | "execution_trace";
  id: string;
  org: string;
  project: string;
}

const CHANNEL = "pml_change";

/** Says so to everyone who listens, if and when the transaction commits. */
export async function announce(
  transaction: Queryable,
  context: StoreContext,
  change: Pick<StoreChange, "table" | "id">,
): Promise<void> {
  const { org, project } = context.scope;
  const payload = JSON.stringify({ ...change, org, project, origin: context.origin });
  await transaction.query("select pg_notify($1, $2)", [CHANNEL, payload]);
}

/** `own` says whether this process made the change. */
export function follow(
  context: StoreContext,
  listener: (change: StoreChange, own: boolean) => void,
): Promise<() => Promise<void>> {
  return context.database.listen(CHANNEL, (payload) => {
    const { origin, ...change } = JSON.parse(payload) as StoreChange & { origin: string };
    listener(change, origin === context.origin);
  });
}
