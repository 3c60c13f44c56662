import type { Capability, NewCapability } from "../model/capability.js";
import type { CapabilityDependency, EdgeType, NewDependency, ToolDependency } from "../model/dependency.js";
import { resolveScope, type Scope } from "../model/scope.js";
import type { NewTool, StoredTool } from "../model/tool.js";
import type { LearnedThing, RunRecord, StoredPastIntent, Trace } from "../model/trace.js";
import {
  type CapabilityBundle,
  type ConflictRule,
  exportCapabilities,
  importCapabilities,
  type ImportResult,
} from "./bundle.js";
import * as capabilities from "./capabilities.js";
import { followOwn, type StoreChange } from "./changes.js";
import type { StoreContext } from "./context.js";
import type { Database } from "./database/database.js";
import * as dependencies from "./dependencies.js";
import { type CapabilityExample, listExamples } from "./known-code.js";
import { findLearnedState, type LearnedStateKind, putLearnedState } from "./learned-state.js";
import { openContext, readVectors, type StoreOptions } from "./open-context.js";
import * as origins from "./origins.js";
import { listPastIntents } from "./past-intents.js";
import { removeCapability } from "./remove-capability.js";
import { retain, type Retention } from "./retention.js";
import { recordRun } from "./runs.js";
import * as search from "./search.js";
import { summarise, type StoreSummary } from "./summary.js";
import { findTaskResult } from "./task-results.js";
import * as toolEdges from "./tool-edges.js";
import * as tools from "./tools.js";
import * as traces from "./traces.js";
import { backup, copyDatabase, restore, type RestoreOptions } from "./transfer.js";

/** Everything PML knows, in one database. A scope sees what is its own and what was shared with it. */
export class CapabilityStore implements AsyncDisposable {
  readonly #context: StoreContext;
  readonly #unfollow: () => Promise<void>;

  private constructor(context: StoreContext, unfollow: () => Promise<void>) {
    this.#context = context;
    this.#unfollow = unfollow;
  }

  static async open(options: StoreOptions): Promise<CapabilityStore> {
    const { context, unfollow } = await openContext(options);
    return new CapabilityStore(context, unfollow);
  }

  /** @internal What the rest of this package builds on. */
  get context(): StoreContext {
    return this.#context;
  }

