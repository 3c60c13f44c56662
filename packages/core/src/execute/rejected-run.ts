import { keepValue } from "../model/kept-value.js";
import type { TraceTask } from "../model/trace.js";
import { listByIds } from "../store/capabilities.js";
import { recordRun } from "../store/runs.js";
import { listSteps, removeWorkflow, type Workflow } from "../store/workflows.js";
import type { ErrorAnswer, LayerResult } from "./answer.js";
import { rejectedAnswer } from "./approval.js";
import { TRACE_BYTES } from "./finish.js";
import type { Place } from "./job.js";
import type { StepState } from "./journal.js";
import type { StoredJob } from "./stored-job.js";

/** A run that waited and may not go on. What it had done by then has happened, so it leaves a trace. */
export async function endRejected(
  { context }: Place,
  workflow: Workflow,
  { reason, layerResults }: { reason: string | undefined; layerResults: readonly LayerResult[] | undefined },
): Promise<ErrorAnswer> {
  const { mode, intent, capabilityId = "" } = workflow.request as StoredJob;
  const steps = await listSteps(context, workflow.id);
  const tasks = steps.map(({ key, state }) => describeStep(key, state as StepState, workflow.createdAt.getTime()));
  const hasBegun = tasks.length > 0 || layerResults !== undefined;
  const answer = rejectedAnswer({ workflowId: workflow.id, mode }, { reason, layerResults, hasBegun });
  if (tasks.length === 0) {
    await removeWorkflow(context, workflow.id);
    return answer;
  }
  const [capability] = capabilityId === "" ? [] : await listByIds(context, [capabilityId]);
  const { traceId } = await recordRun(context, {
    trace: {
      workflowId: workflow.id,
      mode,
      ...(intent !== undefined && { intent }),
      ...(capability !== undefined && { capabilityId: capability.id }),
      success: false,
      error: "PML_REJECTED: a person said no",
      tasks,
      startedAt: workflow.createdAt,
      durationMs: 0,
    },
    counts: false,
    endsWorkflow: true,
  });
  return { ...answer, traceId };
}

function describeStep(key: string, state: StepState, startedAtMs: number): TraceTask {
  return {
    taskId: key.slice(1),
    tool: state.tool,
    success: state.status !== "started",
    ...(state.status === "done" && { result: keepValue(state.result, TRACE_BYTES) }),
    ...(state.status === "started" && { error: "It was under way when the run was cut off." }),
    startedAtMs,
    durationMs: 0,
  };
}
