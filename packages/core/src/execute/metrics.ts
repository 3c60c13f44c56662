/** What is counted. A rate is worked out when it is asked for. */
const COUNTERS = [
  /** Of tools and capabilities for an intent: by `discover`, or by `execute` without anything to run. */
  "searches",
  /** Searches that found a capability sure enough to run by itself. */
  "matches",
  "executions",
  "successes",
  "failures",
  /** Requests with an intent and a context. */
  "speculations",
  /** Of those, answered by a capability that ran by itself, or from a cache. */
  "reuses",
  /** Answers with nothing but suggestions. */
  "suggestions",
  /** Of those, followed by something that used what was suggested. */
  "suggestionsTaken",
  "approvalsAsked",
  "approvalsGiven",
  "cacheLookups",
  "cacheHits",
  "toolCalls",
  /** Code or DAGs that were not known. */
  "drafts",
  /** Drafts that worked, and became capabilities. */
  "promotions",
  /** What ran by itself, and was not what was meant. */
  "wrongRuns",
  /** Names that were taken back from a version that did worse. */
  "rollbacks",
  "prefetches",
  "prefetchHits",
  "prefetchesWasted",
] as const;

export type Counter = (typeof COUNTERS)[number];

type Timed = "search" | "execution" | "prefetchSaved";

export type MetricsSnapshot = Record<Counter, number> & {
  /** From 0 to 1; 0 where nothing was counted. */
  rates: {
    success: number;
    match: number;
    reuse: number;
    cacheHit: number;
    suggestionTaken: number;
    promotion: number;
    prefetchHit: number;
  };
  averageMs: Record<Exclude<Timed, "prefetchSaved">, number>;
  /** What runs did not have to wait for, as their calls had been begun ahead of time. */
  savedMs: { prefetch: number };
};

/** Counts since the memory was opened. */
export class Metrics {
  readonly #counts = new Map<Counter, number>();
  readonly #times = { search: nothing(), execution: nothing(), prefetchSaved: nothing() };

  count(counter: Counter, by = 1): void {
    this.#counts.set(counter, this.get(counter) + by);
  }

  time(kind: Timed, durationMs: number): void {
    this.#times[kind].times++;
    this.#times[kind].ms += durationMs;
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
        suggestionTaken: share(counts.suggestionsTaken, counts.suggestions),
        promotion: share(counts.promotions, counts.drafts),
        prefetchHit: share(counts.prefetchHits, counts.prefetchHits + counts.prefetchesWasted),
      },
      averageMs: { search: this.#average("search"), execution: this.#average("execution") },
      savedMs: { prefetch: this.#times.prefetchSaved.ms },
    };
  }

  #average(kind: Timed): number {
    const { times, ms } = this.#times[kind];
    return share(ms, times);
  }
}

function nothing(): { times: number; ms: number } {
  return { times: 0, ms: 0 };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