  /** The same store for another scope; closing it closes both. */
  withScope(scope: Partial<Scope>): CapabilityStore {
    return new CapabilityStore({ ...this.#context, scope: resolveScope(scope, this.#context.scope) }, this.#unfollow);
  }

  /** Stores a capability as a draft. The same code again gives the one that is there. */
  put(capability: NewCapability): Promise<capabilities.PutResult> {
    return capabilities.putCapability(this.#context, capability);
  }

  /** By hand: active at once. */
  create(capability: NewCapability): Promise<capabilities.PutResult> {
    return capabilities.putCapability(this.#context, capability, "active");
  }

  get(id: string): Promise<Capability> {
    return capabilities.getCapability(this.#context, id);
  }

  find(id: string): Promise<Capability | undefined> {
    return capabilities.findCapability(this.#context, id);
  }

  findByHash(hash: string): Promise<Capability | undefined> {
    return capabilities.findByHash(this.#context, hash);
  }

  /** Literals of code that joined the capability, newest first. */
  async listExamples(id: string): Promise<CapabilityExample[]> {
    return listExamples(this.#context, (await this.get(id)).id);
  }

  list(options?: capabilities.ListOptions): Promise<Capability[]> {
    return capabilities.listCapabilities(this.#context, options);
  }

  /** How many `list` would give without a limit. */
  count(options?: capabilities.ListOptions): Promise<number> {
    return capabilities.countCapabilities(this.#context, options);
  }

  listNamed(options?: Omit<capabilities.ListOptions, "namedOnly">): Promise<Capability[]> {
    return capabilities.listCapabilities(this.#context, { ...options, namedOnly: true });
  }

  remove(id: string): Promise<void> {
    return removeCapability(this.#context, id);
  }

  searchByIntent(intent: string, options?: search.SearchOptions): Promise<search.CapabilityMatch[]> {
    return search.searchByIntent(this.#context, intent, options);
  }

  searchByIntentWithDeps(
    intent: string,
    options?: search.SearchOptions,
  ): Promise<search.CapabilityMatchWithDependencies[]> {
    return search.searchByIntentWithDeps(this.#context, intent, options);
  }

  /** Adding it again is one more observation. */
  addDependency(dependency: NewDependency): Promise<CapabilityDependency> {
    return dependencies.addDependency(this.#context, dependency);
  }

  /** As `addDependency`, but one that is there already is a conflict. */
  createDependency(dependency: NewDependency): Promise<CapabilityDependency> {
    return dependencies.addDependency(this.#context, dependency, "refuse");
  }

  updateDependency(edge: { from: string; to: string; type?: EdgeType }, incrementBy?: number): Promise<void> {
    return dependencies.updateDependency(this.#context, edge, incrementBy);
  }

  removeDependency(edge: { from: string; to: string; type?: EdgeType }): Promise<void> {
    return dependencies.removeDependency(this.#context, edge);
  }

  getDependencies(id: string, direction?: dependencies.Direction): Promise<CapabilityDependency[]> {
    return dependencies.getDependencies(this.#context, id, direction);
  }

  getDependenciesCount(id: string): Promise<number> {
    return dependencies.getDependenciesCount(this.#context, id);
  }

  /** By id; those that have none are left out. */
  listDependencyCounts(ids: readonly string[]): Promise<Map<string, number>> {
    return dependencies.listDependencyCounts(this.#context, ids);
  }

  /** Active capabilities for the same request with other tools, surest first. */
  listAlternatives(id: string): Promise<Capability[]> {
    return dependencies.listAlternatives(this.#context, id);
  }

  getAllDependencies(minConfidence?: number): Promise<CapabilityDependency[]> {
    return dependencies.getAllDependencies(this.#context, minConfidence);
  }

  /** One run, whole or not at all. Once this resolves it is on disk. */
  recordRun(run: RunRecord): Promise<{ traceId: string }> {
    return recordRun(this.#context, run);
  }

  getTrace(id: string): Promise<Trace> {
    return traces.getTrace(this.#context, id);
  }

  listTraces(query?: traces.TraceQuery): Promise<Trace[]> {
    return traces.listTraces(this.#context, query);
  }

  findTaskResult(workflowId: string, taskId: string): Promise<{ result: unknown } | undefined> {
    return findTaskResult(this.#context, workflowId, taskId);
  }

  /** Intents that were served, the latest first, with their vectors. */
  listPastIntents(limit?: number): Promise<StoredPastIntent[]> {
    return listPastIntents(this.#context, limit);
  }

  /** The traces that something learned rests on. */
  listOrigins(learned: LearnedThing): Promise<string[]> {
    return origins.listOrigins(this.#context, learned);
  }

  listLearnedFrom(traceId: string): Promise<LearnedThing[]> {
    return origins.listLearnedFrom(this.#context, traceId);
  }

  putLearnedState(name: { kind: LearnedStateKind; key: string }, state: unknown): Promise<void> {
    return putLearnedState(this.#context, name, state);
  }

  /** Undefined when nothing is known yet. */
  findLearnedState(name: { kind: LearnedStateKind; key: string }): Promise<unknown> {
    return findLearnedState(this.#context, name);
  }

  listToolDependencies(minConfidence?: number): Promise<ToolDependency[]> {
    return toolEdges.listToolDependencies(this.#context, minConfidence);
  }

  listToolUsage(): Promise<toolEdges.ToolUsage[]> {
    return toolEdges.listToolUsage(this.#context);
  }

  /** Counts a call that is no task of a run. */
  observeToolUse(use: toolEdges.ToolUse): Promise<void> {
    return toolEdges.observeToolUse(this.#context, use);
  }

  putTools(given: readonly NewTool[]): Promise<StoredTool[]> {
    return tools.putTools(this.#context, given);
  }

  listTools(): Promise<StoredTool[]> {
    return tools.listTools(this.#context);
  }

  setToolAvailable(id: string, available: boolean): Promise<void> {
    return tools.setToolAvailable(this.#context, id, available);
  }

  export(ids?: readonly string[]): Promise<CapabilityBundle> {
    return exportCapabilities(this.#context, ids);
  }

  import(bundle: unknown, onConflict?: ConflictRule): Promise<ImportResult> {
    return importCapabilities(this.#context, bundle, onConflict);
  }

  /** How much there is of each. */
  getSummary(): Promise<StoreSummary> {
    return summarise(this.#context);
  }

  /** Removes old traces and expired results; what was learned from them stays. */
  retain(retention?: Retention): Promise<{ traces: number; taskResults: number }> {
    return retain(this.#context, retention);
  }

  backup(file: string): Promise<void> {
    return backup(this.#context.database, file);
  }

  /** Into a store that holds nothing yet; with `replaceTools`, nothing but tools. */
  async restore(file: string, options?: RestoreOptions): Promise<void> {
    await restore(this.#context.database, file, options);
    await readVectors(this.#context);
  }

  /** Everything, into an empty database: a PostgreSQL server, say. */
  copyTo(database: Database): Promise<void> {
    return copyDatabase(this.#context.database, database);
  }

  /** Calls back for every change in the scope's project, be it of this process or another. */
  onChange(listener: (change: StoreChange, own: boolean) => void): Promise<() => Promise<void>> {
    return followOwn(this.#context, listener);
  }

  async close(): Promise<void> {
    await this.#unfollow();
    await this.#context.database.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
