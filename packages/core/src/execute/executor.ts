import { randomBytes } from "node:crypto";

import { askFor } from "../discover/discover.js";
import { cosine } from "../discover/likeness.js";
import type { Capability } from "../model/capability.js";
import { PmlError } from "../model/error.js";
import { listResting } from "../store/resting.js";
import type { ExecuteAnswer, SuccessAnswer } from "./answer.js";
import { type Choice, chooseCapability } from "./choose-capability.js";
import { noCapability } from "./closure.js";
import { completeDag } from "./complete-dag.js";
import { Conversations } from "./conversations.js";
import { runWithFallback } from "./fallback.js";
import { noteOutcome } from "./feedback.js";
import type { Job, Place, Powers } from "./job.js";
import type { Named } from "./naming.js";
import { degraded, type JobBase, prepareDirect } from "./prepare.js";
import { refuse } from "./refuse.js";
import { type CheckedRequest, checkRequest, type ExecuteRequest } from "./request.js";
import { Suggester } from "./suggester.js";
import type { Waiting } from "./waiting.js";

interface Chosen {
  best: Choice | undefined;
  threshold: number;
  canRun: (capability: Capability) => boolean;
}

/** The modes of `execute`. */
export class Executor {
  readonly #powers: Powers;
  readonly #conversations = new Conversations();
  readonly #suggester: Suggester;
  readonly #waiting: Waiting;

  constructor(powers: Powers, waiting: Waiting) {
    this.#powers = powers;
    this.#suggester = new Suggester(powers);
    this.#waiting = waiting;
  }

  async execute(given: ExecuteRequest): Promise<ExecuteAnswer> {
    const request = checkRequest(given);
    const place = await this.#powers.open(request.scope);
    const base = this.#createBase(place, request);
    const answer = await this.#answer(base, request);
    return answer.status === "error" ? this.#suggester.addTo(base, answer) : answer;
  }

  /** A run is to be forgotten. */
  forget(traceId: string): void {
    this.#conversations.forget(traceId);
  }

  async #answer(base: JobBase, request: CheckedRequest): Promise<ExecuteAnswer> {
    try {
      return await this.#start(base, request);
    } catch (error) {
      return refuse(base, error, this.#powers.redact);
    }
  }

  async #start(base: JobBase, request: CheckedRequest): Promise<ExecuteAnswer> {
    switch (request.mode) {
      case "suggestion":
        return this.#suggester.suggestOnly(base, request.intent);
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

  #runCapability(base: JobBase, capability: Capability, inputs: Record<string, unknown>): Promise<ExecuteAnswer> {
    const run = (job: Job): Promise<ExecuteAnswer> => this.#run(job);
    return runWithFallback({ powers: this.#powers, run }, base, { capability, inputs });
  }

  /** The likeliest capability runs by itself if it is likely enough, works, and has all it needs. */
  async #speculate(base: JobBase, intent: string, inputs: Record<string, unknown>): Promise<ExecuteAnswer> {
    const { metrics } = this.#powers;
    metrics.count("speculations");
    await this.#settle(base, intent);
    const cached = await this.#findByIntent(base, intent, inputs);
    if (cached !== undefined) return cached;
    const { best, threshold, canRun } = await this.#choose(base, intent, inputs);
    if (best === undefined || best.match < threshold)
      return this.#runPlan(base, { intent, inputs }, { match: best?.match, threshold });
    metrics.count("matches");
    const { capability, match, filling } = best;
    if (!canRun(capability))
      return this.#suggester.suggest(
        base,
        intent,
        degraded(capability, "it failed lately, or a tool of it is gone").message,
      );
    if (!filling.ok) {
      const reason = `The context has nothing that fits ${filling.missing.join(", ")}, which "${capability.name ?? capability.intent}" needs.`;
      const answer = await this.#suggester.suggest(base, intent, reason);
      return { ...answer, missing: { capabilityId: capability.id, parameters: filling.missing } };
    }
    metrics.count("reuses");
    const answer = await this.#runCapability({ ...base, match }, capability, filling.inputs);
    const traceId = answer.status === "success" && answer.cacheHit === undefined ? answer.traceId : undefined;
    this.#conversations.note(base, { intent, match, traceId });
    return answer;
  }

  async #choose(base: JobBase, intent: string, inputs: Record<string, unknown>): Promise<Chosen> {
    const { box, metrics } = this.#powers;
    const startedAt = performance.now();
    metrics.count("searches");
    const { threshold } = base.workspace.knowledge.thresholds.get(["speculation"]);
    const resting = await listResting(base.context, base.workspace.gone);
    const canRun = ({ id, status, toolsUsed }: Capability): boolean =>
      status === "active" && !resting.has(id) && toolsUsed.every((tool) => box.find(tool) !== undefined);
    const best = await chooseCapability(base, { intent, inputs, threshold, canRun });
    metrics.time("search", performance.now() - startedAt);
    return { best, threshold, canRun };
  }

  /** A plan from the graph, where no capability serves: it runs if it only reads and is as sure as a capability would be. */
  async #runPlan(
    base: JobBase,
    { intent, inputs }: { intent: string; inputs: Record<string, unknown> },
    { match, threshold }: { match: number | undefined; threshold: number },
  ): Promise<ExecuteAnswer> {
    const suggestions = await this.#suggester.find(base, intent);
    const { dag: plan } = suggestions;
    const dag =
      plan === undefined || plan.confidence < threshold ? undefined : completeDag(plan, inputs, this.#powers.box);
    if (dag === undefined) return this.#suggester.answer(base, suggestions, explainDistance(match, threshold));
    return this.#run(await prepareDirect(this.#powers, base, { work: { dag }, inputs }));
  }

  /** Off unless the host switched it on: two intents that mean the same, with the same context, have the same answer. */
  async #findByIntent(
    base: JobBase,
    intent: string,
    inputs: Record<string, unknown>,
  ): Promise<SuccessAnswer | undefined> {
    const { caches, metrics } = this.#powers;
    if (base.options.cache === false || !caches.holdsIntents) return undefined;
    metrics.count("cacheLookups");
    const { vector } = await askFor(base, intent);
    const { threshold } = base.workspace.knowledge.thresholds.get(["intentCache"]);
    const isSame = (a: Float32Array, b: Float32Array): boolean =>
      base.context.vectors.calibrate(cosine(a, b)) >= threshold;
    const { permissions } = base.options;
    const hit = caches.findByIntent({ context: base.context, vector, given: inputs, permissions }, isSame);
    if (hit === undefined) return undefined;
    metrics.count("cacheHits");
    metrics.count("reuses");
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

  #run(job: Job): Promise<ExecuteAnswer> {
    const { tools, callees } = job.closure;
    const used = [...tools, ...callees.map(({ capability }) => capability.id), job.capability?.id ?? ""];
    if (job.mode !== "speculation") this.#suggester.noteUse(job, used);
    return this.#powers.underWay.hold(job.workflowId, () => this.#waiting.run(this.#powers, job));
  }

  /** How the last thing that was served by itself in this conversation turned out moves the threshold. */
  async #settle(base: JobBase, intent: string): Promise<void> {
    const settled = await this.#conversations.settle(base, intent);
    if (settled !== undefined) await noteOutcome(this.#powers, base, settled);
  }

  #createBase(place: Place, request: CheckedRequest): JobBase {
    return {
      ...place,
      mode: request.mode,
      workflowId: this.#powers.newId(),
      intent: this.#powers.redact(request.intent),
      options: request,
      given: request.inputs,
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
