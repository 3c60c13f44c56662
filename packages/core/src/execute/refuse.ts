import { AnalyzerError } from "@pml/analyzer";

import { PmlError } from "../model/error.js";
import type { Redact } from "../model/redact.js";
import { describeFailure, type ErrorAnswer } from "./answer.js";
import type { JobBase } from "./prepare.js";

/** What was asked for cannot be run: an answer, not an exception. A broken memory is one. */
export function refuse({ workflowId, mode }: JobBase, error: unknown, redact: Redact): ErrorAnswer {
  const isExpected = error instanceof AnalyzerError || (error instanceof PmlError && REFUSALS.has(error.code));
  if (!isExpected) throw error;
  return {
    status: "error",
    workflowId,
    traceId: workflowId,
    mode,
    durationMs: 0,
    error: redact(describeFailure(error)),
  };
}

const REFUSALS: ReadonlySet<string> = new Set([
  "PML_CAPABILITY_CYCLE",
  "PML_CAPABILITY_DEGRADED",
  "PML_CAPABILITY_NOT_FOUND",
  "PML_INVALID_ARGUMENTS",
  "PML_NAME_AMBIGUOUS",
  "PML_NAME_INVALID",
  "PML_NAME_TAKEN",
  "PML_NOT_FOUND",
  "PML_PERMISSION_DENIED",
  "PML_RESUME_NEEDS_CONTEXT",
  "PML_SIGNATURE_MISMATCH",
  "PML_TOOL_NOT_FOUND",
]);
