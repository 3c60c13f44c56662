import type { DagTask } from "@pml/analyzer";
import type { RunEvent } from "@pml/sandbox";

import { isReadOnly } from "../model/tool.js";
import { putWorkflow } from "../store/workflows.js";
import type { ExecuteAnswer, LayerResult, Suggestions } from "./answer.js";
import { askApproval } from "./approval.js";
import { type Closure, grantFor, listDenied } from "./closure.js";
import { finishRun } from "./finish.js";
import { failedAnswer, refusedAnswer, succeededAnswer } from "./job-answers.js";
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
import { listFlows, taintedAnswer } from "./taint/judge-flows.js";
import { ToolDoor } from "./tool-door.js";

const DAG_RETRIES = 2;

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
  const asked = await askApproval(powers, job, { closure, flows });
  if (asked.answer !== undefined) return asked.answer;
  const ready = { ...asked.job, warnings: [...job.warnings, ...closure.warnings] };
  return (await findCached(powers, ready, closure)) ?? (await perform(powers, ready, closure));
}

async function perform(powers: Powers, job: Job, closure: Closure): Promise<ExecuteAnswer> {
  const { metrics } = powers;
  const early = createEarlyCalls(powers, job, closure);
  const journal = new Journal(job.context, job.workflowId, powers.redactCall);
  const ran = await runWith(powers, job, { closure, journal, early }).finally(() => early?.close());
  if (ran.paused === true) {
    await journal.flush();
    return pauseForLayer(powers, job, ran.layerResults ?? []);
  }
  await journal.close();
  metrics.count("executions");
  metrics.count(ran.outcome.ok ? "successes" : "failures");
  metrics.count("toolCalls", ran.log.calls.filter(({ kind }) => kind === "tool").length);
  metrics.time("execution", ran.durationMs);
  const warnings = await learn(powers, job, { ran, closure });
  emitEnd(powers, job, ran);
  const finished = { ...job, warnings: [...job.warnings, ...warnings] };
  if (!ran.outcome.ok) return failedAnswer(powers, finished, { ran, failure: ran.outcome.failure });
  const { value } = ran.outcome;
  if (isCacheable(powers, job, closure) && powers.redact(value) === value) await keep(powers, job, value);
  const next = await lookAhead(powers, job, closure);
  return { ...succeededAnswer(finished, { ran, value }), ...(next !== undefined && { suggestions: next }) };
}

async function runWith(powers: Powers, job: Job, parts: Omit<Running, "emit">): Promise<Ran> {
  const { journal, early } = parts;
  await putWorkflow(job.context, { id: job.workflowId, status: "running", request: describeJob(job, powers) });
  if (job.resumed) await journal.load();
  emitStart(powers, job);
  const emit = (event: RunEvent): void => {
    early?.observe(event);
    job.workspace.hub.emit(redactEvent(powers, withTrueDuration(event, early)), job.options.onEvent);
  };
  const running = { ...parts, emit };
  const ran = await (job.dag === undefined ? runAsCode(powers, job, running) : runAsDag(powers, job, running));
  return early === undefined ? ran : { ...ran, log: { ...ran.log, calls: early.correct(ran.log.calls) } };
}

function withTrueDuration(event: RunEvent, early: EarlyCalls | undefined): RunEvent {
  if (event.type !== "tool_end") return event;
  return { ...event, durationMs: early?.findDuration(event.traceId) ?? event.durationMs };
}

/** What to suggest after a run is worth less than the run: if it fails, there is nothing to suggest. */
async function lookAhead({ box, warn }: Powers, job: Job, { tools }: Closure): Promise<Suggestions | undefined> {
  try {
    return await suggestNext(job, tools, box);
  } catch (error) {
    warn("There is nothing to suggest after a run.", { message: (error as Error).message });
    return undefined;
  }
}

async function keep({ caches }: Powers, job: Job, value: unknown): Promise<void> {
  const [vector] = caches.keepsIntents && job.intent !== undefined ? await job.context.vectors.embed([job.intent]) : [];
  await caches.put(job, value, vector);
}

/** Learning cannot spoil a run: what goes wrong in it is said beside the result. */
async function learn(powers: Powers, job: Job, done: { ran: Ran; closure: Closure }): Promise<string[]> {
  try {
    await powers.telemetry.within("pml.learn", {}, () => finishRun(powers, job, done));
    return [];
  } catch (error) {
    powers.warn("A run was not recorded.", {
      workflowId: job.workflowId,
      code: String((error as { code?: unknown }).code ?? (error as Error).name),
    });
    return [powers.redact(`The run was not recorded: ${(error as Error).message}`)];
  }
}

