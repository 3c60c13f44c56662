import type { DagTask } from "@pml/analyzer";
import { resolveLimits, type RunEvent } from "@pml/sandbox";

import { writeTaskResults } from "../store/task-results.js";
import { putWorkflow } from "../store/workflows.js";
import type { ExecuteAnswer, LayerResult, Suggestions } from "./answer.js";
import { askApproval, type Question } from "./approval.js";
import { findCached, keepResult } from "./cached-run.js";
import { type Closure, grantFor, listDenied, listToAsk } from "./closure.js";
import { DagGuard } from "./dag-guard.js";
import { finishRun, keepTaskResults } from "./finish.js";
import { cutOffAnswer, failedAnswer, refusedAnswer, succeededAnswer } from "./job-answers.js";
import type { Job, Powers } from "./job.js";
import { Journal } from "./journal.js";
import { createEarlyCalls } from "./prefetch/create-early-calls.js";
import type { EarlyCalls } from "./prefetch/early-calls.js";
import { type Ran, runCode } from "./run-code.js";
import { runDag } from "./run-dag.js";
import { redactEvent, redactRun } from "./run-redaction.js";
import { traceCalls, traceRun } from "./spans.js";
import { describeJob } from "./stored-job.js";
import { suggestNext } from "./suggestions.js";
import { listFlows, listQuestions, taintedAnswer } from "./taint/judge-flows.js";
import { ToolDoor } from "./tool-door.js";

const DAG_RETRIES = 2;
/** The last steps of a run, from which the next one is foreseen. */
const MOST_USED = 20;

/** Runs a job to its end: permissions, approval, cache, run, learning. */
export function runJob(given: Powers, job: Job): Promise<ExecuteAnswer> {
  return traceRun(redactRun(given, job), job, (powers) => runTraced(powers, job));
}

async function runTraced(powers: Powers, job: Job): Promise<ExecuteAnswer> {
  const { closure } = job;
  const permissions = job.options.permissions ?? powers.permissions;
  const denied = listDenied(closure, powers.box, permissions);
  if (denied.length > 0) return refusedAnswer(job, denied, permissions);
  const flows = listFlows(powers, job);
  if (flows.length > 0 && powers.taint.policy === "refuse") return taintedAnswer(job, flows);
  const listOpen = (approved: ReadonlySet<string>): Question[] =>
    [...listToAsk(closure, powers.box), ...listQuestions(flows)].filter(({ id }) => !approved.has(id));
  const asked = await askApproval(powers, job, { listOpen, flows });
  if (asked.answer !== undefined) return asked.answer;
  const ready = { ...asked.job, warnings: [...job.warnings, ...closure.warnings] };
  return (await findCached(powers, ready)) ?? (await perform(powers, ready, closure));
}

async function perform(powers: Powers, job: Job, closure: Closure): Promise<ExecuteAnswer> {
  const early = createEarlyCalls(powers, job, closure);
  const journal = new Journal(job.context, job.workflowId, powers.redactCall);
  const ran = await runWith(powers, job, { closure, journal, early }).finally(() => early?.close());
  if (ran.paused === true) {
    await journal.flush();
    return pauseForLayer(powers, job, { ran, closure });
  }
  if (!ran.outcome.ok && powers.underWay.closing.aborted) {
    await journal.checkpoint();
    return cutOffAnswer(job, ran);
  }
  await journal.close();
  return conclude(powers, job, { ran, closure });
}

async function runWith(powers: Powers, job: Job, parts: Omit<Running, "emit" | "signal">): Promise<Ran> {
  const { journal, early } = parts;
  await putWorkflow(job.context, { id: job.workflowId, status: "running", request: describeJob(job, powers) });
  if (job.resumed) await journal.load();
  emitStart(powers, job);
  const emit = (event: RunEvent): void => {
    early?.observe(event);
    job.workspace.hub.emit(redactEvent(powers, withTrueDuration(event, early)), job.options.onEvent);
  };
  const run = job.dag === undefined ? runAsCode : runAsDag;
  const ran = await powers.underWay.untilClosed(job.options.signal, (signal) =>
    run(powers, job, { ...parts, emit, signal }),
  );
  return early === undefined ? ran : { ...ran, log: { ...ran.log, calls: early.correct(ran.log.calls) } };
}

