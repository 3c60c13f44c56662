import { randomBytes } from "node:crypto";

import { AnalyzerError } from "@pml/analyzer";
import { LRUCache } from "lru-cache";

import { askFor } from "../discover/discover.js";
import { cosine } from "../discover/likeness.js";
import type { Capability } from "../model/capability.js";
import { PmlError } from "../model/error.js";
import type { Redact } from "../model/redact.js";
import type { Scope } from "../model/scope.js";
import { isRepeatable } from "../model/tool.js";
import { getCapability } from "../store/capabilities.js";
import {
  answerApproval,
  findApproval,
  findWorkflow,
  listWorkflows,
  removeWorkflow,
  type Workflow,
} from "../store/workflows.js";
import {
  describeFailure,
  type ErrorAnswer,
  type ExecuteAnswer,
  type SuccessAnswer,
  type SuggestionsAnswer,
} from "./answer.js";
import { buildRequest, keepWaiting, rejectedAnswer } from "./approval.js";
import { chooseCapability } from "./choose-capability.js";
import { noCapability } from "./closure.js";
import { Conversations } from "./conversations.js";
import { fillParameters } from "./fill-parameters.js";
import type { Job, Place, Powers } from "./job.js";
import { Journal } from "./journal.js";
import type { Named } from "./naming.js";
import { degraded, type JobBase, prepareCapability, prepareDirect } from "./prepare.js";
import { type CheckedRequest, checkRequest, type ExecuteRequest } from "./request.js";
import { runJob } from "./run-job.js";
import { describeWork, type StoredJob } from "./stored-job.js";
import { suggestFor } from "./suggestions.js";

export interface ResumeOptions {
  scope?: Partial<Scope>;
  /** Inputs again, where the first ones held secrets and were not kept. */
  context?: Record<string, unknown>;
  signal?: AbortSignal;
}

export interface ApproveOptions extends ResumeOptions {
  /** Only these of the tools that were asked for. */
  tools?: readonly string[];
}

const MOST_WAITING = 1000;
/** What a capability that failed is worth trying instead. */
const ALTERNATIVES_TRIED = 1;

/** The modes of `execute`, and the ways back into a run that waits or was cut off. */
export class Executor {
  readonly #powers: Powers;
  readonly #conversations = new Conversations();
  /** Jobs that wait for an answer in this process, with what was not written down: secrets, signals, listeners. */
  readonly #waiting = new LRUCache<string, Job>({ max: MOST_WAITING });

  constructor(powers: Powers) {
    this.#powers = powers;
  }

  async execute(given: ExecuteRequest): Promise<ExecuteAnswer> {
    const request = checkRequest(given);
    const place = await this.#powers.open(request.scope);
    const base = this.#createBase(place, request);
    try {
      return await this.#start(base, request);
    } catch (error) {
      return refuse(base, error, this.#powers.redact);
    }
  }

  /** Goes on with what was asked for, with all or some of its tools. */
  async approve(id: string, options: ApproveOptions = {}): Promise<ExecuteAnswer> {
    const place = await this.#powers.open(options.scope);
    const { approval, workflow } = await this.#findWaiting(place, id);
    const asked = approval.request as { tools: { id: string }[] };
    const tools = options.tools ?? asked.tools.map((tool) => tool.id);
    await answerApproval(place.context, approval.id, { approved: true, tools });
    this.#powers.metrics.count("approvalsGiven");
    return this.#takeUp(place, workflow, { ...options, tools });
  }

  async reject(id: string, options: { reason?: string; scope?: Partial<Scope> } = {}): Promise<ErrorAnswer> {
    const place = await this.#powers.open(options.scope);
    const { approval, workflow } = await this.#findWaiting(place, id);
    await answerApproval(place.context, approval.id, { approved: false, reason: options.reason });
    await removeWorkflow(place.context.database, workflow.id);
    this.#waiting.delete(workflow.id);
    return rejectedAnswer({ workflowId: workflow.id, mode: (workflow.request as StoredJob).mode }, options.reason);
  }

  /** Goes on with a run that was cut off. What it has done is not done again. */
  async resume(workflowId: string, options: ResumeOptions = {}): Promise<ExecuteAnswer> {
    const place = await this.#powers.open(options.scope);
    const workflow = await findWorkflow(place.context, workflowId);
    if (workflow === undefined)
      throw new PmlError("PML_NOT_FOUND", `There is no unfinished workflow ${workflowId}.`, {
        details: { workflowId },
      });
    return this.#takeUp(place, workflow, options);
  }

  /** Runs that have begun and not ended: cut off, or waiting. */
  async listUnfinished(scope?: Partial<Scope>): Promise<Workflow[]> {
    return listWorkflows((await this.#powers.open(scope)).context);
  }

  async #start(base: JobBase, request: CheckedRequest): Promise<ExecuteAnswer> {
    switch (request.mode) {
      case "suggestion":
        return this.#suggest(
          base,
          request.intent,
          "Nothing was given to run. Write code with these tools, or call a capability.",
        );
      case "speculation":
        return this.#speculate(base, request.intent, request.inputs);
      case "named":
        return this.#runNamed(base, request.capability, request.inputs);
      case "direct":
        return this.#runDirect(base, request);
    }
  }

  async #runDirect(base: JobBase, request: Extract<CheckedRequest, { mode: "direct" }>): Promise<ExecuteAnswer> {
    await this.#settle(base, request.intent);
    return this.#run(await prepareDirect(this.#powers, base, request));
  }

