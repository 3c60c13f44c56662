import type { ArgumentSource } from "./argument-source.js";

/** What stands for "it happened", without saying where its input came from. */
const HAPPENED = "";

export type ArgumentSourcesState = readonly (readonly [
  subject: string,
  sources: readonly (readonly [source: ArgumentSource | null, runs: number])[],
])[];

export interface CountedSource {
  readonly source: ArgumentSource;
  /** In how many runs it was so. */
  readonly runs: number;
}

/**
 * Where calls got their inputs from, counted in runs. A subject is whatever is told apart: a tool, or one place in the
 * code of a capability. Counts only, so that a run can be taken out again.
 */
export class ArgumentSources {
  readonly #subjects = new Map<string, Map<string, number>>();

  /** Without a source, that the subject was there. `times` of -1 takes one observation back. */
  observe(subject: string, source: ArgumentSource | undefined, times: number): void {
    const counts = this.#subjects.get(subject) ?? new Map<string, number>();
    const key = keyOfSource(source);
    const runs = (counts.get(key) ?? 0) + times;
    if (runs > 0) counts.set(key, runs);
    else counts.delete(key);
    if (counts.size > 0) this.#subjects.set(subject, counts);
    else this.#subjects.delete(subject);
  }

  /** In how many runs the subject was there, or had its input from just this source. */
  count(subject: string, source?: ArgumentSource): number {
    return this.#subjects.get(subject)?.get(keyOfSource(source)) ?? 0;
  }

  /** The most frequent first. */
  list(subject: string): CountedSource[] {
    return [...(this.#subjects.get(subject) ?? [])]
      .filter(([key]) => key !== HAPPENED)
      .sort(([a, runsA], [b, runsB]) => runsB - runsA || (a < b ? -1 : 1))
      .map(([key, runs]) => ({ source: JSON.parse(key) as ArgumentSource, runs }));
  }

  toState(): ArgumentSourcesState {
    return [...this.#subjects]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([subject, counts]) => [
        subject,
        [...counts]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, runs]) => [key === HAPPENED ? null : (JSON.parse(key) as ArgumentSource), runs] as const),
      ]);
  }

  restore(state: ArgumentSourcesState): void {
    for (const [subject, sources] of state)
      for (const [source, runs] of sources) this.observe(subject, source ?? undefined, runs);
  }
}

function keyOfSource(source: ArgumentSource | undefined): string {
  return source === undefined ? HAPPENED : JSON.stringify(source);
}
