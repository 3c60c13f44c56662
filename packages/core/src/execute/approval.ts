import { keepValue } from "../model/kept-value.js";
import { putApproval, putWorkflow } from "../store/workflows.js";
import type { ApprovalAnswer, ApprovalRequest, ErrorAnswer, LayerResult } from "./answer.js";
import type { Job, Powers } from "./job.js";
import { listKnownCalls } from "./known-arguments.js";
import { describeJob } from "./stored-job.js";
import type { TaintFlow } from "./taint/find-flows.js";

/** Something that a person has to allow. */
export interface Question {
  id: string;
  reason: string;
  /** Where what is asked for is not the tool itself, but something about calls of it. */
  tool?: string;
}

export interface Asking {
  /** What is still to be asked for, once these are allowed. */
  listOpen: (approved: ReadonlySet<string>) => Question[];
  /** Ways of what strangers wrote to what they must not steer. */
  flows?: readonly TaintFlow[];
  /** Between layers: what has been done so far. Then whether to go on is asked in any case. */
  layerResults?: LayerResult[];
}

/** Either the job may go on, with what was approved, or there is an answer to give instead. */
type Asked = { job: Job; answer?: undefined } | { job: Job; answer: ApprovalAnswer | ErrorAnswer };

/** Asks for what a run needs asking for, before it starts; or, given layers, whether it may go on after them. */
export async function askApproval(powers: Powers, job: Job, asking: Asking): Promise<Asked> {
  const open = asking.listOpen(job.approved);
  if (open.length === 0 && asking.layerResults === undefined) return { job };
  if (powers.onApproval !== undefined) return answerInline(powers, job, asking);
  const request = buildRequest(powers, job, { ...asking, open });
  await keepWaiting(powers, job, request);
  return {
    job,
    answer: { status: "approval_required", workflowId: job.workflowId, mode: job.mode, approval: request },
  };
}

/** What waits for an answer, on disk: it may come after a restart. */
async function keepWaiting(powers: Powers, job: Job, request: ApprovalRequest): Promise<void> {
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

/** Where only some are allowed, the rest is asked for again: a run that lacks one would stop in the middle. */
async function answerInline(powers: Powers, job: Job, asking: Asking): Promise<Asked> {
  const { listOpen, layerResults } = asking;
  const approved = new Set(job.approved);
  for (let asked = false; ; asked = true) {
    const open = listOpen(approved);
    if (open.length === 0 && (asked || layerResults === undefined)) return { job: { ...job, approved } };
    powers.metrics.count("approvalsAsked");
    const request = buildRequest(powers, job, { ...asking, open });
    const given = await powers.onApproval?.(request);
    const tools = given?.tools ?? request.tools.map(({ id }) => id);
    const allowsNone = open.length > 0 && !open.some(({ id }) => tools.includes(id));
    if (given?.approved !== true || allowsNone)
      return { job, answer: rejectedAnswer(job, { reason: given?.reason, layerResults }) };
    powers.metrics.count("approvalsGiven");
    for (const id of tools) approved.add(id);
  }
}

export function rejectedAnswer(
  { workflowId, mode }: Pick<Job, "workflowId" | "mode">,
  {
    reason = "no reason was given",
    layerResults,
    hasBegun = layerResults !== undefined,
  }: { reason?: string | undefined; layerResults?: readonly LayerResult[] | undefined; hasBegun?: boolean },
): ErrorAnswer {
  const said = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  const state = hasBegun ? "What it had done before stands." : "Nothing was run.";
  return {
    status: "error",
    workflowId,
    traceId: workflowId,
    mode,
    durationMs: 0,
    error: { code: "PML_REJECTED", message: `The run was rejected: ${said} ${state}`, details: { reason } },
    ...(layerResults !== undefined && { layerResults: [...layerResults] }),
  };
}

interface Open extends Omit<Asking, "listOpen"> {
  open: readonly Question[];
}

const MOST_FLOWS = 50;

function buildRequest(
  { newId, now, approvalTtlMs, redact, redactCall }: Powers,
  { analysis, inputs, closure }: Job,
  { open, flows = [], layerResults }: Open,
): ApprovalRequest {
  const expiresAt = Number.isFinite(approvalTtlMs) ? new Date(now().getTime() + approvalTtlMs) : undefined;
  const listCalls = (tool: string): Record<string, unknown>[] =>
    listKnownCalls({ nodes: analysis.structure.nodes, inputs }, closure.callees, tool).map((call) =>
      shorten(redact(redactCall(tool, "input", call))),
    );
  return {
    id: newId(),
    tools: open.map(({ id, reason, tool = id }) => ({
      id,
      reason,
      arguments: listCalls(tool),
    })),
    ...(flows.length > 0 && { flows: flows.slice(0, MOST_FLOWS) }),
    ...(layerResults !== undefined && { layerResults }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

/** Of one field. What is larger nobody reads, and the question is kept. */
const MOST_BYTES = 16_000;

function shorten(call: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(call).map(([field, value]) => [field, keepValue(value, MOST_BYTES)]));
}
