import { maskValues } from "../discover/mask-values.js";
import { spanFacts } from "../learn/knowledge.js";
import { learnFromRun } from "../learn/lesson.js";
import { redactNames } from "../learn/result-types.js";
import { listTasks } from "../learn/run-log.js";
import { listSourceFacts } from "../learn/sources/source-facts.js";
import type { Capability } from "../model/capability.js";
import { keepValue } from "../model/kept-value.js";
import { isReadOnly } from "../model/tool.js";
import type { RunRecord, TraceWork } from "../model/trace.js";
import { findCapability } from "../store/capabilities.js";
import { recordRun } from "../store/runs.js";
import type { Closure } from "./closure.js";
import { curateWhenDue } from "./curate-when-due.js";
import type { Job, Powers } from "./job.js";
import { describeCalleeCode, describeJobCode } from "./prefetch/ran-code.js";
import { describeCode, findHint } from "./read-code.js";
import type { Ran } from "./run-code.js";
import { stepBack } from "./step-back.js";

/** Kept of one argument or result in a trace. The whole is in `getTaskResult` until that expires. */
export const TRACE_BYTES = 64_000;
const TASK_RESULT_BYTES = 8_000_000;
const CLEAR_CACHE_AFTER = 3;

/** What says nothing of the capability: nobody let it run, or it was called wrongly. */
const NOT_COUNTED = new Set(["SANDBOX_ABORTED", "SANDBOX_CLOSED", "PML_INVALID_ARGUMENTS", "PML_REJECTED"]);

/** Writes down what a run did and what it teaches, all or nothing, then tells the graph. Gives the name it gave, if any. */
export async function finishRun(
  powers: Powers,
  job: Job,
  { ran, closure }: { ran: Ran; closure: Closure },
): Promise<string | undefined> {
  const { workspace, context, capability, options } = job;
  const learns = options.learn !== false && capability !== undefined;
  const lesson = learnFromRun({
    traceId: ran.traceId,
    capabilityId: capability?.id,
    log: ran.log,
    ...describeCode(powers, job, { calls: ran.log.calls, callees: closure.callees }),
    capabilityIds: new Map(closure.callees.map(({ name, capability: callee }) => [name, callee.id])),
  });
  const sources = learns ? learnSources(powers, job, { ran, closure }) : [];
  const record = buildRecord(powers, job, { ran, closure });
  const wasActive = capability?.status === "active";
  await recordRun(
    context,
    learns ? { ...record, ...learned(powers, job, { ran, lesson }), sources } : { ...record, counts: false },
  );
  if (!learns) return undefined;
  reportDrift(job, ran);
  workspace.knowledge.graph.observe([...lesson.facts, ...sources]);
  if (!ran.outcome.ok) {
    await clearAfterFailures(powers, job);
    if (record.counts === true) await stepBack(powers, job, capability.id);
    return;
  }
  const name = await nameIt(powers, job, ran);
  if (wasActive) return name;
  workspace.knowledge.graph.observe(spanFacts(capability.id, capability.toolsUsed));
  powers.metrics.count("promotions");
  powers.info("A capability was learned.", { capabilityId: capability.id, traceId: ran.traceId });
  workspace.hub.emit({
    type: "capability_learned",
    capabilityId: capability.id,
    intent: capability.intent,
    ts: Date.now(),
  });
  return name;
}

/** For the log: messages say what was done on what. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name);
}

function buildRecord(
  { redact, redactSaid, redactCall, taskResultTtlMs }: Powers,
  job: Job,
  { ran, closure }: { ran: Ran; closure: Closure },
): RunRecord {
  const keep = (value: unknown): unknown => keepValue(redact(value), TRACE_BYTES);
  const keepCall = (...call: Parameters<typeof redactCall>): unknown => keepValue(redactCall(...call), TRACE_BYTES);
  const tasks = listTasks(ran.log);
  const { outcome } = ran;
  return {
    trace: {
      id: ran.traceId,
      ...(job.capability !== undefined && { capabilityId: job.capability.id }),
      workflowId: job.workflowId,
      mode: job.mode,
      ...(job.match !== undefined && { match: job.match }),
      ...(job.intent !== undefined && { intent: redactSaid(job.intent) }),
      success: outcome.ok,
      allCallsSucceeded: outcome.ok && tasks.every(({ success }) => success),
      ...(!outcome.ok && { error: redact(`${outcome.failure.code}: ${outcome.failure.message}`).replaceAll("\0", "") }),
      args: keep({ ...listLiterals(job), ...job.inputs }),
      ...(outcome.ok && { result: keep(outcome.value) }),
      executedPath: [...ran.log.executedPath],
      decisions: [...redactSaid(ran.log.decisions)],
      tasks: tasks.map((task) => ({
        ...task,
        args: keepCall(task.tool, "input", task.args),
        result: keepCall(task.tool, "output", task.result),
        ...shorten(redact(task.error)),
      })),
      ...(job.work !== undefined && { work: describeWork(job.work, redactSaid(job.name ?? findHint(job, ran.log))) }),
      recording: ran.recording,
      resolutions: closure.resolutions,
      startedAt: new Date(Date.now() - ran.durationMs),
      durationMs: ran.durationMs,
    },
    counts: outcome.ok || !(ran.refused === true || isNotCounted(outcome.failure)),
    taskResults: keepTaskResults({ redactCall }, [
      ...tasks.filter(({ success }) => success),
      ...(ran.taskResults ?? []),
    ]),
    taskResultTtlMs,
    endsWorkflow: true,
  };
}

function describeWork(work: TraceWork, name: string | undefined): TraceWork {
  return { ...work, ...(name !== undefined && { name }) };
}

/** In full, as `getTaskResult` gives them. */
export function keepTaskResults(
  { redactCall }: Pick<Powers, "redactCall">,
  tasks: readonly { taskId: string; tool: string; result?: unknown }[],
): { taskId: string; result: unknown }[] {
  return tasks.map(({ taskId, tool, result }) => ({
    taskId,
    result: keepValue(redactCall(tool, "output", result), TASK_RESULT_BYTES),
  }));
}

