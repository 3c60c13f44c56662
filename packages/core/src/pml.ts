import type { Embedder } from "@pml/embeddings";
import type { GraphRAGEngine } from "@pml/graph";
import { createSandbox, type Sandbox } from "@pml/sandbox";

import { type DiscoverRequest, type DiscoverResult, discover } from "./discover/discover.js";
import type { ApprovalAnswer, ErrorAnswer, ExecuteAnswer, SuccessAnswer, SuggestionsAnswer } from "./execute/answer.js";
import { type CacheControl, createCacheControl } from "./execute/cache-control.js";
import { type ApproveOptions, Continuations, type ResumeOptions } from "./execute/continuations.js";
import { createPowers } from "./execute/create-powers.js";
import { describeMemory, type Description, type DescribeRequest } from "./execute/describe/describe.js";
import { dryRun, type DryRunReport, type DryRunRequest } from "./execute/dry-run.js";
import type { EventListener } from "./execute/events.js";
import { Executor } from "./execute/executor.js";
import { type Feedback, type FeedbackResult, giveFeedback } from "./execute/feedback.js";
import { forget, type ForgetRequest } from "./execute/forget.js";
import type { Place, Powers } from "./execute/job.js";
import { keepHolding } from "./execute/keep-holding.js";
import { type ManageCapabilities, manageCapabilities } from "./execute/manage-capabilities.js";
import { evaluate } from "./execute/meter/evaluate.js";
import type { EvaluateRequest, Evaluation } from "./execute/meter/evaluation.js";
import type { MetricsSnapshot } from "./execute/metrics.js";
import type { PmlOptions } from "./execute/pml-options.js";
import { replay, type ReplayReport, type ReplayRequest } from "./execute/replay.js";
import {
  checkPowers,
  type DagRequest,
  type DirectRequest,
  type ExecuteRequest,
  type NamedRequest,
  type SpeculateRequest,
  type SuggestRequest,
} from "./execute/request.js";
import { restoreMemory } from "./execute/restore-memory.js";
import { hasMatch } from "./execute/suggestions.js";
import { type TaskResultPage, type TaskResultRequest, getTaskResult } from "./execute/task-result.js";
import { openTelemetry } from "./execute/telemetry.js";
import { ToolBox } from "./execute/tool-box.js";
import { followToolChanges } from "./execute/tool-changes.js";
import { createTools, type Tools } from "./execute/tools.js";
import { Waiting } from "./execute/waiting.js";
import type { Workspace } from "./execute/workspace.js";
import { Workspaces } from "./execute/workspaces.js";
import { PmlError } from "./model/error.js";
import type { Scope } from "./model/scope.js";
import { createNameCalls, type Curate, type NameCalls } from "./names/name-calls.js";
import { createNamesPowers } from "./names/names-powers.js";
import { createNames, type Names } from "./names/names.js";
import { createNaming } from "./names/naming.js";
import type { NamesPowers } from "./names/powers.js";
import { CapabilityStore } from "./store/capability-store.js";
import { follow } from "./store/changes.js";
import type { Forgotten } from "./store/forget/forget-trace.js";
import type { Workflow } from "./store/workflows.js";