function withTrueDuration(event: RunEvent, early: EarlyCalls | undefined): RunEvent {
  if (event.type !== "tool_end") return event;
  return { ...event, durationMs: early?.findDuration(event.traceId) ?? event.durationMs };
}

/** Counts, learns, and answers. */
async function conclude(
  powers: Powers,
  job: Job,
  { ran, closure }: { ran: Ran; closure: Closure },
): Promise<ExecuteAnswer> {
  const { metrics } = powers;
  metrics.count("executions");
  metrics.count(ran.outcome.ok ? "successes" : "failures");
  metrics.count("toolCalls", ran.log.calls.filter(({ kind }) => kind === "tool").length);
  metrics.time("execution", ran.durationMs);
  const learned = await learn(powers, job, { ran, closure });
  emitEnd(powers, job, ran);
  const finished = withLearned(job, learned);
  if (!ran.outcome.ok) return failedAnswer(powers, finished, { ran, failure: ran.outcome.failure });
  const { value } = ran.outcome;
  await keepResult(powers, job, { ran, value });
  const next = await lookAhead(powers, job, ran);
  return { ...succeededAnswer(finished, { ran, value }), ...(next !== undefined && { suggestions: next }) };
}

/** What to suggest after a run is worth less than the run: if it fails, there is nothing to suggest. */
async function lookAhead({ box, warn }: Powers, job: Job, { log }: Ran): Promise<Suggestions | undefined> {
  const called = log.calls.filter(({ kind }) => kind === "tool").map(({ name }) => name);
  // What a loop calls again and again is one step.
  const used = called.filter((name, at) => name !== called[at - 1]).slice(-MOST_USED);
  try {
    return await suggestNext(job, { used, intent: job.intent }, box);
  } catch (error) {
    warn("There is nothing to suggest after a run.", { message: (error as Error).message });
    return undefined;
  }
}

interface Learned {
  /** That the capability was given now. */
  name: string | undefined;
  warnings: readonly string[];
}

function withLearned(job: Job, { name, warnings }: Learned): Job {
  const { capability } = job;
  return {
    ...job,
    warnings: [...job.warnings, ...warnings],
    ...(capability !== undefined && name !== undefined && { capability: { ...capability, name } }),
  };
}

/** Learning cannot spoil a run: what goes wrong in it is said beside the result. */
async function learn(powers: Powers, job: Job, done: { ran: Ran; closure: Closure }): Promise<Learned> {
  try {
    const name = await powers.telemetry.within("pml.learn", {}, () => finishRun(powers, job, done));
    return { name, warnings: [] };
  } catch (error) {
    powers.warn("A run was not recorded.", {
      workflowId: job.workflowId,
      code: String((error as { code?: unknown }).code ?? (error as Error).name),
    });
    const warning = powers.redact(`The run was not recorded: ${(error as Error).message}`);
    return { name: undefined, warnings: [warning] };
  }
}

interface Running {
  closure: Closure;
  journal: Journal;
  /** Knows of calls that were begun ahead of time; absent where none ever is. */
  early: EarlyCalls | undefined;
  emit: (event: RunEvent) => void;
  signal: AbortSignal;
}

function runAsCode(powers: Powers, job: Job, { closure, journal, early, emit, signal }: Running): Promise<Ran> {
  const { box, sandbox, permissions } = powers;
  const door = new ToolDoor({ box, journal, around: traceCalls(powers), ...(early && { early }) });
  return runCode(
    { sandbox, door, onEvent: emit },
    {
      code: job.analysis.instrumented.code,
      inputs: job.inputs,
      callees: closure.callees,
      permissions: grantFor(closure, {
        box,
        permissions: job.options.permissions ?? permissions,
        approved: job.approved,
      }),
      limits: { ...powers.limits, ...job.options.limits },
      signal,
      replay: { clock: journal.listClock(), randomSeed: job.randomSeed },
    },
  );
}

