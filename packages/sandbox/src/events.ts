import type { Fault } from "./error.js";

/** What every event says. Times are milliseconds since 1970, with fractions, and never go back within a run. */
interface EventBase {
  /** Of a call: its own. Of anything else: that of the run or capability call it happened in. */
  traceId: string;
  /** The run or capability call around `traceId`; the run itself has none. */
  parentTraceId?: string;
  ts: number;
  /** The node of the static structure, if the code was instrumented. */
  nodeId?: string;
  /** Which turn of each loop around it, outermost first. */
  iteration?: number[];
}

interface EndBase extends EventBase {
  durationMs: number;
  success: boolean;
  /** What it returned, if it succeeded. */
  result?: unknown;
  /** Why it did not. */
  error?: Fault;
}

/** `tool` is `server:name`, or `code:filter` and the like for a pure operation, which has no arguments or result. */
export interface ToolStartEvent extends EventBase {
  type: "tool_start";
  tool: string;
  args?: unknown;
}

export interface ToolEndEvent extends EndBase {
  type: "tool_end";
  tool: string;
}

export interface CapabilityStartEvent extends EventBase {
  type: "capability_start";
  capability: string;
  args: unknown;
}

export interface CapabilityEndEvent extends EndBase {
  type: "capability_end";
  capability: string;
}

export interface DecisionEvent extends EventBase {
  type: "decision";
  outcome: string;
}

export interface ProgressEvent extends EventBase {
  type: "progress";
  message: string;
  done?: number;
  total?: number;
  percent?: number;
}

export interface LogEvent extends EventBase {
  type: "log";
  level: string;
  message: string;
  data?: unknown;
}

export interface CapabilityHintEvent extends EventBase {
  type: "capability_hint";
  name: string;
  description: string;
  toolsUsed: string[];
}

export type RunEvent =
  | ToolStartEvent
  | ToolEndEvent
  | CapabilityStartEvent
  | CapabilityEndEvent
  | DecisionEvent
  | ProgressEvent
  | LogEvent
  | CapabilityHintEvent;
