import type { StructureNode } from "@pml/analyzer";

import { putApproval, putWorkflow } from "../store/workflows.js";
import type { ApprovalAnswer, ApprovalRequest, ErrorAnswer, LayerResult } from "./answer.js";
import { type Closure, listToAsk } from "./closure.js";
import type { Job, Powers } from "./job.js";
import type { RedactCall } from "./run-redaction.js";
import { describeJob } from "./stored-job.js";
import type { TaintFlow } from "./taint/find-flows.js";
import { listQuestions } from "./taint/judge-flows.js";

/** Either the job may go on, with what was approved, or there is an answer to give instead. */
type Asked = { job: Job; answer?: undefined } | { job: Job; answer: ApprovalAnswer | ErrorAnswer };

/** Asks for what a run needs asking for, before it starts; or, given layers, whether it may go on after them. */
export async function askApproval(
  powers: Powers,
  job: Job,
  {
    closure,
    flows = [],
    layerResults,
  }: { closure?: Closure; flows?: readonly TaintFlow[]; layerResults?: LayerResult[] },
): Promise<Asked> {
  const marked = closure === undefined ? [] : listToAsk(closure, powers.box);
  const open = [...marked, ...listQuestions(flows)].filter(({ id }) => !job.approved.has(id));
  if (open.length === 0 && layerResults === undefined) return { job };
  const request = buildRequest(powers, job, { open, flows, layerResults });
  if (powers.onApproval !== undefined) return answerInline(powers, job, request);
  await keepWaiting(powers, job, request);
  return {
    job,
    answer: { status: "approval_required", workflowId: job.workflowId, mode: job.mode, approval: request },
  };
}

/** What waits for an answer, on disk: it may come after a restart. */
export async function keepWaiting(powers: Powers, job: Job, request: ApprovalRequest): Promise<void> {
  const { context, workflowId, workspace } = job;
  powers.metrics.count("approvalsAsked");
  powers.info("A run waits for a person.", { workflowId, approvalId: request.id });
  await putWorkflow(context, { id: workflowId, status: "waiting", request: describeJob(job, powers) });
  const { id, expiresAt } = request;
  await putApproval(context, { id, workflowId, request: powers.redact(request), expiresAt });
  workspace.hub.emit(
    {
      type: "approval_required",
      workflowId,
      approvalId: id,
      ts: powers.now().getTime(),
      tools: request.tools.map((tool) => tool.id),
    },
    job.options.onEvent,
  );
}

async function answerInline(powers: Powers, job: Job, request: ApprovalRequest): Promise<Asked> {
  powers.metrics.count("approvalsAsked");
  const given = await powers.onApproval?.(request);
  if (given?.approved !== true) return { job, answer: rejectedAnswer(job, given?.reason) };
  powers.metrics.count("approvalsGiven");
  const tools = given.tools ?? request.tools.map(({ id }) => id);
  return { job: { ...job, approved: new Set([...job.approved, ...tools]) } };
}

export function rejectedAnswer(
  { workflowId, mode }: Pick<Job, "workflowId" | "mode">,
  reason = "no reason was given",
): ErrorAnswer {
  const message = `The run was rejected: ${reason}. Nothing was run.`;
  return {
    status: "error",
    workflowId,
    traceId: workflowId,
    mode,
    durationMs: 0,
    error: { code: "PML_REJECTED", message, details: { reason } },
  };
}

interface Open {
  /** `tool` where what is asked for is not the tool itself, but something about calls of it. */
  open: { id: string; reason: string; tool?: string }[];
  flows?: readonly TaintFlow[];
  layerResults?: LayerResult[] | undefined;
}

const MOST_FLOWS = 50;

export function buildRequest(
  { newId, now, approvalTtlMs, redactCall }: Powers,
  { analysis }: Job,
  { open, flows = [], layerResults }: Open,
): ApprovalRequest {
  const expiresAt = Number.isFinite(approvalTtlMs) ? new Date(now().getTime() + approvalTtlMs) : undefined;
  return {
    id: newId(),
    tools: open.map(({ id, reason, tool = id }) => ({
      id,
      reason,
      arguments: listArguments(analysis.structure.nodes, tool, redactCall),
    })),
    ...(flows.length > 0 && { flows: flows.slice(0, MOST_FLOWS) }),
    ...(layerResults !== undefined && { layerResults }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

/** For each call of the tool, what is known of its input before anything ran. */
function listArguments(
  nodes: readonly StructureNode[],
  tool: string,
  redactCall: RedactCall,
): Record<string, unknown>[] {
  return nodes.flatMap((node) => {
    if (node.type !== "task" || node.tool !== tool) return [];
    const fields = Object.entries(node.arguments);
    const literals = fields.flatMap(([field, value]) =>
      value.type === "literal" ? [[field, value.value] as const] : [],
    );
    const clean = redactCall<Record<string, unknown>>(tool, "input", Object.fromEntries(literals));
    return [
      Object.fromEntries(fields.map(([field, value]) => [field, field in clean ? clean[field] : describe(value)])),
    ];
  });
}

function describe(value: { type: string; expression?: string; parameterName?: string }): unknown {
  return value.type === "parameter" ? { parameter: value.parameterName } : { from: value.expression };
}