async function runAsDag(powers: Powers, job: Job, running: Running): Promise<Ran> {
  const { box, sandbox } = powers;
  const guard = new DagGuard(resolveLimits(sandbox.limits, powers.limits, job.options.limits), running.signal);
  const door = new ToolDoor({
    box,
    journal: running.journal,
    retries: DAG_RETRIES,
    around: traceCalls(powers),
    ...(running.early && { early: running.early }),
  });
  const ran = await runDag({
    dag: job.dag?.structure ?? { tasks: [] },
    nodes: job.dag?.nodes ?? {},
    inputs: job.inputs,
    traceId: powers.newId(),
    concurrency: powers.concurrency,
    now: () => performance.timeOrigin + performance.now(),
    onEvent: running.emit,
    redactCall: powers.redactCall,
    signal: guard.signal,
    checkpoint: () => running.journal.checkpoint(),
    doTask: (task, input, site) => doTask(powers, job, { ...running, door, guard, task, input, site }),
    ...(job.options.perLayerValidation === true && {
      mayGoOn: (done: readonly LayerResult[]) => done.length <= job.layersSeen,
    }),
  });
  guard.close();
  return ran;
}

interface TaskAtHand extends Omit<Running, "signal"> {
  door: ToolDoor;
  guard: DagGuard;
  task: DagTask;
  input: unknown;
  site: { path: string; traceId: string | undefined };
}

/** A tool is called; an operation is computed in the sandbox; a capability runs there, with its tools. */
async function doTask(
  powers: Powers,
  job: Job,
  { task, input, site, door, guard, closure, emit }: TaskAtHand,
): Promise<unknown> {
  const { signal } = guard;
  signal.throwIfAborted();
  if (task.type === "mcp_tool")
    return guard.call(task.tool, input, (copy) => door.call(task.tool, copy, { ...site, clock: [], signal }));
  const isCapability = task.type === "capability";
  const code = isCapability
    ? `return capabilities[${JSON.stringify(task.tool)}](args);`
    : `return (${task.code ?? "undefined"});`;
  const { box } = powers;
  const given = job.options.permissions ?? powers.permissions;
  const granted = grantFor(closure, { box, permissions: given, approved: job.approved });
  const ran = await runCode(
    { sandbox: powers.sandbox, door, onEvent: isCapability ? emit : () => {} },
    {
      code: isCapability ? code : powers.analyses().analyse(code).instrumented.code,
      inputs: input as Record<string, unknown>,
      callees: isCapability ? closure.callees : [],
      permissions: isCapability ? granted : { ...granted, allow: [] },
      limits: { ...powers.limits, ...job.options.limits },
      signal,
    },
  );
  if (ran.outcome.ok) return ran.outcome.value;
  signal.throwIfAborted();
  throw Object.assign(new Error(ran.outcome.failure.message), ran.outcome.failure);
}

/** Asks whether to go on; what is done is in the journal, and is not done again. */
async function pauseForLayer(
  powers: Powers,
  job: Job,
  { ran, closure }: { ran: Ran; closure: Closure },
): Promise<ExecuteAnswer> {
  const { layerResults = [], taskResults = [] } = ran;
  await writeTaskResults(job.context.database, job.context, {
    trace: { workflowId: job.workflowId, success: true, startedAt: powers.now(), durationMs: ran.durationMs },
    taskResults: keepTaskResults(powers, taskResults),
    taskResultTtlMs: powers.taskResultTtlMs,
  });
  const asked = await askApproval(powers, job, { listOpen: () => [], layerResults });
  if (asked.answer === undefined)
    return runJob(powers, { ...asked.job, layersSeen: layerResults.length, resumed: true });
  if (asked.answer.status === "approval_required") return asked.answer;
  // Nobody will come back to it, and what it has done has happened.
  return conclude(powers, job, { ran: { ...ran, outcome: { ok: false, failure: asked.answer.error } }, closure });
}

function emitStart({ now, redact }: Powers, { workspace, workflowId, intent, capability, options }: Job): void {
  workspace.hub.emit(
    {
      type: "run_start",
      workflowId,
      traceId: workflowId,
      ts: now().getTime(),
      ...(intent !== undefined && { intent: redact(intent) }),
      ...(capability !== undefined && { capabilityId: capability.id }),
    },
    options.onEvent,
  );
}

function emitEnd({ now }: Powers, { workspace, workflowId, options }: Job, ran: Ran): void {
  const { traceId, durationMs, outcome } = ran;
  workspace.hub.emit(
    { type: "run_end", workflowId, traceId, ts: now().getTime(), success: outcome.ok, durationMs },
    options.onEvent,
  );
}
