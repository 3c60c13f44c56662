import type { Capabilities } from "../capabilities.js";
import type { SandboxError } from "../error.js";
import type { RunEvent } from "../events.js";
import type { Limits } from "../limits.js";
import type { Outcomes } from "../outcomes.js";
import type { Permissions } from "../permissions.js";
import type { Recording } from "../recording.js";
import type { Tool } from "../tool.js";

/** What to run, and with what. */
export interface RunRequest {
  /** JavaScript: the body of an async function, so `await` and `return` stand at the top. */
  code: string;
  tools?: readonly Tool[];
  capabilities?: Capabilities;
  /** The code's `args` and `context`; its keys are free identifiers as well. */
  context?: Record<string, unknown>;
  /** Instead of those of the sandbox. */
  permissions?: Permissions;
  /** Over those of the sandbox. */
  limits?: Partial<Limits>;
  signal?: AbortSignal;
  /** The recording of an earlier run, whose clock and random numbers this one sees again. */
  replay?: Recording;
  /** Which way decisions of instrumented code go, whatever it would choose itself. For trying every branch. */
  outcomes?: Outcomes;
}

/** A run under way. */
export interface Run {
  traceId: string;
  /** As they happen, for one reader. Ends with the run. */
  events: AsyncIterable<RunEvent>;
  /** Never rejects: a run that failed is a result with `status: "error"`. */
  result: Promise<RunResult>;
}

export interface RunSummary {
  traceId: string;
  durationMs: number;
  usage: {
    toolCalls: number;
    /** Lines of log, progress and hints. */
    logLines: number;
    /** Decisions, operations and capabilities beyond `maxTraceEvents`. */
    droppedEvents: number;
  };
  recording: Recording;
}

export type RunResult =
  | (RunSummary & { status: "success"; value: unknown })
  | (RunSummary & { status: "error"; error: SandboxError });