/** A memory of how to do things, and the two calls into it. */
export interface Pml extends NameCalls, AsyncDisposable {
  /** Tools and capabilities for an intent, the likeliest first. */
  discover(request: DiscoverRequest & { scope?: Partial<Scope> }): Promise<DiscoverResult>;
  /** Runs code, a DAG or a capability; finds what to run when there is only a context; suggests when there is neither. */
  execute(request: NamedRequest | DirectRequest | DagRequest): Promise<SuccessAnswer | ErrorAnswer | ApprovalAnswer>;
  execute(request: SpeculateRequest): Promise<ExecuteAnswer>;
  execute(request: SuggestRequest): Promise<SuggestionsAnswer>;
  execute(request: ExecuteRequest): Promise<ExecuteAnswer>;
  approve(id: string, options?: ApproveOptions): Promise<ExecuteAnswer>;
  reject(id: string, options?: { reason?: string; scope?: Partial<Scope> }): Promise<ErrorAnswer>;
  resume(workflowId: string, options?: ResumeOptions): Promise<ExecuteAnswer>;
  listUnfinished(scope?: Partial<Scope>): Promise<Workflow[]>;
  getTaskResult(request: TaskResultRequest): Promise<TaskResultPage>;
  /** Tries every branch of code, a DAG or a capability with mocks. No tool is called, and nothing is learned. */
  dryRun(request: DryRunRequest): Promise<DryRunReport>;
  /** Runs code against a trace, tools, clock and random numbers answering as they did, and compares. */
  replay(request: ReplayRequest): Promise<ReplayReport>;
  /** What a model needs in its prompt to write code for this memory: declarations and rules, within a budget. */
  describe(request?: DescribeRequest): Promise<Description>;
  /** Says whether a run was what was wanted. The first word on a run stands. */
  feedback(given: Feedback): Promise<FeedbackResult>;
  /** Takes a run back, with everything that was learned from it. */
  forget(request: ForgetRequest): Promise<Forgotten>;
  /** Says what the memory is worth, by its own runs. Nothing runs, nothing is learned and nothing is stored. */
  evaluate(request?: EvaluateRequest): Promise<Evaluation>;
  /** Everything that is stored, in a file. */
  backup(file: string): Promise<void>;
  /** Fills a memory that has learned nothing yet from such a file. */
  restore(file: string): Promise<void>;
  /** Capabilities by hand. */
  readonly capabilities: ManageCapabilities & Curate;
  readonly tools: Tools;
  readonly cache: CacheControl;
  readonly store: CapabilityStore;
  /** What capabilities are called, all of it: rename, tag, fork, merge, versions, curation, bundles. */
  readonly names: Names;
  /** What runs have taught, of the memory's own scope. */
  readonly graph: GraphRAGEngine;
  metrics(): MetricsSnapshot;
  /** Calls back for everything that happens in the memory's own scope. Returns how to stop. */
  events(listener: EventListener): () => void;
  close(): Promise<void>;
}

export async function createPml(options: PmlOptions = {}): Promise<Pml> {
  checkPowers(options);
  const { dataDir, database, scope, onReembed, clock, newId, logger } = options;
  const embedder = options.embedder ?? (await importEmbedder());
  const warn = (message: string, details: Record<string, unknown>): void => logger?.warn(message, details);
  const store = await CapabilityStore.open({
    ...(dataDir !== undefined && { dataDir }),
    ...(database !== undefined && { database }),
    ...(scope !== undefined && { scope }),
    ...(onReembed !== undefined && { onReembed }),
    ...(clock !== undefined && { now: clock }),
    ...(newId !== undefined && { newId }),
    embedder,
    warn,
  });
  const own = !isSandbox(options.sandbox);
  const sandbox = isSandbox(options.sandbox) ? options.sandbox : createSandbox(options.sandbox);
  try {
    return await wire(options, { store, sandbox, close: () => (own ? sandbox.close() : Promise.resolve()), embedder });
  } catch (error) {
    if (own) await sandbox.close();
    await store.close();
    throw error;
  }
}

interface Parts {
  store: CapabilityStore;
  sandbox: Sandbox;
  close: () => Promise<void>;
  embedder: Embedder;
}

async function wire(options: PmlOptions, parts: Parts): Promise<Pml> {
  const { store } = parts;
  const box = new ToolBox(options.tools === "stored" ? [] : options.tools);
  const workspaces = new Workspaces(store.context, {
    listTools: () => box.list(),
    keepsAbsent: options.tools === "stored",
    thresholds: options.thresholds ?? {},
    closing: () => powers.underWay.closing,
    isUntrusted: (id) => isUntrusted(powers, id),
    onOpen: (workspace, changes) => followToolChanges(powers, workspace, changes),
  });
  const open: Powers["open"] = (scope) => workspaces.open(scope);
  const analyse: NamesPowers["analyse"] = (code) => powers.analyses().analyse(code);
  const names = createNames({ store, analyse, ...createNamesPowers(() => powers), ...options.naming });
  const telemetry = await openTelemetry(options.telemetry);
  const powers = createPowers(options, { ...parts, box, open, telemetry, naming: createNaming(names) });
  const home = (await open(undefined)).workspace;
  await follow(store.context, {
    // One that cannot be opened is not in memory either, so nothing of it can be stale.
    onChange: (change, isOwn) => void (isOwn || workspaces.markStale(change).catch(() => {})),
    onGap: () => void workspaces.markAllStale().catch(() => {}),
  });
  return assemble({ ...parts, powers, workspaces, names, home });
}

