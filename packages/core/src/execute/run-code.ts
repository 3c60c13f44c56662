import type { Limits, Outcomes, Permissions, Recording, RunEvent, Sandbox } from "@pml/sandbox";

import { createRunLog, type RunLog } from "../learn/run-log.js";
import { describeFailure, type Failure, type LayerResult } from "./answer.js";
import type { Callee } from "./closure.js";
import type { ToolDoor } from "./tool-door.js";

/** How a run went, whichever way it was run. */
export interface Ran {
  traceId: string;
  outcome: { ok: true; value: unknown } | { ok: false; failure: Failure };
  log: RunLog;
  durationMs: number;
  recording?: Recording;
  layerResults?: LayerResult[];
  /** Stopped between two layers of a DAG. */
  paused?: boolean;
}

export interface CodeRun {
  code: string;
  inputs: Record<string, unknown>;
  callees: readonly Callee[];
  permissions: Permissions;
  limits?: Partial<Limits>;
  signal?: AbortSignal;
  replay?: Recording;
  outcomes?: Outcomes;
}

/** What a run calls its tools through: the real ones, or what stands in for them. */
export type Door = Pick<ToolDoor, "listForSandbox">;

/** Runs instrumented code in the sandbox, and gathers what it did. */
export async function runCode(
  { sandbox, door, onEvent }: { sandbox: Sandbox; door: Door; onEvent: (event: RunEvent) => void },
  { code, inputs, callees, permissions, limits, signal, replay, outcomes }: CodeRun,
): Promise<Ran> {
  const run = sandbox.run({
    code,
    tools: door.listForSandbox(),
    capabilities: callees.map(({ name, code: inner, defaults }) => ({ name, code: inner, defaults })),
    context: inputs,
    permissions,
    ...(limits !== undefined && { limits }),
    ...(signal !== undefined && { signal }),
    ...(replay !== undefined && { replay }),
    ...(outcomes !== undefined && { outcomes }),
  });
  const log = createRunLog(run.traceId);
  for await (const event of run.events) {
    log.observe(event);
    onEvent(event);
  }
  const result = await run.result;
  return {
    traceId: run.traceId,
    outcome:
      result.status === "success" ? { ok: true, value: result.value } : { ok: false, failure: explain(result.error) },
    log: log.read(),
    durationMs: result.durationMs,
    recording: result.recording,
  };
}

/** What a tool threw says more than that it failed. */
function explain(error: Error & { cause?: unknown }): Failure {
  const failure = describeFailure(error);
  const cause = error.cause as { code?: unknown; details?: unknown } | undefined;
  if (typeof cause?.code !== "string" || !cause.code.startsWith("PML_")) return failure;
  return { ...failure, details: { ...failure.details, cause: { code: cause.code, details: cause.details } } };
}
