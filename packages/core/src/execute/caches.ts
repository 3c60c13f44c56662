import type { Permissions } from "@pml/sandbox";
import { LRUCache } from "lru-cache";

import type { CacheConfig } from "../model/capability.js";
import { isOmitted, keepValue, reviveValue } from "../model/kept-value.js";
import { findCached, type Invalidation, invalidateCached, putCached } from "../store/cache.js";
import type { StoreContext } from "../store/context.js";
import { configOf, isKept, usesTable } from "./cache-config.js";
import { dayOf, exactKey, paramsKey, projectOf, requestKey } from "./cache-keys.js";
import type { CacheableJob } from "./cacheable-job.js";

export interface CacheOptions {
  /** False switches all of them off. Default true. */
  enabled?: boolean;
  /** Runs of the same code with the same inputs. Default 1000 entries, 5 minutes. */
  exact?: { maxEntries?: number; ttlMs?: number };
  /** What a capability's `cacheConfig` does not say. */
  capability?: Partial<CacheConfig>;
  /** Answers an intent from one that means the same, for the same context. Off unless this is given. */
  intent?: { ttlMs?: number; maxEntries?: number };
}

const DEFAULT_EXACT = { maxEntries: 1000, ttlMs: 5 * 60 * 1000 };
const DEFAULT_INTENT = { maxEntries: 1000, ttlMs: 60 * 60 * 1000 };
const MOST_BYTES = 1_000_000;

export type CacheLevel = "exact" | "capability" | "intent";

interface Entry {
  kept: unknown;
  tools: readonly string[];
  capabilities: readonly string[];
  project: string;
}

interface IntentEntry extends Entry {
  vector: Float32Array;
  request: string;
}

/** What is asked by intent, with everything that has to be equal beside it. */
export interface AskedIntent {
  context: StoreContext;
  vector: Float32Array;
  given: Readonly<Record<string, unknown>>;
  permissions: Permissions | undefined;
}

/** What a run gave. */
export interface NewResult {
  result: unknown;
  traceId: string;
  /** Where it is to be found by what was asked. */
  intentVector?: Float32Array;
}

type Cause = Pick<Invalidation, "trigger"> & Partial<Pick<Invalidation, "toolId" | "capabilityId">>;

/** Results of runs that changed nothing, at three levels. Whether a run may be kept is for the caller to know. */
export class Caches {
  readonly #options: CacheOptions;
  readonly #exact: LRUCache<string, Entry>;
  readonly #intents: LRUCache<string, IntentEntry>;
  readonly #ttlMs: { exact: number; intent: number };

  constructor(options: CacheOptions = {}, now: () => number = Date.now) {
    this.#options = options;
    const clock = { perf: { now }, ttlResolution: 0 };
    const [exact, intent] = [
      { ...DEFAULT_EXACT, ...options.exact },
      { ...DEFAULT_INTENT, ...options.intent },
    ];
    this.#ttlMs = { exact: exact.ttlMs, intent: intent.ttlMs };
    this.#exact = new LRUCache({ max: exact.maxEntries, ttl: exact.ttlMs, ...clock });
    this.#intents = new LRUCache({ max: intent.maxEntries, ttl: intent.ttlMs, ...clock });
  }

