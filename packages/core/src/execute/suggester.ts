import type { Suggestions, SuggestionsAnswer } from "./answer.js";
import type { Powers } from "./job.js";
import type { JobBase } from "./prepare.js";
import { Suggested } from "./suggested.js";
import { hasMatch, suggestFor } from "./suggestions.js";

const NOTHING_TO_RUN = "Nothing was given to run. Write code with these tools, or call a capability.";

/** Answers with what could be done, and notices when that is done. */
export class Suggester {
  readonly #powers: Powers;
  readonly #suggested = new Suggested();

  constructor(powers: Powers) {
    this.#powers = powers;
  }

  /** For an intent and nothing else. */
  async suggestOnly(base: JobBase, intent: string): Promise<SuggestionsAnswer> {
    const { metrics } = this.#powers;
    const startedAt = performance.now();
    metrics.count("searches");
    const suggestions = await this.find(base, intent);
    metrics.time("search", performance.now() - startedAt);
    if (hasMatch(base, suggestions.capabilities)) metrics.count("matches");
    return this.answer(base, suggestions, NOTHING_TO_RUN);
  }

  /** Instead of what was asked for. */
  async suggest(base: JobBase, intent: string, reason: string): Promise<SuggestionsAnswer> {
    return this.answer(base, await this.find(base, intent), reason);
  }

  find(base: JobBase, intent: string): Promise<Suggestions> {
    return this.#powers.telemetry.within("pml.search", {}, () => suggestFor(base, intent));
  }

  answer(base: JobBase, suggestions: Suggestions, reason: string): SuggestionsAnswer {
    this.#powers.metrics.count("suggestions");
    this.#suggested.note(base, suggestions);
    return { status: "suggestions", workflowId: base.workflowId, mode: base.mode, reason, suggestions };
  }

  /** Somebody uses these tools and capabilities. */
  noteUse(base: JobBase, used: readonly string[]): void {
    if (this.#suggested.take(base, used)) this.#powers.metrics.count("suggestionsTaken");
  }
}
