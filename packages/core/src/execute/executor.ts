import { randomBytes } from "node:crypto";

import type { Capability } from "../model/capability.js";
import { PmlError } from "../model/error.js";
import type { ExecuteAnswer } from "./answer.js";
import { noCapability } from "./closure.js";
import { Conversations } from "./conversations.js";
import { runWithFallback } from "./fallback.js";
import { noteOutcome, noteServed } from "./feedback.js";
import type { Job, Place, Powers } from "./job.js";
import type { Named } from "./naming.js";
import { type JobBase, prepareDirect } from "./prepare.js";
import { refuse } from "./refuse.js";
import { type CheckedRequest, checkRequest, type ExecuteRequest } from "./request.js";
import { Speculator } from "./speculator.js";
import { Suggester } from "./suggester.js";
import type { Waiting } from "./waiting.js";

/** The modes of `execute`. */
export class Executor {
  readonly #powers: Powers;
  readonly #conversations = new Conversations();
  readonly #suggester: Suggester;
  readonly #speculator: Speculator;
  readonly #waiting: Waiting;

  constructor(powers: Powers, waiting: Waiting) {
    this.#powers = powers;
    this.#suggester = new Suggester(powers);
    this.#speculator = new Speculator({
      powers,
      suggester: this.#suggester,
      conversations: this.#conversations,
      run: (job) => this.#run(job),
      runCapability: (base, capability, inputs) => this.#runCapability(base, capability, inputs),
    });
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
        await this.#settle(base, request.intent);
        return this.#speculator.speculate(base, request);
      case "named":
        return this.#runNamed(base, request.capability, request.inputs);
      case "direct":
        return this.#runDirect(base, request);
    }
  }

  async #runDirect(base: JobBase, request: Extract<CheckedRequest, { mode: "direct" }>): Promise<ExecuteAnswer> {
    await this.#settle(base, request.intent);
    return this.#noteChoice(base, await this.#run(await prepareDirect(this.#powers, base, request)));
  }

  async #runNamed(base: JobBase, name: string, inputs: Record<string, unknown>): Promise<ExecuteAnswer> {
    const { capability, warning } = await this.#resolve(base, name);
    const answer = await this.#noteChoice(base, await this.#runCapability(base, capability, inputs));
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

  #run(job: Job): Promise<ExecuteAnswer> {
    const { tools, callees } = job.closure;
    const used = [...tools, ...callees.map(({ capability }) => capability.id), job.capability?.id ?? ""];
    if (job.mode !== "speculation") this.#suggester.noteUse(job, used);
    return this.#powers.underWay.hold(job.workflowId, () => this.#waiting.run(this.#powers, job));
  }

  /** How the last thing that was served by itself in this conversation turned out moves the threshold. */
  async #settle(base: JobBase, intent: string): Promise<void> {
    const outcome = await this.#conversations.settleServed(base, intent);
    if (outcome !== undefined) await noteServed(this.#powers, base, outcome);
  }

  /** So does what was run after something had only been offered. */
  async #noteChoice(base: JobBase, answer: ExecuteAnswer): Promise<ExecuteAnswer> {
    if (answer.status !== "success" || base.options.learn === false) return answer;
    try {
      const outcome = await this.#conversations.settleOffered(base, answer);
      if (outcome !== undefined) await noteOutcome(base, outcome);
    } catch (error) {
      this.#powers.warn("What a choice says of thresholds was not learned.", { error: (error as Error).name });
    }
    return answer;
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