  /** By code and inputs, then by capability and arguments. */
  async find(job: CacheableJob): Promise<{ level: CacheLevel; result: unknown } | undefined> {
    const config = configOf(job.capability, this.#options.capability);
    if (this.#options.enabled === false || !isKept(config)) return undefined;
    const exact = this.#exact.get(exactKey(job, config));
    if (exact !== undefined) return { level: "exact", result: revive(exact.kept) };
    if (job.mode === "direct" || job.capability === undefined || !usesTable(config)) return undefined;
    const { context, capability } = job;
    if (config.invalidateOn.includes("daily")) await this.#endDay(context, capability.id);
    const cached = await findCached(context, capability.id, paramsKey(job, config));
    return cached && { level: "capability", result: reviveValue(cached.result) };
  }

  /** Whether there is anything that an intent could be answered from. */
  get holdsIntents(): boolean {
    return this.#options.enabled !== false && this.#intents.size > 0;
  }

  /** Whether the result of a job is to be kept by its intent: for all, or as its capability says. */
  keepsByIntent({ capability, intent, given }: CacheableJob): boolean {
    const config = configOf(capability, this.#options.capability);
    if (intent === undefined || given === undefined || !isKept(config)) return false;
    return this.#options.intent !== undefined || config.keyStrategy === "intent_similarity";
  }

  /** `judge` says how likely two intents are to be the same, on the calibrated scale. */
  findByIntent(
    { vector, ...asked }: AskedIntent,
    { judge, threshold }: { judge: (a: Float32Array, b: Float32Array) => number; threshold: number },
  ): { result: unknown; match: number } | undefined {
    const request = requestKey(asked);
    for (const entry of this.#intents.values()) {
      const match = entry.request === request ? judge(entry.vector, vector) : 0;
      if (match >= threshold) return { result: revive(entry.kept), match };
    }
    return undefined;
  }

  async put(job: CacheableJob, { result, traceId, intentVector }: NewResult): Promise<void> {
    const config = configOf(job.capability, this.#options.capability);
    const kept = keepValue(result, MOST_BYTES);
    if (this.#options.enabled === false || !isKept(config) || isOmitted(kept)) return;
    const entry = describeEntry(job, structuredClone(kept));
    const ttlOf = (level: "exact" | "intent"): { ttl: number } => ({
      ttl: Math.min(this.#ttlMs[level], config.ttlSeconds * 1000),
    });
    this.#exact.set(exactKey(job, config), entry, ttlOf("exact"));
    const { given, context, options, capability, intent } = job;
    if (intentVector !== undefined && given !== undefined) {
      const request = requestKey({ context, given, permissions: options.permissions });
      this.#intents.set(`${request} ${intent}`, { ...entry, vector: intentVector, request }, ttlOf("intent"));
    }
    if (capability === undefined || job.mode === "direct" || !usesTable(config)) return;
    const paramsHash = paramsKey(job, config);
    const { ttlSeconds, maxEntries } = config;
    await putCached(context, {
      capabilityId: capability.id,
      traceId,
      paramsHash,
      result: kept,
      ttlSeconds,
      maxEntries,
    });
  }

  /** Throws out what rests on a tool or a capability, or all of the project, and writes that down. Gives how many went. */
  async invalidate(context: StoreContext, cause: Cause): Promise<number> {
    const { invalidateOn } = configOf(undefined, this.#options.capability);
    return invalidateCached(context, { ...cause, dropped: this.drop(context, cause), invalidateOn });
  }

  /** From memory alone. */
  drop(context: StoreContext, { toolId, capabilityId }: Omit<Cause, "trigger"> = {}): number {
    const project = projectOf(context);
    const isStale = (entry: Entry): boolean =>
      entry.project === project &&
      (toolId === undefined || entry.tools.includes(toolId)) &&
      (capabilityId === undefined || entry.capabilities.includes(capabilityId));
    return deleteWhere(this.#exact, isStale) + deleteWhere(this.#intents, isStale);
  }

  async #endDay(context: StoreContext, capabilityId: string): Promise<void> {
    await invalidateCached(context, { trigger: "daily", capabilityId, before: dayOf(context) });
  }
}

function describeEntry({ closure, capability, context }: CacheableJob, kept: unknown): Entry {
  const own = capability === undefined ? [] : [capability.id];
  const capabilities = [...own, ...closure.callees.map((callee) => callee.capability.id)];
  return { kept, tools: closure.tools, capabilities, project: projectOf(context) };
}

/** A copy: what the caller does to it must not reach the next one. */
function revive(kept: unknown): unknown {
  return reviveValue(structuredClone(kept));
}

function deleteWhere<Kept extends Entry>(cache: LRUCache<string, Kept>, isStale: (entry: Kept) => boolean): number {
  const stale = Array.from(cache.entries()).filter(([, entry]) => isStale(entry));
  return stale.filter(([key]) => cache.delete(key)).length;
}
