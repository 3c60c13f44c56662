import { follow, type StoreChange } from "../changes.js";
import type { StoreContext } from "../context.js";
import { schemaVectorId } from "../tools.js";
import type { VectorKind, VectorPlace } from "./vector-table.js";

const KINDS: Partial<Record<StoreChange["table"], VectorKind>> = {
  workflow_pattern: "capability",
  tool_schema: "tool",
  intent_memory: "intent",
};

/**
 * Has the vectors in memory follow what other processes do: one step after another, or an old answer could arrive after a
 * new one. Nothing is taken in before `ready`, since reading everything might bring back what has changed since.
 */
export function keepCurrent(context: StoreContext, ready: () => Promise<void>): Promise<() => Promise<void>> {
  const { vectors } = context;
  let waiting: StoreChange[] = [];
  let last: Promise<void> | undefined;
  // A failure here is one of the connection, and shows at the next question that is asked.
  const then = (work: () => Promise<void>): void => void (last = (last ?? ready()).then(work).catch(() => {}));
  const takeIn = async (): Promise<void> => {
    const changes = waiting;
    waiting = [];
    for (const kind of ["capability", "tool", "intent"] as const)
      await vectors.refresh(
        kind,
        changes.filter(({ table }) => KINDS[table] === kind).flatMap((change) => listPlaces(kind, change)),
      );
  };
  return follow(context, {
    onChange(change, own) {
      if (own || KINDS[change.table] === undefined) return;
      waiting.push(change);
      if (waiting.length === 1) then(takeIn);
    },
    onGap: () => then(() => vectors.load()),
  });
}

function listPlaces(kind: VectorKind, { id, org, project }: StoreChange): VectorPlace[] {
  const ids = kind === "tool" ? [id, schemaVectorId(id)] : [id];
  return ids.map((ownerId) => ({ org, project, ownerId }));
}
