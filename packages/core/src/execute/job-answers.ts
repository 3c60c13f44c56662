import type { Permissions } from "@pml/sandbox";

import { findAlternatives } from "./alternatives.js";
import type { ErrorAnswer, Failure, SuccessAnswer } from "./answer.js";
import type { Job, Powers } from "./job.js";
import type { Ran } from "./run-code.js";

export function succeededAnswer(
  job: Job,
  { ran, value, cacheHit }: { ran?: Ran; value: unknown; cacheHit?: NonNullable<SuccessAnswer["cacheHit"]> },
): SuccessAnswer {
  return { ...baseAnswer(job, ran), status: "success", result: value, ...(cacheHit !== undefined && { cacheHit }) };
}

export async function failedAnswer(
  powers: Powers,
  job: Job,
  { ran, failure }: { ran: Ran; failure: Failure },
): Promise<ErrorAnswer> {
  const alternatives = job.capability === undefined ? [] : await findAlternatives(powers, job, job.capability.id);
  return {
    ...baseAnswer(job, ran),
    status: "error",
    error: powers.redact(failure),
    ...(alternatives.length > 0 && { alternatives }),
  };
}

/** The memory was closed in the middle of it: it is as if the process had ended. */
export function cutOffAnswer(job: Job, ran: Ran): ErrorAnswer {
  const message = "The memory was closed while this ran. Open it again, and resume the workflow.";
  const { workflowId } = job;
  return { ...baseAnswer(job, ran), status: "error", error: { code: "PML_CLOSED", message, details: { workflowId } } };
}

export function refusedAnswer(job: Job, denied: readonly string[], permissions: Permissions): ErrorAnswer {
  const set = typeof permissions === "string" ? `The permission set "${permissions}"` : "What this run may do";
  const message = `${set} does not allow ${denied.join(", ")}. Nothing was run.`;
  return {
    ...baseAnswer(job),
    status: "error",
    error: { code: "PML_PERMISSION_DENIED", message, details: { tools: denied, permissions } },
  };
}

function baseAnswer(
  { workflowId, mode, capability, warnings }: Job,
  ran?: Ran,
): Omit<SuccessAnswer, "status" | "result"> {
  return {
    workflowId,
    traceId: ran?.traceId ?? workflowId,
    mode,
    durationMs: ran?.durationMs ?? 0,
    ...(capability !== undefined && { capabilityId: capability.id }),
    ...(capability?.name !== undefined && { capabilityName: capability.name }),
    ...(ran?.layerResults !== undefined && { layerResults: ran.layerResults }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  };
}