interface Wired extends Parts {
  powers: Powers & { refresh: () => void };
  workspaces: Workspaces;
  names: Names;
  home: Workspace;
}

function assemble({ powers, workspaces, names, home, store, close, embedder }: Wired): Pml {
  const { open } = powers;
  const waiting = new Waiting();
  const executor = new Executor(powers, waiting);
  const continuations = new Continuations(powers, waiting);
  const { curate, ...nameCalls } = createNameCalls(names);
  const letGo = keepHolding(store.context, powers.underWay);
  const pml: Pml = {
    discover: async ({ scope, ...request }) => search(powers, await open(scope), request),
    execute: ((request: ExecuteRequest) => executor.execute(request)) as Pml["execute"],
    approve: (id, given) => continuations.approve(id, given),
    reject: (id, given) => continuations.reject(id, given),
    resume: (id, given) => continuations.resume(id, given),
    listUnfinished: (scope) => continuations.listUnfinished(scope),
    getTaskResult: async ({ scope, ...request }) => getTaskResult((await open(scope)).context, request),
    dryRun: (request) => dryRun(powers, request),
    replay: (request) => replay(powers, request),
    describe: async ({ scope, ...request } = {}) => describeMemory(powers, await open(scope), request),
    feedback: async ({ scope, ...given }) => giveFeedback(powers, await open(scope), given),
    forget: async ({ scope, ...request }) => {
      executor.forget(request.traceId);
      return forget(powers, await open(scope), request);
    },
    evaluate: async ({ scope, ...request } = {}) => evaluate(powers, await open(scope), request),
    backup: (file) => store.backup(file),
    restore: (file) => restoreMemory(powers, { store, workspaces, file }),
    ...nameCalls,
    capabilities: { ...manageCapabilities(powers), curate },
    tools: createTools(powers, { workspaces: () => workspaces.list(), refresh: powers.refresh }),
    cache: createCacheControl(powers),
    store,
    names,
    get graph() {
      return home.knowledge.graph;
    },
    metrics: () => powers.metrics.read(),
    events: (listener) => home.hub.listen(listener),
    async close() {
      await powers.underWay.close();
      await letGo();
      await close();
      await store.close();
      await embedder.close?.();
    },
    [Symbol.asyncDispose]: () => pml.close(),
  };
  return pml;
}

async function search(
  { metrics, telemetry, redact }: Powers,
  { workspace, context }: Place,
  request: DiscoverRequest,
): Promise<DiscoverResult> {
  metrics.count("searches");
  const startedAt = performance.now();
  const { knowledge } = workspace;
  const found = await telemetry.within("pml.search", {}, async (span) => {
    span.show("pml.intent", redact(request.intent));
    const catalog = await workspace.catalog();
    const result = await discover({ context, knowledge, catalog, planning: () => workspace.planning() }, request);
    span.set({ "pml.found": result.total });
    return result;
  });
  metrics.time("search", performance.now() - startedAt);
  const capabilities = found.results.filter((each) => each.type === "capability");
  if (hasMatch({ workspace }, capabilities)) metrics.count("matches");
  return found;
}

function isUntrusted({ box, taint }: Powers, id: string): boolean {
  const tool = box.find(id);
  return tool !== undefined && taint.isUntrusted(tool);
}

/** The embedder is a peer: a host that brings its own need not install ours. */
async function importEmbedder(): Promise<Embedder> {
  try {
    const { createEmbedder } = (await import("@pml/embeddings" as string)) as { createEmbedder: () => Embedder };
    return createEmbedder();
  } catch (error) {
    const message = "There is no embedder: install @pml/embeddings, or pass one as `embedder`.";
    throw new PmlError("PML_EMBEDDER", message, { cause: error });
  }
}

function isSandbox(given: PmlOptions["sandbox"]): given is Sandbox {
  return typeof (given as Partial<Sandbox> | undefined)?.run === "function";
}
