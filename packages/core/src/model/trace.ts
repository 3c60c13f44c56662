import type { ArgumentSource } from "@pml/graph";

import type { CapabilitySource } from "./capability.js";
import type { NewDependency, NewToolDependency } from "./dependency.js";
import type { TakenWay } from "./learning.js";

/** One call of a run, as the trace keeps it. */
export interface TraceTask {
  taskId: string;
  /** The call of a capability that it was made in. */
  parentId?: string;
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
  /** What the run did not have to wait, as the call had been begun before it was asked for. */
  savedMs?: number;
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

/** What was given to be run, where that is what a capability is learned from. */
export interface TraceWork {
  /** That of the code with its literals: it may have joined a capability of another. */
  hash: string;
  source: CapabilitySource;
  description?: string;
  /** What the run was to call it. */
  name?: string;
}

/** Whether a run was what was wanted. */
export interface TraceFeedback {
  ok: boolean;
  /** What would have been right, in words or as code. */
  correction?: string;
  by: string;
  /** When it was said. */
  at?: string;
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
  /** Absent where a capability ran that was there. */
  work: TraceWork | undefined;
  recording: unknown;
  /** What each name of a capability in the code stood for in this run. */
  resolutions: TraceResolution[];
  /** How it came to run: `direct`, `named`, `speculation`. */
  mode: string | undefined;
  /** The probability that it was what was meant, where that decided that it ran. */
  match: number | undefined;
  /** What was said of it afterwards; the first word stands. */
  feedback: TraceFeedback | undefined;
  startedAt: Date;
  durationMs: number;
  createdBy: string;
}

export type NewTrace = Pick<Trace, "success" | "startedAt" | "durationMs"> &
  Partial<Omit<Trace, "createdBy" | "feedback" | "success" | "startedAt" | "durationMs">>;

/** Something that was learned: the table or kind it is of, and its key there. */
export interface LearnedThing {
  kind: string;
  key: string;
}

/** An intent that was served, by which tools and perhaps which capability. */
export interface StoredPastIntent {
  id: string;
  intent: string;
  capabilityId: string | undefined;
  toolIds: string[];
  uses: number;
  lastUsedAt: Date;
  /** Of the store's embedder. */
  vector: Float32Array;
}

/** What one run leaves behind. It is stored whole or not at all. */
export interface RunRecord {
  trace: NewTrace;
  /** False for aborts, refused approvals and invalid arguments, which say nothing of the capability. */
  counts?: boolean;
  toolDependencies?: readonly NewToolDependency[];
  capabilityDependencies?: readonly NewDependency[];
  /** The steps of the run itself, as nodes of the graph. */
  path?: readonly string[];
  /** What its tools returned, as types. */
  shapes?: readonly { tool: string; type: unknown }[];
  /** Where its calls had their inputs from. */
  sources?: readonly { subject: string; source?: ArgumentSource }[];
  /** The way it took through the capability's structure. */
  taken?: TakenWay;
  /** The workflow of the trace has ended with it. */
  endsWorkflow?: boolean;
  /** The intent is remembered as served by these tools, and by the trace's capability if it has one. */
  pastIntent?: { intent: string; toolIds: readonly string[] };
  /** What else was learned from it: kept as resting on its trace, as edges and the past intent are. */
  learned?: readonly LearnedThing[];
  /** Full results, for `getTaskResult`, until they expire. */
  taskResults?: readonly { taskId: string; result: unknown }[];
  taskResultTtlMs?: number;
}
