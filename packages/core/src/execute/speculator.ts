import { judgeScore, type ThresholdDecision } from "@pml/graph";

import { askFor } from "../discover/discover.js";
import { cosine } from "../discover/likeness.js";
import { INTENT_CACHE, SPECULATION } from "../learn/outcomes.js";
import type { Capability } from "../model/capability.js";
import type { ExecuteAnswer, SuccessAnswer } from "./answer.js";
import { type CanRun, findWhatCanRun } from "./can-run.js";
import { type Choice, chooseCapability } from "./choose-capability.js";
import { completeDag } from "./complete-dag.js";
import type { Conversations } from "./conversations.js";
import type { Job, Powers } from "./job.js";
import { degraded, type JobBase, prepareDirect } from "./prepare.js";
import type { Suggester } from "./suggester.js";

/** What a request that something is to be found for holds. */
interface Wanted {
  intent: string;
  inputs: Record<string, unknown>;
}

interface Chosen {
  best: Choice | undefined;
  judged: ThresholdDecision;
  canRun: CanRun;
}

interface Running {
  powers: Powers;
  suggester: Suggester;
  conversations: Conversations;
  run: (job: Job) => Promise<ExecuteAnswer>;
  runCapability: (base: JobBase, capability: Capability, inputs: Record<string, unknown>) => Promise<ExecuteAnswer>;
}

/** Finds what to run for an intent and a context: run, suggest or abstain, by how sure that is. */
export class Speculator {
  readonly #running: Running;

  constructor(running: Running) {
    this.#running = running;
  }

  /** The likeliest capability runs by itself if it is likely enough, works, and has all it needs. */
  async speculate(base: JobBase, wanted: Wanted): Promise<ExecuteAnswer> {
    const { metrics } = this.#running.powers;
    metrics.count("speculations");
    const cached = await this.#findByIntent(base, wanted);
    if (cached !== undefined) return cached;
    const chosen = await this.#choose(base, wanted);
    const { best, judged, canRun } = chosen;
    if (best === undefined || best.match < judged.threshold) return this.#runPlan(base, wanted, chosen);
    metrics.count("matches");
    if (!canRun(best.capability) || !best.filling.ok) return this.#explain(base, wanted, { best, canRun });
    metrics.count("reuses");
    const { runCapability } = this.#running;
    const answer = await runCapability({ ...base, match: best.match }, best.capability, best.filling.inputs);
    return this.#note(base, wanted, { answer, score: best.match });
  }

  async #choose(base: JobBase, { intent, inputs }: Wanted): Promise<Chosen> {
    const { box, metrics } = this.#running.powers;
    const startedAt = performance.now();
    metrics.count("searches");
    const judged = base.workspace.knowledge.thresholds.get(SPECULATION);
    const canRun = await findWhatCanRun(base, (tool) => box.find(tool) !== undefined);
    const best = await chooseCapability(base, { intent, inputs, threshold: judged.threshold, canRun });
    metrics.time("search", performance.now() - startedAt);
    return { best, judged, canRun };
  }

  /** Likely enough, and yet it cannot run. */
  async #explain(
    base: JobBase,
    { intent }: Wanted,
    { best: { capability, filling }, canRun }: { best: Choice; canRun: Chosen["canRun"] },
  ): Promise<ExecuteAnswer> {
    const { suggester } = this.#running;
    if (!canRun(capability) || filling.ok)
      return suggester.suggest(base, intent, degraded(capability, "it failed lately, or a tool of it is gone").message);
    const reason = `The context has nothing that fits ${filling.missing.join(", ")}, which "${capability.name ?? capability.intent}" needs.`;
    const answer = await suggester.suggest(base, intent, reason);
    return { ...answer, missing: { capabilityId: capability.id, parameters: filling.missing } };
  }

  /** A plan from the graph, where no capability serves: it runs if it only reads and is as sure as a capability would be. */
  async #runPlan(base: JobBase, wanted: Wanted, { best, judged }: Chosen): Promise<ExecuteAnswer> {
    const { powers, suggester, conversations, run } = this.#running;
    const { intent, inputs } = wanted;
    const suggestions = await suggester.find(base, intent);
    const { dag: plan } = suggestions;
    const decision = judgeScore(judged, best?.match ?? 0) === "abstain" ? "abstain" : "suggest";
    // Where a capability might be what was meant, a plan is likely because of it, and no surer.
    const isSure = plan !== undefined && plan.confidence >= judged.threshold && decision === "abstain";
    const dag = isSure ? completeDag(plan, inputs, powers.box) : undefined;
    if (plan !== undefined && dag !== undefined) {
      const sure = { ...base, match: plan.confidence };
      const answer = await run(await prepareDirect(powers, sure, { work: { dag }, inputs }));
      return this.#note(base, wanted, { answer, score: plan.confidence });
    }
    if (best !== undefined)
      conversations.note(base, { of: SPECULATION, score: best.match, intent, offered: best.capability.id });
    const offered = decision === "abstain" ? { ...suggestions, capabilities: [] } : suggestions;
    return { ...suggester.answer(base, offered, explainDistance(best?.match, judged)), decision };
  }

  /** Off unless the host switched it on: two intents that mean the same, with the same context, have the same answer. */
  async #findByIntent(base: JobBase, { intent, inputs }: Wanted): Promise<SuccessAnswer | undefined> {
    const { caches, metrics } = this.#running.powers;
    if (base.options.cache === false || !caches.holdsIntents) return undefined;
    metrics.count("cacheLookups");
    const { context, workspace, options, workflowId, mode } = base;
    const { vector } = await askFor(base, intent);
    const { threshold } = workspace.knowledge.thresholds.get(INTENT_CACHE);
    const judge = (a: Float32Array, b: Float32Array): number => context.vectors.calibrate(cosine(a, b));
    const asked = { context, vector, given: inputs, permissions: options.permissions };
    const hit = caches.findByIntent(asked, { judge, threshold });
    if (hit === undefined) return undefined;
    metrics.count("cacheHits");
    metrics.count("reuses");
    this.#running.conversations.note(base, { of: INTENT_CACHE, score: hit.match, intent });
    const { result } = hit;
    return { status: "success", workflowId, traceId: workflowId, mode, durationMs: 0, result, cacheHit: "intent" };
  }

  /** What failed served nobody: how sure it was is not put to the test by what comes next. */
  #note(base: JobBase, { intent }: Wanted, { answer, score }: { answer: ExecuteAnswer; score: number }): ExecuteAnswer {
    if (answer.status !== "success") return answer;
    const traceId = answer.cacheHit === undefined ? answer.traceId : undefined;
    this.#running.conversations.note(base, { of: SPECULATION, score, intent, traceId });
    return answer;
  }
}

function explainDistance(match: number | undefined, { threshold, floor }: ThresholdDecision): string {
  if (match === undefined) return "Nothing has been learned yet that serves this with what was given.";
  const likely = `The likeliest capability is what was meant with probability ${match.toFixed(2)}`;
  if (match < floor) return `${likely}, less than ${floor}: nothing known does this.`;
  return `${likely}, less than ${threshold}.`;
}
