import type { Analysis } from "@pml/analyzer";
import type { Limits, Recording } from "@pml/sandbox";

import { listTasks } from "../learn/run-log.js";
import { invalidInput } from "../model/error.js";
import { reviveValue } from "../model/kept-value.js";
import type { Scope } from "../model/scope.js";
import { checkSignature } from "../model/signature.js";
import { getCapability } from "../store/capabilities.js";
import { getTrace } from "../store/traces.js";
import { codeOf, defaultsOf } from "./analyses.js";
import type { Failure } from "./answer.js";
import { type Closure, closeOver } from "./closure.js";
import { fixAsThen } from "./fix-as-then.js";
import type { Powers } from "./job.js";
import { compareDecisions, createCompare, isWithheld, keepForTrace, listSharedDecisions } from "./replay-compare.js";
import type { Difference } from "./replay-difference.js";
import { type RecordedCall, ReplayTools } from "./replay-tools.js";
import { type Ran, runCode } from "./run-code.js";

export interface ReplayRequest {
  traceId: string;
  /** Other code, to see whether it does the same; the code of the trace's capability when not given. */
  code?: string;
  scope?: Partial<Scope>;
  limits?: Partial<Limits>;
  signal?: AbortSignal;
}

export interface ReplayReport {
  /** Everything could be compared, and everything is as it was. */
  same: boolean;
  differences: Difference[];
  result?: unknown;
  error?: Failure;
}

/** What a replay needs of a trace. */
interface Recorded {
  args: unknown;
  result: unknown;
  /** Of a run that failed: code and message. */
  error?: string | undefined;
  tasks: readonly RecordedCall[];
  decisions: readonly { nodeId: string; outcome: string }[];
  recording?: unknown;
}

export interface ReplayWork {
  analysis: Analysis;
  closure: Closure;
  recorded: Recorded;
  /** Stand in for arguments that the trace has not. */
  defaults: Record<string, unknown>;
  /** Decisions that mean the same in the trace and in the code. */
  isComparable: (nodeId: string) => boolean;
}

/** Runs code against a trace: tools, clock and random numbers answer as they did. */
export async function replay(powers: Powers, request: ReplayRequest): Promise<ReplayReport> {
  const place = await powers.open(request.scope);
  const trace = await getTrace(place.context, request.traceId);
  const capability =
    trace.capabilityId === undefined ? undefined : await getCapability(place.context, trace.capabilityId);
  if (capability === undefined && request.code === undefined)
    throw invalidInput("The trace is of no capability that was kept. Give the code that is to be replayed.");
  if (capability !== undefined) checkSignature(capability);
  const analyse = (code: string): Analysis => powers.analyses().analyse(code);
  const own = capability && analyse(codeOf(capability));
  const analysis = request.code === undefined ? (own as Analysis) : analyse(request.code);
  const shared = own && listSharedDecisions(analysis, own);
  const closure = await closeOver(analysis, {
    analyses: powers.analyses(),
    fix: (called) => fixAsThen(powers.naming, place.context, { resolutions: trace.resolutions, called }),
  });
  const defaults = capability === undefined ? {} : defaultsOf(capability);
  const work = { analysis, closure, defaults, recorded: trace, isComparable: (id: string) => shared?.has(id) === true };
  return replayRun(powers, work, request);
}

/** Runs understood code against what was recorded. */
export async function replayRun(
  powers: Powers,
  work: ReplayWork,
  options?: Pick<ReplayRequest, "limits" | "signal">,
): Promise<ReplayReport> {
  return (await replayAndWatch(powers, work, options)).report;
}