  async #runNamed(base: JobBase, name: string, inputs: Record<string, unknown>): Promise<ExecuteAnswer> {
    const { capability, warning } = await this.#resolve(base, name);
    const answer = await this.#runCapability(base, capability, inputs);
    return warning === undefined ? answer : { ...answer, warnings: [warning, ...(answer.warnings ?? [])] };
  }

  async #resolve({ context }: JobBase, name: string): Promise<Named> {
    try {
      return await this.#powers.naming.resolve(context, name);
    } catch (error) {
      throw error instanceof PmlError && error.code === "PML_NOT_FOUND" ? noCapability(name) : error;
    }
  }

  async #runCapability(base: JobBase, capability: Capability, inputs: Record<string, unknown>): Promise<ExecuteAnswer> {
    const answer = await this.#run(await prepareCapability(this.#powers, base, { capability, inputs }));
    if (answer.status !== "error" || base.options.fallback !== true) return answer;
    for (const { capabilityId } of (answer.alternatives ?? []).slice(0, ALTERNATIVES_TRIED)) {
      const other = await getCapability(base.context, capabilityId);
      const filling = fillParameters(other, inputs);
      if (!filling.ok) continue;
      const again = { ...base, workflowId: this.#powers.newId() };
      return this.#run(await prepareCapability(this.#powers, again, { capability: other, inputs: filling.inputs }));
    }
    return answer;
  }

  /** The likeliest capability runs by itself if it is likely enough, works, and has all it needs. */
  async #speculate(base: JobBase, intent: string, inputs: Record<string, unknown>): Promise<ExecuteAnswer> {
    const { metrics } = this.#powers;
    metrics.count("speculations");
    await this.#settle(base, intent);
    const cached = await this.#findByIntent(base, intent, inputs);
    if (cached !== undefined) return cached;
    const { threshold } = base.workspace.knowledge.thresholds.get(["speculation"]);
    const best = await chooseCapability(base, { intent, inputs, threshold });
    if (best === undefined || best.match < threshold)
      return this.#suggest(base, intent, explainDistance(best?.match, threshold));
    metrics.count("matches");
    const { capability, match, filling } = best;
    if (capability.status !== "active" || capability.toolsUsed.some((id) => this.#powers.box.find(id) === undefined))
      return this.#suggest(base, intent, degraded(capability, "it failed lately, or a tool of it is gone").message);
    if (!filling.ok) {
      const reason = `The context has nothing for ${filling.missing.join(", ")}, which "${capability.name ?? capability.intent}" needs.`;
      const answer = await this.#suggest(base, intent, reason);
      return { ...answer, missing: { capabilityId: capability.id, parameters: filling.missing } };
    }
    metrics.count("reuses");
    const answer = await this.#runCapability({ ...base, match }, capability, filling.inputs);
    this.#conversations.note(base, { intent, match });
    return answer;
  }

  /** Off unless the host switched it on: two intents that mean the same, with the same context, have the same answer. */
  async #findByIntent(
    base: JobBase,
    intent: string,
    inputs: Record<string, unknown>,
  ): Promise<SuccessAnswer | undefined> {
    if (base.options.cache === false || !this.#powers.caches.keepsIntents) return undefined;
    const { vector } = await askFor(base, intent);
    const { threshold } = base.workspace.knowledge.thresholds.get(["intentCache"]);
    const isSame = (a: Float32Array, b: Float32Array): boolean =>
      base.context.vectors.calibrate(cosine(a, b)) >= threshold;
    const hit = this.#powers.caches.findByIntent({ context: base.context, vector, inputs }, isSame);
    if (hit === undefined) return undefined;
    this.#powers.metrics.count("cacheHits");
    const { workflowId, mode } = base;
    return {
      status: "success",
      workflowId,
      traceId: workflowId,
      mode,
      durationMs: 0,
      result: hit.result,
      cacheHit: "intent",
    };
  }

  async #suggest(base: JobBase, intent: string, reason: string): Promise<SuggestionsAnswer> {
    this.#powers.metrics.count("suggestions");
    const suggestions = await suggestFor(base, intent);
    return { status: "suggestions", workflowId: base.workflowId, mode: base.mode, reason, suggestions };
  }

  async #run(job: Job): Promise<ExecuteAnswer> {
    const answer = await runJob(this.#powers, job);
    if (answer.status === "approval_required") this.#waiting.set(job.workflowId, job);
    return answer;
  }

  /** How the last thing that was served by itself in this conversation turned out moves the threshold. */
  async #settle(base: JobBase, intent: string): Promise<void> {
    const settled = await this.#conversations.settle(base, intent);
    if (settled === undefined) return;
    if (settled.wrong) this.#powers.metrics.count("wrongRuns");
    base.workspace.knowledge.thresholds.observe(["speculation"], { score: settled.match, wrong: settled.wrong });
  }

  async #takeUp(
    place: Place,
    workflow: Workflow,
    { context: inputs, tools = [], signal }: ResumeOptions & { tools?: readonly string[] },
  ): Promise<ExecuteAnswer> {
    const stored = workflow.request as StoredJob;
    const waiting = this.#waiting.get(workflow.id);
    this.#waiting.delete(workflow.id);
    const base: JobBase = {
      ...place,
      mode: stored.mode,
      workflowId: workflow.id,
      intent: stored.intent,
      options: { ...waiting?.options, ...stored.options, ...(signal !== undefined && { signal }) },
      approved: new Set([...stored.approved, ...tools]),
      layersSeen: stored.layersSeen,
      randomSeed: stored.randomSeed,
      resumed: true,
    };
    try {
      const work = waiting?.mode === "direct" ? describeWork(waiting) : {};
      const job = await this.#prepareAgain(base, { ...stored, ...work }, inputs ?? waiting?.inputs);
      return (await this.#askAboutOpenCalls(job)) ?? (await this.#run(job));
    } catch (error) {
      return refuse(base, error, this.#powers.redact);
    }
  }

  async #prepareAgain(base: JobBase, stored: StoredJob, given: Record<string, unknown> | undefined): Promise<Job> {
    if (stored.inputsWithheld && given === undefined) {
      const message = "The inputs of this run held secrets, which are not kept. Give them again as `context`.";
      throw new PmlError("PML_RESUME_NEEDS_CONTEXT", message, { details: { workflowId: base.workflowId } });
    }
    if (stored.workWithheld && stored.code === undefined && stored.dag === undefined) {
      const message = "The code of this run held a secret and was not kept. Execute it again.";
      throw new PmlError("PML_RESUME_NEEDS_CONTEXT", message, { details: { workflowId: base.workflowId } });
    }
    const inputs = given ?? stored.inputs;
    const named = stored.name === undefined ? {} : { name: stored.name };
    if (stored.code !== undefined)
      return prepareDirect(this.#powers, base, { work: { code: stored.code }, inputs, ...named });
    if (stored.dag !== undefined)
      return prepareDirect(this.#powers, base, { work: { dag: stored.dag }, inputs, ...named });
    const capability = await getCapability(base.context, stored.capabilityId ?? "");
    return prepareCapability(this.#powers, base, { capability, inputs });
  }

  /** A call that was under way when the run was cut off may have happened: it is made again only if somebody says so. */
  async #askAboutOpenCalls(job: Job): Promise<ExecuteAnswer | undefined> {
    const { box, redactCall } = this.#powers;
    const journal = new Journal(job.context, job.workflowId, redactCall);
    await journal.load();
    const open = journal
      .listOpen()
      .filter(({ key, tool }) => !isRepeatable(box.find(tool) ?? {}) && !job.approved.has(`again ${key}`))
      .map(({ key, tool, status }) => ({
        id: `again ${key}`,
        reason: `${tool} ${status === "started" ? "was under way when the run was cut off, and may have happened" : "has happened, and its result was not kept"}`,
      }));
    if (open.length === 0) return undefined;
    const request = buildRequest(this.#powers, job, { open });
    await keepWaiting(this.#powers, job, request);
    return { status: "approval_required", workflowId: job.workflowId, mode: job.mode, approval: request };
  }

  async #findWaiting(
    { context }: Place,
    id: string,
  ): Promise<{ approval: { id: string; request: unknown }; workflow: Workflow }> {
    const approval = await findApproval(context, id);
    const workflow = approval && (await findWorkflow(context, approval.workflowId));
    if (approval === undefined || workflow === undefined)
      throw new PmlError("PML_NOT_FOUND", `Nothing waits for an answer under ${id}.`, { details: { id } });
    if (approval.expiresAt !== undefined && approval.expiresAt <= this.#powers.now()) {
      await removeWorkflow(context.database, workflow.id);
      const message = `The approval ${approval.id} expired at ${approval.expiresAt.toISOString()}. Execute again.`;
      throw new PmlError("PML_APPROVAL_EXPIRED", message, { details: { id: approval.id } });
    }
    return { approval, workflow };
  }

  #createBase(place: Place, request: CheckedRequest): JobBase {
    return {
      ...place,
      mode: request.mode,
      workflowId: this.#powers.newId(),
      intent: this.#powers.redact(request.intent),
      options: request,
      approved: new Set(),
      layersSeen: 0,
      randomSeed: randomBytes(16).toString("hex"),
      resumed: false,
    };
  }
}

function explainDistance(match: number | undefined, threshold: number): string {
  if (match === undefined) return "Nothing has been learned yet that serves this with what was given.";
  return `The likeliest capability is what was meant with probability ${match.toFixed(2)}, less than ${threshold}.`;
}

/** What was asked for cannot be run: an answer, not an exception. A broken memory is one. */
function refuse({ workflowId, mode }: JobBase, error: unknown, redact: Redact): ErrorAnswer {
  const isExpected = error instanceof AnalyzerError || (error instanceof PmlError && REFUSALS.has(error.code));
  if (!isExpected) throw error;
  return {
    status: "error",
    workflowId,
    traceId: workflowId,
    mode,
    durationMs: 0,
    error: redact(describeFailure(error)),
  };
}

const REFUSALS: ReadonlySet<string> = new Set([
  "PML_CAPABILITY_CYCLE",
  "PML_CAPABILITY_DEGRADED",
  "PML_CAPABILITY_NOT_FOUND",
  "PML_INVALID_ARGUMENTS",
  "PML_NAME_AMBIGUOUS",
  "PML_NAME_INVALID",
  "PML_NAME_TAKEN",
  "PML_NOT_FOUND",
  "PML_PERMISSION_DENIED",
  "PML_RESUME_NEEDS_CONTEXT",
  "PML_SIGNATURE_MISMATCH",
  "PML_TOOL_NOT_FOUND",
]);
