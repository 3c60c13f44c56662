import { invalidInput, PmlError } from "../../model/error.js";
import { checkId } from "../../model/text.js";
import { listByIds, putCapability } from "../../store/capabilities.js";
import { assign } from "../assign.js";
import { checkDisplayName } from "../display-name.js";
import { ensureFree } from "../free-name.js";
import { fromAnalysis } from "../new-capability.js";
import type { NamesContext } from "../powers.js";
import type { CapabilityRecord } from "../record.js";
import { resolveCalls } from "../resolve-calls.js";
import { findNearDuplicates, type ParentProposal } from "./near-duplicates.js";

/** Makes the one capability that the given ones are cases of. They stay, and say that it is their parent. */
export async function adoptParent(
  context: NamesContext,
  { ids, name }: Pick<ParentProposal, "ids" | "name">,
): Promise<CapabilityRecord> {
  checkDisplayName(name);
  await ensureFree(context.database, context, { name });
  const members = await listByIds(
    context,
    ids.map((id) => checkId("The id", id)),
  );
  // Worked out again: what came back from outside may be another text than what was proposed.
  const proposal = findNearDuplicates(members, (code) => context.analyse(code)).find(
    (each) => each.ids.length === ids.length,
  );
  if (proposal === undefined)
    throw invalidInput("These capabilities differ in more than values; no one parent fits all.");
  const analysis = context.analyse(proposal.code);
  const verdict = await context.dryRun(
    analysis,
    await resolveCalls(context, analysis.permissions.capabilities),
    context,
  );
  if (!verdict.ok)
    throw new PmlError("PML_DRY_RUN_FAILED", `The parent does not run: ${verdict.reason} Nothing was stored.`, {
      details: { reason: verdict.reason, code: proposal.code },
    });
  const { capability } = await putCapability(
    context,
    { ...fromAnalysis(analysis), intent: proposal.intent },
    "version",
  );
  const parent = await assign(context, {
    capabilityId: capability.id,
    name,
    changeSummary: `Parent of ${ids.join(", ")}`,
  });
  await context.database.query(
    "update capability_records set parent_id = $1 where capability_id = any($2::uuid[]) and org = $3 and project = $4 and id <> $1",
    [parent.fqdn, ids, context.scope.org, context.scope.project],
  );
  return parent;
}
