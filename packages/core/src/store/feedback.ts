import { PmlError } from "../model/error.js";
import { checkId } from "../model/text.js";
import type { TraceFeedback } from "../model/trace.js";
import type { StoreContext } from "./context.js";
import type { Queryable, Row } from "./database/database.js";
import { takeBackIntents } from "./past-intents.js";
import { countRejected } from "./runs.js";

/** The run that was spoken of. */
export interface JudgedRun {
  capabilityId: string | undefined;
  match: number | undefined;
}

/**
 * Keeps what was said of a run, once, and what follows from it in the same transaction. Undefined when something had been
 * said before. `also` is done last, for what is learned beyond the store.
 */
export async function writeFeedback(
  context: StoreContext,
  { traceId, feedback }: { traceId: string; feedback: TraceFeedback },
  also: (transaction: Queryable, run: JudgedRun) => Promise<void>,
): Promise<JudgedRun | undefined> {
  const id = checkId("The trace's id", traceId);
  const forgotten: string[] = [];
  const judged = await context.database.transaction(async (transaction) => {
    const row = await markTrace(transaction, context, { id, feedback });
    if (row === undefined) return undefined;
    const run = { capabilityId: row.capability_id ?? undefined, match: row.match_score ?? undefined };
    if (!feedback.ok && row.counted && row.success && run.capabilityId !== undefined)
      await countRejected(transaction, context, run.capabilityId);
    if (!feedback.ok) forgotten.push(...(await takeBackIntents(transaction, context, id)));
    await also(transaction, run);
    return run;
  });
  const { org, project } = context.scope;
  await context.vectors.refresh(
    "intent",
    forgotten.map((ownerId) => ({ org, project, ownerId })),
  );
  return judged;
}

interface MarkedRow extends Row {
  capability_id: string | null;
  match_score: number | null;
  success: boolean;
  counted: boolean;
}

async function markTrace(
  transaction: Queryable,
  { scope, now }: StoreContext,
  { id, feedback }: { id: string; feedback: TraceFeedback },
): Promise<MarkedRow | undefined> {
  const where = "org = $1 and project = $2 and owner in ('', $3) and trace_id = $4";
  const key = [scope.org, scope.project, scope.actor, id];
  const [row] = await transaction.query<MarkedRow>(
    `update execution_trace set feedback = $5 where ${where} and feedback is null
     returning capability_id, match_score, success, counted`,
    [...key, JSON.stringify({ ...feedback, at: now().toISOString() })],
  );
  if (row !== undefined) return row;
  const known = await transaction.query(`select 1 as found from execution_trace where ${where}`, key);
  if (known.length > 0) return undefined;
  throw new PmlError("PML_NOT_FOUND", `There is no trace ${id}.`, { details: { id } });
}
