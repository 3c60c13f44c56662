import type { Trace } from "@pml/core";

import type { RunView, TaskView } from "../memory-view.js";
import { isRecord, type Stored } from "./record.js";
import { showValue, shorten } from "./shorten.js";

const MOST_TASKS = 200;
const RUN_VALUE = 2000;
const TASK_VALUE = 600;
const ERROR = 600;
const GIVEN = 90;

/** A run to read. Without values, what went in and came out is left out, as is what errors say of it. */
export function viewRun(trace: Trace, { values, defaults }: { values: boolean; defaults: Stored }): RunView {
  const { tasks } = trace;
  const show = (value: unknown): string | undefined => (values ? showValue(value, RUN_VALUE) : undefined);
  const first = Math.min(...tasks.map(({ startedAtMs }) => startedAtMs).filter(Number.isFinite));
  const [args, result] = [show(trace.args), show(trace.result)];
  const given = values ? describeGiven(trace.args, defaults) : "";
  return {
    id: trace.id,
    ...(trace.intent !== undefined && { intent: trace.intent }),
    success: trace.success,
    ...(trace.error !== undefined && values && { error: shorten(trace.error, ERROR) }),
    startedAtMs: trace.startedAt.getTime(),
    durationMs: trace.durationMs,
    ...(trace.mode !== undefined && { mode: trace.mode }),
    ...(trace.match !== undefined && { match: trace.match }),
    ...(trace.feedback !== undefined && { feedback: trace.feedback }),
    ...(given !== "" && { given }),
    ...(args !== undefined && { args }),
    ...(result !== undefined && { result }),
    decisions: trace.decisions,
    tasks: tasks.slice(0, MOST_TASKS).map((task) => viewTask(task, { first, values })),
    moreTasks: Math.max(0, tasks.length - MOST_TASKS),
  };
}

function describeGiven(args: unknown, defaults: Stored): string {
  if (!isRecord(args)) return "";
  const told = Object.entries(args).map(([name, value]) => [name, showValue(value, GIVEN) ?? ""] as const);
  const own = told.filter(
    ([name, text]) => text !== showValue(Object.hasOwn(defaults, name) ? defaults[name] : undefined, GIVEN),
  );
  return shorten(own.map(([name, text]) => `${name}: ${text.replace(/\s+/g, " ")}`).join(", "), GIVEN);
}

/** The clock of the tasks is that of the sandbox: what counts is how far they are from the first. */
function viewTask(task: Trace["tasks"][number], { first, values }: { first: number; values: boolean }): TaskView {
  const { taskId, parentId, nodeId, tool, success, error, startedAtMs, durationMs } = task;
  const show = (value: unknown): string | undefined => (values ? showValue(value, TASK_VALUE) : undefined);
  const [args, result] = [show(task.args), show(task.result)];
  return {
    id: taskId,
    ...(parentId !== undefined && { parentId }),
    ...(nodeId !== undefined && { nodeId }),
    tool,
    success,
    ...(error !== undefined && values && { error: shorten(error, ERROR) }),
    startMs: Number.isFinite(startedAtMs) ? startedAtMs - first : 0,
    durationMs,
    ...(args !== undefined && { args }),
    ...(result !== undefined && { result }),
  };
}
