import { randomBytes } from "node:crypto";

import { askFor } from "../discover/discover.js";
import { cosine } from "../discover/likeness.js";
import type { Capability } from "../model/capability.js";
import { PmlError } from "../model/error.js";
import { getCapability } from "../store/capabilities.js";
import { listResting } from "../store/resting.js";
import type { ExecuteAnswer, SuccessAnswer, SuggestionsAnswer } from "./answer.js";
import { chooseCapability } from "./choose-capability.js";
import { noCapability } from "./closure.js";
import { completeDag } from "./complete-dag.js";
import { Conversations } from "./conversations.js";
import { noteOutcome } from "./feedback.js";
import { fillParameters } from "./fill-parameters.js";
import type { Job, Place, Powers } from "./job.js";
import type { Named } from "./naming.js";
import { degraded, type JobBase, prepareCapability, prepareDirect } from "./prepare.js";
import { refuse } from "./refuse.js";
import { type CheckedRequest, checkRequest, type ExecuteRequest } from "./request.js";
import { suggestFor } from "./suggestions.js";
import type { Waiting } from "./waiting.js";

/** What a capability that failed is worth trying instead. */
const ALTERNATIVES_TRIED = 1;

/** The modes of `execute`. */
export class Executor {
  readonly #powers: Powers;
  readonly #conversations = new Conversations();
  readonly #waiting: Waiting;

  constructor(powers: Powers, waiting: Waiting) {
    this.#powers = powers;
    this.#waiting = waiting;
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
    const resting = await listResting(base.context, base.workspace.gone);
    const { box } = this.#powers;
    const canRun = ({ id, status, toolsUsed }: Capability): boolean =>
      status === "active" && !resting.has(id) && toolsUsed.every((tool) => box.find(tool) !== undefined);
    const best = await chooseCapability(base, { intent, inputs, threshold, canRun });
    if (best === undefined || best.match < threshold)
      return this.#runPlan(base, { intent, inputs }, { match: best?.match, threshold });
    metrics.count("matches");
    const { capability, match, filling } = best;
    if (!canRun(capability))
      return this.#suggest(base, intent, degraded(capability, "it failed lately, or a tool of it is gone").message);
    if (!filling.ok) {
      const reason = `The context has nothing for ${filling.missing.join(", ")}, which "${capability.name ?? capability.intent}" needs.`;
      const answer = await this.#suggest(base, intent, reason);
      return { ...answer, missing: { capabilityId: capability.id, parameters: filling.missing } };
    }
    metrics.count("reuses");
    const answer = await this.#runCapability({ ...base, match }, capability, filling.inputs);
    const traceId = answer.status === "success" && answer.cacheHit === undefined ? answer.traceId : undefined;
    this.#conversations.note(base, { intent, match, traceId });
    return answer;
  }

  /** A plan from the graph, where no capability serves: it runs if it only reads and is as sure as a capability would be. */
  async #runPlan(
    base: JobBase,
    { intent, inputs }: { intent: string; inputs: Record<string, unknown> },
    { match, threshold }: { match: number | undefined; threshold: number },
  ): Promise<ExecuteAnswer> {
    const answer = await this.#suggest(base, intent, explainDistance(match, threshold));
    const { dag: plan } = answer.suggestions;
    const dag =
      plan === undefined || plan.confidence < threshold ? undefined : completeDag(plan, inputs, this.#powers.box);
    if (dag === undefined) return answer;
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
    const suggestions = await this.#powers.telemetry.within("pml.search", {}, () => suggestFor(base, intent));
    return { status: "suggestions", workflowId: base.workflowId, mode: base.mode, reason, suggestions };
  }

  #run(job: Job): Promise<ExecuteAnswer> {
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
