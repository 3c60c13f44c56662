import type { ErrorAnswer, Suggestions, SuggestionsAnswer } from "./answer.js";
import type { Powers } from "./job.js";
import type { JobBase } from "./prepare.js";
import { Suggested } from "./suggested.js";
import { hasMatch, suggestFor } from "./suggestions.js";

const NOTHING_TO_RUN = "Nothing was given to run. Write code with these tools, or call a capability.";

const SUGGESTED_AFTER_ERROR = 3;
/** Nobody tries again. */
const ENDED: ReadonlySet<string> = new Set(["PML_CLOSED", "PML_REJECTED", "SANDBOX_ABORTED"]);

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

  /** What else might serve, beside what went wrong: the next try is made with it. */
  async addTo(base: JobBase, answer: ErrorAnswer): Promise<ErrorAnswer> {
    if (base.intent === undefined || ENDED.has(answer.error.code)) return answer;
    try {
      const suggestions = await suggestFor(base, base.intent, SUGGESTED_AFTER_ERROR);
      return { ...answer, suggestions };
    } catch (error) {
      this.#powers.warn("There is nothing to suggest after an error.", { error: (error as Error).name });
      return answer;
    }
  }

  /** Somebody uses these tools and capabilities. */
  noteUse(base: JobBase, used: readonly string[]): void {
    if (this.#suggested.take(base, used)) this.#powers.metrics.count("suggestionsTaken");
  }
}
