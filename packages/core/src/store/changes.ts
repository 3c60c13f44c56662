import type { StoreContext } from "./context.js";
import type { Queryable } from "./database/database.js";

/** Something was stored, changed or removed, by this process or another. */
export interface StoreChange {
  table:
    | "workflow_pattern"
    | "capability_records"
    | "capability_dependency"
    | "tool_schema"
    | "execution_trace"
    | "intent_memory";
  id: string;
  org: string;
  project: string;
}

/** What it takes to be told of changes. */
export interface ChangeListener {
  /** `own` says whether this process made the change. */
  onChange(change: StoreChange, own: boolean): void;
  /** For a while nobody listened, so that changes may have gone unheard. */
  onGap?(): void;
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

/** Of changes anywhere in the database. */
export function follow(
  context: StoreContext,
  { onChange, onGap = () => {} }: ChangeListener,
): Promise<() => Promise<void>> {
  const hear = (payload: string): void => {
    const heard = readPayload(payload);
    if (heard !== undefined) onChange(heard.change, heard.origin === context.origin);
  };
  return context.database.listen(CHANNEL, hear, onGap);
}

/** As `follow`, within the walls of the scope: what happens in other projects is none of its business. */
export function followOwn(
  context: StoreContext,
  listener: (change: StoreChange, own: boolean) => void,
): Promise<() => Promise<void>> {
  const { org, project } = context.scope;
  const onChange = (change: StoreChange, own: boolean): void => {
    if (change.org === org && change.project === project) listener(change, own);
  };
  return follow(context, { onChange });
}

/** Anyone on the server can write to a channel: what is no change of ours is not heard. */
function readPayload(payload: string): { change: StoreChange; origin: unknown } | undefined {
  try {
    const { origin, ...change } = JSON.parse(payload) as StoreChange & { origin: unknown };
    const texts = [change.table, change.id, change.org, change.project];
    return texts.every((text) => typeof text === "string") ? { change, origin } : undefined;
  } catch {
    return undefined;
  }
}
