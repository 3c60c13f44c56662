import type { Capability } from "../model/capability.js";
import { PmlError } from "../model/error.js";
import { getCapability } from "../store/capabilities.js";
import { findAlternatives } from "./alternatives.js";
import type { ErrorAnswer, ExecuteAnswer } from "./answer.js";
import { fillParameters } from "./fill-parameters.js";
import type { Job, Powers } from "./job.js";
import { type JobBase, prepareCapability } from "./prepare.js";
import { refuse } from "./refuse.js";

interface Running {
  powers: Powers;
  run: (job: Job) => Promise<ExecuteAnswer>;
}

/** Runs a capability; if it fails, and the caller wants that, the best of its alternatives that can be given its inputs. */
export async function runWithFallback(
  { powers, run }: Running,
  base: JobBase,
  { capability, inputs }: { capability: Capability; inputs: Record<string, unknown> },
): Promise<ExecuteAnswer> {
  const answer = await attempt({ powers, run }, base, { capability, inputs });
  if (answer.status !== "error" || base.options.fallback !== true || isEnded(base, answer)) return answer;
  for (const { capabilityId } of answer.alternatives ?? []) {
    const other = await getCapability(base.context, capabilityId);
    const filling = fillParameters(other, base.given ?? inputs);
    if (!filling.ok) continue;
    const again = { ...base, workflowId: powers.newId() };
    const second = await attempt({ powers, run }, again, { capability: other, inputs: filling.inputs });
    return { ...second, warnings: [explain(capability, answer, other), ...(second.warnings ?? [])] };
  }
  return answer;
}

/** What cannot run has alternatives as what failed has. */
async function attempt(
  { powers, run }: Running,
  base: JobBase,
  work: { capability: Capability; inputs: Record<string, unknown> },
): Promise<ExecuteAnswer> {
  try {
    return await run(await prepareCapability(powers, base, work));
  } catch (error) {
    if (!(error instanceof PmlError && error.code === "PML_CAPABILITY_DEGRADED")) throw error;
    const alternatives = await findAlternatives(powers, base, work.capability.id);
    const refusal = refuse(base, error, powers.redact);
    return alternatives.length === 0 ? refusal : { ...refusal, alternatives };
  }
}

/** Nobody waits for another try. */
function isEnded({ options }: JobBase, { error }: ErrorAnswer): boolean {
  return options.signal?.aborted === true || error.code === "PML_CLOSED" || error.code === "PML_REJECTED";
}

function explain(failed: Capability, { error }: ErrorAnswer, ran: Capability): string {
  return `${nameOf(failed)} failed with ${error.code}, so ${nameOf(ran)} was run instead.`;
}

function nameOf({ name, intent }: Capability): string {
  return `"${name ?? intent}"`;
}
