import type { DagDecision, DAGStructure, DagTask, Guard } from "@pml/analyzer";
import type { Fault, RunEvent } from "@pml/sandbox";
import pLimit from "p-limit";

import { createRunLog } from "../learn/run-log.js";
import { describeFailure, type Failure, type LayerResult, previewResult, type TaskSummary } from "./answer.js";
import { listLayers } from "./dag-layers.js";
import { resolveValue } from "./dag-values.js";
import type { Ran } from "./run-code.js";
import type { RedactCall } from "./run-redaction.js";

/** Does one task, given its input; `path` is its place in the run, `traceId` what its events call it. */
type DoTask = (task: DagTask, input: unknown, site: { path: string; traceId: string | undefined }) => Promise<unknown>;

export interface DagRun {
  dag: DAGStructure;
  inputs: Record<string, unknown>;
  traceId: string;
  /** The node of the static structure that a task comes from; the task itself if there is none. */
  nodes: Readonly<Record<string, string>>;
  doTask: DoTask;
  /** Tasks of one layer under way at the same time. */
  concurrency: number;
  now: () => number;
  onEvent: (event: RunEvent) => void;
  redactCall: RedactCall;
  /** Once it aborts, nothing more is begun, and no task is safe to fail. */
  signal: AbortSignal;
  /** After each layer: what it did is to be kept. */
  checkpoint: () => Promise<void>;
  /** Asked after each layer but the last; false stops there. */
  mayGoOn?: (done: readonly LayerResult[]) => boolean;
}

/** Runs a DAG layer by layer, what stands in one layer at the same time. */
export async function runDag(run: DagRun): Promise<Ran> {
  const state = new DagState(run);
  const startedAt = run.now();
  const layers = listLayers(run.dag);
  let paused = false;
  for (const [index, layer] of layers.entries()) {
    await state.runLayer(index, layer);
    await run.checkpoint();
    if (state.failure !== undefined) break;
    paused = index < layers.length - 1 && run.mayGoOn?.(state.layerResults) === false;
    if (paused) break;
  }
  return {
    traceId: run.traceId,
    outcome: state.finish(),
    log: state.log.read(),
    durationMs: run.now() - startedAt,
    layerResults: state.layerResults,
    taskResults: state.listResults(),
    paused,
  };
}

class DagState {
  readonly layerResults: LayerResult[] = [];
  readonly log: ReturnType<typeof createRunLog>;
  failure: Failure | undefined;
  readonly #run: DagRun;
  readonly #results = new Map<string, unknown>();
  readonly #outcomes = new Map<string, string>();
  readonly #failed = new Set<string>();
  #calls = 0;

  constructor(run: DagRun) {
    this.#run = run;
    this.log = createRunLog(run.traceId);
  }

