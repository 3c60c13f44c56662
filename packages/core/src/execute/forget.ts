import { retractOutcomes } from "../learn/outcomes.js";
import type { NewCapability } from "../model/capability.js";
import type { Scope } from "../model/scope.js";
import { type Forgotten, forgetTrace } from "../store/forget/forget-trace.js";
import { findHeir, type Heir, prepareHeir } from "../store/forget/heir.js";
import { codeOf } from "./analyses.js";
import type { Place, Powers } from "./job.js";
import { describeDraft } from "./prepare.js";

export interface ForgetRequest {
  traceId: string;
  scope?: Partial<Scope>;
}

/**
 * Takes a run back, and everything that was learned from it: what is stored is then what it would be had the run never been,
 * and what is in memory is read from that anew.
 */
export async function forget(
  powers: Powers,
  { workspace, context }: Place,
  { traceId }: Pick<ForgetRequest, "traceId">,
): Promise<Forgotten> {
  const heir = await findHeir(context, traceId);
  const prepared = heir && (await prepareHeir(context, heir, describeHeir(powers, heir)));
  const forgotten = await forgetTrace(context, {
    traceId,
    heir: prepared,
    also: (transaction, rested) =>
      retractOutcomes({ ...context, database: transaction }, workspace.knowledge.thresholdOptions, rested),
  });
  powers.caches.drop(context);
  workspace.isStale = true;
  await workspace.refresh();
  powers.info("A run was forgotten.", { traceId, retracted: forgotten.retracted.length });
  return forgotten;
}

/** Read again, as its tools are now. */
function describeHeir(powers: Powers, { work, intent }: Heir): NewCapability {
  const { hash, source, description } = work;
  const analysis = powers.analyses().analyse(codeOf({ source, parameterisedCode: undefined }));
  const draft = describeDraft(powers, analysis, {
    source,
    intent,
    ...(description !== undefined && { description }),
  });
  return { ...draft, hash };
}
