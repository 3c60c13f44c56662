import type { SuggestedDag } from "@pml/graph";

import type { DiscoveredCapability, DiscoveredTool } from "../discover/discover.js";
import type { TaintFlow } from "./taint/find-flows.js";

export type ExecuteMode = "suggestion" | "speculation" | "direct" | "named";

interface AnswerBase {
  workflowId: string;
  mode: ExecuteMode;
  /** What to do next, or instead. */
  suggestions?: Suggestions;
  /** Things that did not stop it: a name that has changed, learning that failed. */
  warnings?: string[];
}

interface RanBase extends AnswerBase {
  traceId: string;
  capabilityId?: string;
  capabilityName?: string;
  durationMs: number;
  /** Of a run as a DAG: its tasks, layer by layer. */
  layerResults?: LayerResult[];
}

export interface SuccessAnswer extends RanBase {
  status: "success";
  result: unknown;
  /** Which cache it came from, if it did. */
  cacheHit?: "exact" | "capability" | "intent";
}

export interface ErrorAnswer extends RanBase {
  status: "error";
  error: Failure;
  /** The most reliable first. */
  alternatives?: Alternative[];
}

/** A capability for the same request by other means. */
export interface Alternative {
  capabilityId: string;
  name?: string;
  intent: string;
  reliability: number;
}

export interface ApprovalAnswer extends AnswerBase {
  status: "approval_required";
  approval: ApprovalRequest;
}

export interface SuggestionsAnswer extends AnswerBase {
  status: "suggestions";
  suggestions: Suggestions;
  /** Why nothing ran: no capability was likely enough, or an input of the likeliest is missing. */
  reason: string;
  /** Where something could have run by itself: whether the likeliest capability is at least worth offering. */
  decision?: "suggest" | "abstain";
  /** Inputs that the likeliest capability needs and the context has not. */
  missing?: { capabilityId: string; parameters: string[] };
}

export type ExecuteAnswer = SuccessAnswer | ErrorAnswer | ApprovalAnswer | SuggestionsAnswer;

/** An error as data. Its code is one of `docs/errors.md`. */
export interface Failure {
  code: string;
  message: string;
  details: Record<string, unknown>;
}

/** What will be called, asked before it is. */
export interface ApprovalRequest {
  id: string;
  tools: { id: string; reason: string; arguments: Record<string, unknown>[] }[];
  /** How what untrusted tools gave may reach sensitive ones, where that is asked about. */
  flows?: TaintFlow[];
  /** Of a run that pauses between layers: what has been done so far. */
  layerResults?: LayerResult[];
  expiresAt?: Date;
}

export interface Suggestions {
  tools: DiscoveredTool[];
  capabilities: DiscoveredCapability[];
  /** A plan from the graph, where one can be made. */
  dag?: SuggestedDag;
}

export type TaskStatus = "success" | "error" | "skipped";

export interface TaskSummary {
  taskId: string;
  tool: string;
  status: TaskStatus;
  durationMs: number;
  /** The first 240 characters. */
  resultPreview?: string;
  /** Of the whole, in characters of JSON. */
  resultSize?: number;
  error?: Failure;
}

export interface LayerResult {
  layer: number;
  tasks: TaskSummary[];
}

const PREVIEW = 240;

/** What is shown of a result without fetching it. */
export function previewResult(result: unknown): Pick<TaskSummary, "resultPreview" | "resultSize"> {
  const text = typeof result === "string" ? result : (JSON.stringify(result) ?? "");
  return { resultPreview: text.slice(0, PREVIEW), resultSize: text.length };
}

export function describeFailure(error: unknown): Failure {
  const { code, message, details } = error as Partial<Failure>;
  if (typeof code === "string" && error instanceof Error)
    return { code, message: error.message, details: { ...details, ...describeCause(error) } };
  return { code: "PML_INTERNAL", message: message ?? String(error), details: {} };
}

/** Of this project: their details are JSON, and made to be shown. What a host's tool throws may hold anything. */
const OWN_CODE = /^(?:PML|MCP)_[A-Z_]+$/;

/** What a tool threw says more than that it failed. */
function describeCause({ cause }: Error): { cause?: unknown } {
  const { code, details } = (cause ?? {}) as { code?: unknown; details?: unknown };
  return typeof code === "string" && OWN_CODE.test(code) ? { cause: { code, details } } : {};
}