/** Code may join a capability that has other defaults; its own literals are what it ran with. */
function listLiterals({ mode, capability, analysis }: Job): Readonly<Record<string, unknown>> {
  return mode === "direct" && capability?.source.type === "code" ? analysis.parameterised.defaults : {};
}

function learned(
  { redact, redactSaid }: Powers,
  job: Job,
  { ran, lesson }: { ran: Ran; lesson: ReturnType<typeof learnFromRun> },
): Pick<RunRecord, "toolDependencies" | "capabilityDependencies" | "path" | "shapes" | "taken" | "pastIntent"> {
  const { nodes, decisions } = { nodes: ran.log.executedPath, decisions: redactSaid(ran.log.decisions) };
  // What chose itself is no witness to what was asked: a wrong choice would make the next one likelier.
  const serves = ran.outcome.ok && job.intent !== undefined && job.mode !== "speculation";
  return {
    toolDependencies: lesson.toolDependencies,
    capabilityDependencies: lesson.capabilityDependencies,
    path: lesson.path,
    shapes: lesson.shapes.map(({ tool, type }) => ({ tool, type: redactNames(type, { redact, redactSaid }) })),
    taken: { nodes, decisions, success: ran.outcome.ok, durationMs: ran.durationMs },
    ...(serves && { pastIntent: { intent: redactSaid(describeIntent(job)), toolIds: job.analysis.permissions.tools } }),
  };
}

/** Of tools that only read: those are the ones that may be called before they are asked for. */
function learnSources(
  powers: Powers,
  job: Job,
  { ran, closure }: { ran: Ran; closure: Closure },
): ReturnType<typeof listSourceFacts> {
  const callees = new Map(closure.callees.map((callee) => [callee.name, callee]));
  return listSourceFacts({
    traceId: ran.traceId,
    log: ran.log,
    findCode(parent) {
      if (parent === undefined) return describeJobCode(powers, job);
      const callee = callees.get(parent.name);
      return callee && describeCalleeCode(powers, callee, parent.args);
    },
    matters: (tool) => isReadOnly(powers.box.find(tool) ?? {}),
  });
}

/** Results seen before their type is trusted enough to be surprised by another. */
const TYPED_AFTER = 3;

/** A tool that begins to answer otherwise has changed, whatever its schema says. */
function reportDrift({ workspace, options }: Job, { log }: Ran): void {
  const { graph } = workspace.knowledge;
  for (const { kind, name: tool, success, result } of log.calls) {
    if (kind !== "tool" || !success || !graph.hasNode(tool) || graph.getNode(tool).successes < TYPED_AFTER) continue;
    const drift = graph.types.listDrift(tool, result);
    if (drift.length > 0) workspace.hub.emit({ type: "drift", tool, drift, ts: Date.now() }, options.onEvent);
  }
}

/** By the name that was asked for, or that the code itself proposed. A name that cannot be given is no failure of the run. */
async function nameIt(powers: Powers, job: Job, { log }: Ran): Promise<string | undefined> {
  const { naming, warn, redactSaid } = powers;
  const { context, capability, name } = job;
  const wanted = redactSaid(name ?? (capability?.name === undefined ? findHint(job, log) : undefined));
  let given: string | undefined;
  try {
    if (capability !== undefined && wanted !== undefined && capability.name !== wanted) {
      await naming.assign(context, capability.id, wanted);
      given = wanted;
    }
  } catch (error) {
    warn("A capability was not named.", { capabilityId: capability?.id, code: codeOf(error) });
  }
  // Only what is new can have made it due.
  if (capability?.status !== "active") curateWhenDue(powers, job);
  return given;
}

/** Without the values that were asked about, be they given or written into the code: the next request has others. */
function describeIntent({ intent = "", inputs, analysis }: Job): string {
  const { properties = {} } = analysis.parameters as { properties?: Record<string, { default?: unknown }> };
  const literals = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schema.default]));
  return maskValues(intent, { ...literals, ...inputs }).text;
}

/** The cause counts too: what a tool refused as input came out through the code. */
function isNotCounted({ code, details }: { code: string; details: Record<string, unknown> }): boolean {
  const cause = (details["cause"] as { code?: string } | undefined)?.code;
  return NOT_COUNTED.has(code) || (cause !== undefined && NOT_COUNTED.has(cause));
}

/** Counted anew: other runs of it may have failed meanwhile. */
async function clearAfterFailures({ caches }: Powers, { context, capability }: Job): Promise<undefined> {
  const now = capability && (await findCapability(context, capability.id));
  if (capability === undefined || now === undefined || countRounds(now) <= countRounds(capability)) return undefined;
  await caches.invalidate(context, { trigger: "failures", capabilityId: capability.id });
  return undefined;
}

function countRounds({ statistics }: Capability): number {
  return Math.floor(statistics.failureCount / CLEAR_CACHE_AFTER);
}

function shorten(error: string | undefined): { error?: string } {
  return error === undefined ? {} : { error: error.slice(0, 2000).replaceAll("\0", "") };
}