interface Running {
  closure: Closure;
  journal: Journal;
  /** Knows of calls that were begun ahead of time; absent where none ever is. */
  early: EarlyCalls | undefined;
  emit: (event: RunEvent) => void;
}

function runAsCode(powers: Powers, job: Job, { closure, journal, early, emit }: Running): Promise<Ran> {
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
      ...(job.options.signal !== undefined && { signal: job.options.signal }),
      replay: { clock: journal.listClock(), randomSeed: job.randomSeed },
    },
  );
}

function runAsDag(powers: Powers, job: Job, running: Running): Promise<Ran> {
  const signal = job.options.signal ?? new AbortController().signal;
  const door = new ToolDoor({
    box: powers.box,
    journal: running.journal,
    retries: DAG_RETRIES,
    around: traceCalls(powers),
    ...(running.early && { early: running.early }),
  });
  return runDag({
    dag: job.dag?.structure ?? { tasks: [] },
    nodes: job.dag?.nodes ?? {},
    inputs: job.inputs,
    traceId: powers.newId(),
    concurrency: powers.concurrency,
    now: () => performance.timeOrigin + performance.now(),
    onEvent: running.emit,
    redactCall: powers.redactCall,
    doTask: (task, input, site) => doTask(powers, job, { ...running, door, signal, task, input, site }),
    ...(job.options.perLayerValidation === true && {
      mayGoOn: (done: readonly LayerResult[]) => done.length <= job.layersSeen,
    }),
  });
}

interface TaskAtHand extends Running {
  door: ToolDoor;
  signal: AbortSignal;
  task: DagTask;
  input: unknown;
  site: { path: string; traceId: string | undefined };
}

/** A tool is called; an operation is computed in the sandbox; a capability runs there, with its tools. */
async function doTask(
  powers: Powers,
  job: Job,
  { task, input, site, door, signal, closure, emit }: TaskAtHand,
): Promise<unknown> {
  signal.throwIfAborted();
  if (task.type === "mcp_tool") return door.call(task.tool, input, { ...site, clock: [], signal });
  const isCapability = task.type === "capability";
  const code = isCapability
    ? `return capabilities[${JSON.stringify(task.tool)}](args);`
    : `return (${task.code ?? "undefined"});`;
  const permissions = isCapability
    ? grantFor(closure, {
        box: powers.box,
        permissions: job.options.permissions ?? powers.permissions,
        approved: job.approved,
      })
    : { allow: [] };
  const ran = await runCode(
    { sandbox: powers.sandbox, door, onEvent: isCapability ? emit : () => {} },
    {
      code: isCapability ? code : powers.analyses().analyse(code).instrumented.code,
      inputs: input as Record<string, unknown>,
      callees: isCapability ? closure.callees : [],
      permissions,
      limits: { ...powers.limits, ...job.options.limits },
      signal,
    },
  );
  if (ran.outcome.ok) return ran.outcome.value;
  throw Object.assign(new Error(ran.outcome.failure.message), ran.outcome.failure);
}

/** Asks whether to go on; what is done is in the journal, and is not done again. */
async function pauseForLayer(powers: Powers, job: Job, done: LayerResult[]): Promise<ExecuteAnswer> {
  const asked = await askApproval(powers, { ...job, layersSeen: done.length }, { layerResults: done });
  return asked.answer ?? runJob(powers, { ...asked.job, resumed: true });
}

async function findCached(powers: Powers, job: Job, closure: Closure): Promise<ExecuteAnswer | undefined> {
  if (job.resumed || !isCacheable(powers, job, closure)) return undefined;
  powers.metrics.count("cacheLookups");
  const hit = await powers.caches.find(job);
  if (hit === undefined) return undefined;
  powers.metrics.count("cacheHits");
  return succeededAnswer(job, { value: hit.result, cacheHit: hit.level });
}

/** Only what changed nothing, and could change nothing, may be answered from memory. */
function isCacheable({ box }: Powers, { options, dag }: Job, { tools, computed }: Closure): boolean {
  if (options.cache === false || options.perLayerValidation === true || computed.length > 0) return false;
  return tools.every((id) => isReadOnly(box.get(id))) && (tools.length > 0 || dag === undefined);
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
