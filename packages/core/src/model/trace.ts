import type { NewDependency, NewToolDependency } from "./dependency.js";

/** One call of a run, as the trace keeps it. */
export interface TraceTask {
  taskId: string;
  /** Of the static structure, with the turn of its loops. */
  nodeId?: string;
  iteration?: readonly number[];
  tool: string;
  args?: unknown;
  result?: unknown;
  success: boolean;
  error?: string;
  startedAtMs: number;
  durationMs: number;
}

/** A name as code called it, and the one version it led to. */
export interface TraceResolution {
  called: string;
  name: string;
  /** Absent for a capability that has no name yet. */
  fqdn?: string;
  version?: number;
  capabilityId: string;
  signature: string;
  via: "name" | "alias" | "fqdn" | "unnamed" | "id";
}

/** One execution: what was asked, the path taken, what each step gave. */
export interface Trace {
  id: string;
  capabilityId: string | undefined;
  parentTraceId: string | undefined;
  workflowId: string | undefined;
  intent: string | undefined;
  success: boolean;
  /** Which of its calls failed does not matter for this: a run may succeed although a call of it did not. */
  allCallsSucceeded: boolean;
  error: string | undefined;
  args: unknown;
  result: unknown;
  executedPath: string[];
  decisions: { nodeId: string; outcome: string }[];
  tasks: TraceTask[];
  recording: unknown;
  /** What each name of a capability in the code stood for in this run. */
  resolutions: TraceResolution[];
  startedAt: Date;
  durationMs: number;
  createdBy: string;
}

export type NewTrace = Pick<Trace, "success" | "startedAt" | "durationMs"> &
  Partial<Omit<Trace, "createdBy" | "success" | "startedAt" | "durationMs">>;

/** What one run leaves behind. It is stored whole or not at all. */
export interface RunRecord {
  trace: NewTrace;
  /** False for aborts, refused approvals and invalid arguments, which say nothing of the capability. */
  counts?: boolean;
  toolDependencies?: readonly NewToolDependency[];
  capabilityDependencies?: readonly NewDependency[];
  /** Full results, for `getTaskResult`, until they expire. */
  taskResults?: readonly { taskId: string; result: unknown }[];
  taskResultTtlMs?: number;
}