/** As `replayRun`, with the run itself: unlike the report, that has secrets in it. */
export async function replayAndWatch(
  powers: Powers,
  work: ReplayWork,
  { limits, signal }: Pick<ReplayRequest, "limits" | "signal"> = {},
): Promise<{ report: ReplayReport; ran: Ran }> {
  const { analysis, closure, recorded, defaults } = work;
  const differences: Difference[] = [];
  const onDifference = (difference: Difference): void => void differences.push(difference);
  const redacting = powers.remembering();
  const compare = createCompare(redacting, onDifference);
  if (isWithheld(recorded.args)) onDifference(INPUTS_WITHHELD);
  const door = new ReplayTools({
    calls: recorded.tasks.filter(({ tool }) => !tool.startsWith("cap:")),
    tools: [...powers.box.list().map(({ id }) => id), ...closure.tools],
    compare,
    keep: (args, tool) => keepForTrace(redacting, args, tool),
    onDifference,
  });
  const ran = await runCode(
    { sandbox: powers.sandbox, door, onEvent: () => {} },
    {
      code: analysis.instrumented.code,
      inputs: { ...defaults, ...(reviveValue(recorded.args) as object | undefined) },
      callees: closure.callees,
      permissions: { allow: ["*"] },
      limits: { ...powers.limits, ...limits },
      ...(signal !== undefined && { signal }),
      ...(isRecording(recorded.recording) && { replay: recorded.recording }),
    },
  );
  differences.push(...listMissing(door.listLeft(), recorded, ran), ...compareClock(recorded, ran));
  differences.push(...compareDecisions(recorded.decisions, ran.log.decisions, work.isComparable));
  compareOutcome(recorded, ran, { compare, onDifference });
  const outcome = ran.outcome.ok ? { result: ran.outcome.value } : { error: ran.outcome.failure };
  const clean = differences.map((each) => redacting.redact(each));
  return { report: { same: clean.length === 0, differences: clean, ...outcome }, ran };
}

const INPUTS_WITHHELD: Difference = {
  kind: "withheld",
  message: "The inputs of the run were not kept whole, so what follows from them cannot be compared.",
};

function listMissing(left: readonly RecordedCall[], { tasks }: Recorded, { log }: Ran): Difference[] {
  const made = new Set(listTasks(log).map(({ taskId, tool }) => `${taskId} ${tool}`));
  const capabilities = tasks.filter(({ tool, taskId }) => tool.startsWith("cap:") && !made.has(`${taskId} ${tool}`));
  return [...left, ...capabilities].map(({ taskId, tool, args }) => ({
    kind: "missing_call",
    message: `${tool} was called then, and not now.`,
    place: taskId,
    tool,
    expected: args,
  }));
}

/** A replay that reads the clock more often than the run did sees the real one. */
function compareClock({ recording }: Recorded, ran: Ran): Difference[] {
  const [then, now] = [countReadings(recording), countReadings(ran.recording)];
  if (now <= then) return [];
  const message = "The code read the clock more often than the trace knows, and so saw the time of the replay.";
  return [{ kind: "clock", message, expected: then, actual: now }];
}

function compareOutcome(
  recorded: Recorded,
  { outcome }: Ran,
  { compare, onDifference }: { compare: ReturnType<typeof createCompare>; onDifference: (each: Difference) => void },
): void {
  if (recorded.error === undefined && outcome.ok)
    return compare("The result", { kind: "result", expected: recorded.result, actual: outcome.value });
  const actual = outcome.ok ? undefined : `${outcome.failure.code}: ${outcome.failure.message}`;
  if (recorded.error !== undefined && actual !== undefined) {
    // As a DAG, a tool's failure is told by its own words alone.
    const words = recorded.error.slice(recorded.error.indexOf(": ") + 2);
    if (actual === recorded.error || actual.endsWith(words)) return undefined;
  }
  const message = actual === undefined ? "It failed then, and not now." : `It failed: ${actual}`;
  return onDifference({ kind: "error", message, expected: recorded.error, actual });
}

function countReadings(recording: unknown): number {
  return isRecording(recording) ? recording.clock.reduce((sum, [, times]) => sum + times, 0) : 0;
}

function isRecording(recording: unknown): recording is Recording {
  const { clock, randomSeed } = (recording ?? {}) as Partial<Recording>;
  return Array.isArray(clock) && typeof randomSeed === "string";
}
