import { randomUUID } from "node:crypto";

import type { Limits, Outcomes, Permissions, Recording, Run, RunEvent, RunRequest, Sandbox } from "@pml/sandbox";

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
  /** Of a DAG: of each task, under the id it has there. */
  taskResults?: { taskId: string; tool: string; result: unknown }[];
  /** Stopped between two layers of a DAG. */
  paused?: boolean;
  /** Refused for what it was given, before a line of it ran. */
  refused?: boolean;
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
  const run = start(sandbox, {
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
  if ("outcome" in run) return run;
  const log = createRunLog(run.traceId);
  for await (const event of run.events) {
    log.observe(event);
    onEvent(event);
  }
  const result = await run.result;
  return {
    traceId: run.traceId,
    outcome:
      result.status === "success"
        ? { ok: true, value: result.value }
        : { ok: false, failure: describeFailure(result.error) },
    log: log.read(),
    durationMs: result.durationMs,
    recording: result.recording,
  };
}

/** A context that is too large, or that is not data, is an answer like any other. */
function start(sandbox: Sandbox, request: RunRequest): Run | Ran {
  try {
    return sandbox.run(request);
  } catch (error) {
    const traceId = randomUUID();
    const outcome = { ok: false as const, failure: describeFailure(error) };
    return { traceId, outcome, log: createRunLog(traceId).read(), durationMs: 0, refused: true };
  }
}