  async runLayer(index: number, layer: readonly DagTask[]): Promise<void> {
    const limit = pLimit(this.#run.concurrency);
    const tasks = await Promise.all(layer.map((task) => limit(() => this.#runTask(task))));
    this.layerResults.push({ layer: index, tasks });
  }

  finish(): Ran["outcome"] {
    if (this.failure !== undefined) return { ok: false, failure: this.failure };
    const chosen = (this.#run.dag.returns ?? []).find(({ when }) => this.#holds(when));
    try {
      return { ok: true, value: chosen?.value === undefined ? undefined : this.#resolve(chosen.value) };
    } catch (error) {
      return { ok: false, failure: describeFailure(error) };
    }
  }

  /** What each task gave, all its turns together. */
  listResults(): { taskId: string; tool: string; result: unknown }[] {
    return this.#run.dag.tasks
      .filter(({ id, metadata }) => this.#results.has(id) && metadata.decision === undefined)
      .map(({ id, tool }) => ({ taskId: id, tool, result: this.#results.get(id) }));
  }

  async #runTask(task: DagTask): Promise<TaskSummary> {
    const { id, tool } = task;
    const needsFailed = task.dependsOn.some((each) => this.#failed.has(each));
    if (needsFailed) this.#failed.add(id);
    if (needsFailed || !this.#holds(task.when)) return { taskId: id, tool, status: "skipped", durationMs: 0 };
    const startedAt = this.#run.now();
    try {
      const result = task.forEach === undefined ? await this.#once(task, []) : await this.#forEach(task);
      this.#results.set(id, result);
      this.#decide(task, result);
      const preview = previewResult(this.#run.redactCall(tool, "output", result));
      return { taskId: id, tool, status: "success", durationMs: this.#run.now() - startedAt, ...preview };
    } catch (error) {
      const failure = this.#run.redactCall(tool, "output", describeFailure(error));
      this.#failed.add(id);
      if (task.metadata.safeToFail !== true || this.#run.signal.aborted)
        this.failure ??= { ...failure, details: { ...failure.details, task: id } };
      return { taskId: id, tool, status: "error", durationMs: this.#run.now() - startedAt, error: failure };
    }
  }

  async #forEach(task: DagTask): Promise<unknown[]> {
    const items = this.#resolve(task.forEach?.items ?? []);
    if (!Array.isArray(items)) throw new TypeError(`What ${task.id} is to be done for each of is not a list.`);
    if (task.forEach?.sequential !== true) {
      const limit = pLimit(this.#run.concurrency);
      return Promise.all(items.map((item, at) => limit(() => this.#once(task, [at], item))));
    }
    const results: unknown[] = [];
    for (const [at, item] of items.entries()) results.push(await this.#once(task, [at], item));
    return results;
  }

  async #once(task: DagTask, iteration: number[], item?: unknown): Promise<unknown> {
    const results = iteration.length === 0 ? this.#results : new Map(this.#results).set(task.id, item);
    this.#run.signal.throwIfAborted();
    const input = resolveValue(task.arguments, { results, inputs: this.#run.inputs });
    const turn = iteration.length === 0 ? "" : `[${iteration.join(".")}]`;
    const call = this.#start(task, iteration, input);
    try {
      const result = await this.#run.doTask(task, input, { path: `/${task.id}${turn}`, traceId: call?.traceId });
      this.#end(call, { success: true, result });
      return result;
    } catch (error) {
      // Codes of this package stand here too; the events of the sandbox know only their own.
      this.#end(call, { success: false, error: describeFailure(error) as Fault });
      throw error;
    }
  }

  #start(task: DagTask, iteration: number[], args: unknown): Extract<RunEvent, { type: "tool_start" }> | undefined {
    if (task.type === "capability" || task.metadata.decision !== undefined) return undefined;
    const { traceId, nodes, now } = this.#run;
    const event = {
      type: "tool_start" as const,
      traceId: `${traceId}.${++this.#calls}`,
      parentTraceId: traceId,
      ts: now(),
      tool: task.tool,
      ...(task.type === "mcp_tool" && { args }),
      nodeId: nodes[task.id] ?? task.id,
      ...(iteration.length > 0 && { iteration }),
    };
    this.#emit(event);
    return event;
  }

  #end(
    start: Extract<RunEvent, { type: "tool_start" }> | undefined,
    outcome: { success: true; result: unknown } | { success: false; error: Fault },
  ): void {
    if (start === undefined) return;
    const { args: _, type: __, ts: ___, ...place } = start;
    const ts = this.#run.now();
    this.#emit({ ...place, type: "tool_end", ts, durationMs: ts - start.ts, ...outcome });
  }

  /** Events of capabilities come from their own runs, through here as well. */
  #emit(event: RunEvent): void {
    this.log.observe(event);
    this.#run.onEvent(event);
  }

  #decide({ id, metadata: { decision } }: DagTask, value: unknown): void {
    if (decision === undefined) return;
    const outcome = outcomeOf(decision, value);
    this.#outcomes.set(id, outcome);
    const { traceId, nodes, now } = this.#run;
    this.#emit({ type: "decision", traceId, ts: now(), nodeId: nodes[id] ?? id, outcome });
  }

  #holds(when: Guard | undefined): boolean {
    return when === undefined || this.#outcomes.get(when.decision) === when.outcome;
  }

  #resolve(value: Parameters<typeof resolveValue>[0]): unknown {
    return resolveValue(value, { results: this.#results, inputs: this.#run.inputs });
  }
}

function outcomeOf({ kind, outcomes, cases = [] }: DagDecision, value: unknown): string {
  if (kind === "truthy") return value ? "true" : "false";
  const labels = outcomes.filter((label) => label !== "default");
  return labels[cases.findIndex((each) => each === value)] ?? "default";
}
