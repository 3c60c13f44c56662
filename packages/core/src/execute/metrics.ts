/** What is counted. A rate is worked out when it is asked for. */
const COUNTERS = [
  "searches",
  "matches",
  "executions",
  "successes",
  "failures",
  "speculations",
  "reuses",
  "suggestions",
  "suggestionsTaken",
  "approvalsAsked",
  "approvalsGiven",
  "cacheLookups",
  "cacheHits",
  "toolCalls",
  "promotions",
  "wrongRuns",
  "prefetches",
  "prefetchHits",
  "prefetchesWasted",
] as const;

export type Counter = (typeof COUNTERS)[number];

export type MetricsSnapshot = Record<Counter, number> & {
  rates: { success: number; match: number; reuse: number; cacheHit: number; prefetchHit: number };
  averageMs: { search: number; execution: number };
  /** What runs did not have to wait for, as their calls had been begun ahead of time. */
  savedMs: { prefetch: number };
};

/** Counts since the memory was opened. */
export class Metrics {
  readonly #counts = new Map<Counter, number>();
  readonly #totalMs = { search: 0, execution: 0, prefetchSaved: 0 };

  count(counter: Counter, by = 1): void {
    this.#counts.set(counter, this.get(counter) + by);
  }

  time(kind: "search" | "execution" | "prefetchSaved", durationMs: number): void {
    this.#totalMs[kind] += durationMs;
  }

  get(counter: Counter): number {
    return this.#counts.get(counter) ?? 0;
  }

  read(): MetricsSnapshot {
    const counts = Object.fromEntries(COUNTERS.map((name) => [name, this.get(name)])) as Record<Counter, number>;
    return {
      ...counts,
      rates: {
        success: share(counts.successes, counts.successes + counts.failures),
        match: share(counts.matches, counts.searches),
        reuse: share(counts.reuses, counts.speculations),
        cacheHit: share(counts.cacheHits, counts.cacheLookups),
        prefetchHit: share(counts.prefetchHits, counts.prefetchHits + counts.prefetchesWasted),
      },
      averageMs: {
        search: share(this.#totalMs.search, counts.searches),
        execution: share(this.#totalMs.execution, counts.executions),
      },
      savedMs: { prefetch: this.#totalMs.prefetchSaved },
    };
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
