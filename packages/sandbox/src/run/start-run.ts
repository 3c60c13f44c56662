import { performance } from "node:perf_hooks";

import { type Fault, SandboxError } from "../error.js";
import type { RunEvent } from "../events.js";
import { limitFault } from "../faults.js";
import type { Limits } from "../limits.js";
import type { Outcomes } from "../outcomes.js";
import type { Grant } from "../permissions.js";
import { observeClock, type Recording } from "../recording.js";
import type { Capability, Outcome, Powers, Program, Runner } from "../runner/runner.js";
import type { Tool } from "../tool.js";
import type { EncodedValue } from "../wire/encode-value.js";
import { createEventStream } from "./event-stream.js";
import type { Run, RunResult, RunSummary } from "./run.js";
import type { RunSignal } from "./signals.js";
import { ToolGate } from "./tool-gate.js";
import { Trace } from "./trace.js";

/** A run with every option decided. */
export interface RunPlan {
  code: string;
  tools: ReadonlyMap<string, Tool>;
  capabilities: Capability[];
  context: EncodedValue;
  grant: Grant;
  limits: Limits;
  recording: Recording;
  outcomes: Outcomes | undefined;
  traceId: string;
  /** Aborts on the caller's signal and when the sandbox closes. */
  signal: RunSignal;
  /** What an abort means at this moment. */
  describeAbort: () => Fault;
}

const OVER: Fault = { code: "SANDBOX_ABORTED", message: "The run ended before this did.", details: {} };
const CALLS_IN_DETAILS = 20;

export function startRun(plan: RunPlan, runner: Runner): Run {
  const stream = createEventStream<RunEvent>();
  const trace = new Trace({
    traceId: plan.traceId,
    now: () => performance.timeOrigin + performance.now(),
    emit: stream.put,
  });
  return { traceId: plan.traceId, events: stream, result: execute() };

  async function execute(): Promise<RunResult> {
    const startedAt = performance.now();
    const gate = new ToolGate({ ...plan, capabilityNames: plan.capabilities.map(({ name }) => name), trace });
    const lines = new LineCounter(plan.limits);
    const outcome = await runner.run(createProgram(plan), createPowers(gate, lines));
    plan.signal.release();
    const fault = outcome.ok ? undefined : describeFault(outcome.fault);
    gate.close();
    trace.close(fault ?? OVER);
    stream.end();
    const usage = { toolCalls: gate.calls, logLines: lines.counted, droppedEvents: outcome.droppedEvents };
    const summary = summarise(outcome, usage, performance.now() - startedAt);
    if (outcome.ok) return { ...summary, status: "success", value: outcome.value };
    return { ...summary, status: "error", error: createError(fault ?? outcome.fault, gate) };
  }

  function createPowers(gate: ToolGate, lines: LineCounter): Powers {
    return {
      signal: plan.signal.signal,
      call: (call) => gate.call(call),
      observe(observation) {
        const fault = lines.count(observation.event.type);
        if (fault === undefined) trace.observe(observation);
        return fault;
      },
    };
  }

  function describeFault(given: Fault): Fault {
    const fault = given.code === "SANDBOX_ABORTED" ? plan.describeAbort() : given;
    const waitingFor = trace.listOpenTools().slice(0, CALLS_IN_DETAILS);
    return waitingFor.length === 0 ? fault : { ...fault, details: { ...fault.details, waitingFor } };
  }

  function summarise(outcome: Outcome, usage: RunSummary["usage"], durationMs: number): RunSummary {
    const clock: Recording["clock"] = [];
    observeClock(clock, outcome.clock);
    const recording = { clock, randomSeed: plan.recording.randomSeed };
    return { traceId: plan.traceId, durationMs, usage, recording };
  }
}

function createError(fault: Fault, gate: ToolGate): SandboxError {
  const cause = gate.findCause(fault);
  return new SandboxError(fault, cause === undefined ? undefined : { cause });
}

function createProgram({ code, capabilities, context, limits, grant, recording, outcomes }: RunPlan): Program {
  const { clock, random } = grant;
  return { code, capabilities, context, limits, clock, random, recording, ...(outcomes && { outcomes }) };
}

/** The child counts lines too; this holds if it cannot be trusted any more. */
class LineCounter {
  counted = 0;
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  count(type: string): Fault | undefined {
    if (type !== "log" && type !== "progress" && type !== "capability_hint") return undefined;
    return ++this.counted <= this.#limits.maxLogLines ? undefined : limitFault("maxLogLines", this.#limits);
  }
}
