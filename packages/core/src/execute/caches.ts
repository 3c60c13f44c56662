import { createHash } from "node:crypto";

import type { Analysis } from "@pml/analyzer";
import type { Permissions } from "@pml/sandbox";
import { LRUCache } from "lru-cache";

import type { CacheConfig, Capability } from "../model/capability.js";
import { canonicalJson } from "../model/identity.js";
import { isOmitted, keepValue, reviveValue } from "../model/kept-value.js";
import { findCached, putCached } from "../store/cache.js";
import type { StoreContext } from "../store/context.js";

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

const DEFAULT_CACHE_CONFIG: CacheConfig = {
  cacheable: true,
  ttlSeconds: 30 * 60,
  keyStrategy: "params_hash",
  invalidateOn: ["tool_schema_change"],
  maxEntries: 10,
};
const DEFAULT_EXACT = { maxEntries: 1000, ttlMs: 5 * 60 * 1000 };
const DEFAULT_INTENT = { maxEntries: 1000, ttlMs: 60 * 60 * 1000 };
const MOST_BYTES = 1_000_000;

/** What a result rests on: a job, as far as a cache has to know it. */
export interface CacheableJob {
  readonly mode: string;
  readonly intent: string | undefined;
  readonly capability: Capability | undefined;
  readonly context: StoreContext;
  readonly analysis: Pick<Analysis, "source" | "permissions">;
  readonly inputs: Record<string, unknown>;
  readonly workspace: { readonly versions: ReadonlyMap<string, number> };
  readonly options: { readonly permissions?: Permissions };
}

export type CacheLevel = "exact" | "capability" | "intent";

interface Entry {
  /** Wrapped, as a cache holds no `undefined`. */
  kept: unknown;
  tools: readonly string[];
  project: string;
}

/** Results of runs that changed nothing, at three levels. Whether a run may be kept is for the caller to know. */
export class Caches {
  readonly #options: CacheOptions;
  readonly #exact: LRUCache<string, Entry>;
  readonly #intents: LRUCache<string, Entry & { vector: Float32Array; inputs: string }> | undefined;

  constructor(options: CacheOptions = {}, now: () => number = Date.now) {
    this.#options = options;
    const clock = { perf: { now }, ttlResolution: 0 };
    const exact = { ...DEFAULT_EXACT, ...options.exact };
    this.#exact = new LRUCache({ max: exact.maxEntries, ttl: exact.ttlMs, ...clock });
    if (options.intent === undefined) return;
    const intent = { ...DEFAULT_INTENT, ...options.intent };
    this.#intents = new LRUCache({ max: intent.maxEntries, ttl: intent.ttlMs, ...clock });
  }

  get keepsIntents(): boolean {
    return this.#intents !== undefined;
  }

  /** By code and inputs, then by capability and arguments. */
  async find(job: CacheableJob): Promise<{ level: CacheLevel; result: unknown } | undefined> {
    if (this.#options.enabled === false) return undefined;
    const exact = this.#exact.get(exactKey(job));
    if (exact !== undefined) return { level: "exact", result: reviveValue(exact.kept) };
    const config = configOf(job.capability, this.#options.capability);
    if (job.mode === "direct" || job.capability === undefined || !usesTable(config)) return undefined;
    const cached = await findCached(job.context, job.capability.id, paramsKey(job, config));
    return cached && { level: "capability", result: reviveValue(cached.result) };
  }

  /** `isSame` judges two intents, on the calibrated scale. */
  findByIntent(
    { context, vector, inputs }: { context: StoreContext; vector: Float32Array; inputs: Record<string, unknown> },
    isSame: (a: Float32Array, b: Float32Array) => boolean,
  ): { result: unknown } | undefined {
    const [project, key] = [projectOf(context), hash(inputs)];
    for (const entry of this.#intents?.values() ?? [])
      if (entry.project === project && entry.inputs === key && isSame(entry.vector, vector))
        return { result: reviveValue(entry.kept) };
    return undefined;
  }

  async put(job: CacheableJob, result: unknown, intentVector?: Float32Array): Promise<void> {
    if (this.#options.enabled === false) return;
    const kept = keepValue(result, MOST_BYTES);
    if (isOmitted(kept)) return;
    const entry: Entry = { kept, tools: job.analysis.permissions.tools, project: projectOf(job.context) };
    this.#exact.set(exactKey(job), entry);
    if (this.#intents !== undefined && intentVector !== undefined && job.intent !== undefined) {
      const inputs = hash(job.inputs);
      this.#intents.set(`${entry.project} ${inputs} ${job.intent}`, { ...entry, vector: intentVector, inputs });
    }
    const config = configOf(job.capability, this.#options.capability);
    if (job.capability === undefined || job.mode === "direct" || !usesTable(config)) return;
    const { ttlSeconds, maxEntries } = config;
    const paramsHash = paramsKey(job, config);
    await putCached(job.context, { capabilityId: job.capability.id, paramsHash, result: kept, ttlSeconds, maxEntries });
  }

  /** What rests on a tool; all of it when none is named. Gives how many went. */
  drop(context: StoreContext, tool?: string): number {
    const project = projectOf(context);
    let dropped = 0;
    for (const cache of [this.#exact, this.#intents]) {
      const stale = Array.from(cache?.entries() ?? []).filter(
        ([, entry]) => entry.project === project && (tool === undefined || entry.tools.includes(tool)),
      );
      for (const [key] of stale) dropped += Number(cache?.delete(key) === true);
    }
    return dropped;
  }
}

function configOf(capability: Capability | undefined, base: Partial<CacheConfig> = {}): CacheConfig {
  return { ...DEFAULT_CACHE_CONFIG, ...base, ...capability?.cacheConfig };
}

function usesTable({ cacheable, keyStrategy }: CacheConfig): boolean {
  return cacheable && keyStrategy !== "none";
}

/** The versions of its tools are part of what a run rests on. */
function exactKey({ analysis, inputs, workspace, context, options }: CacheableJob): string {
  const versions = analysis.permissions.tools.map((id) => [id, workspace.versions.get(id) ?? 0]);
  return hash([
    projectOf(context),
    context.scope.actor,
    analysis.source,
    inputs,
    versions,
    options.permissions ?? null,
  ]);
}

/** With `daily`, yesterday's results are not today's. */
function paramsKey({ inputs, workspace, analysis, context }: CacheableJob, { invalidateOn }: CacheConfig): string {
  const versions = analysis.permissions.tools.map((id) => [id, workspace.versions.get(id) ?? 0]);
  const day = invalidateOn.includes("daily") ? context.now().toISOString().slice(0, 10) : "";
  return hash([inputs, invalidateOn.includes("manual_only") ? [] : versions, day, context.scope.actor]);
}

function projectOf({ scope }: StoreContext): string {
  return JSON.stringify([scope.org, scope.project]);
}

function hash(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
