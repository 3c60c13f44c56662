import { isDeepStrictEqual } from "node:util";

import { type Tool } from "../../model/tool.js";
import type { Metrics } from "../metrics.js";
import { callInTime } from "../tool-door.js";
import type { Foreseen } from "./foresee.js";

type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown };

/** A call that was begun before anybody asked for it. */
export interface Guess extends Pick<Foreseen, "path" | "args"> {
  readonly tool: Tool;
  readonly startedAt: number;
  endedAt: number | undefined;
  readonly outcome: Promise<Outcome>;
  readonly ending: AbortController;
}

/** The calls of one run that were begun early and not yet asked for. What becomes of each is counted. */
export class Guesses {
  readonly #metrics: Metrics;
  readonly #now: () => number;
  readonly #waiting = new Map<string, Guess>();
  #wasted = 0;

  constructor(metrics: Metrics, now: () => number) {
    this.#metrics = metrics;
    this.#now = now;
  }

  /** Those that may still turn out to be for nothing, and those that have. */
  get risked(): number {
    return this.#waiting.size + this.#wasted;
  }

  get underWay(): number {
    return [...this.#waiting.values()].filter(({ endedAt }) => endedAt === undefined).length;
  }

  start(tool: Tool, { path, args }: Pick<Foreseen, "path" | "args">): void {
    // The tool may change what it is given; what it was given has to be compared with what is asked for.
    const given = copyData(args);
    if (given === undefined) return;
    const ending = new AbortController();
    const work = callInTime(tool, given, ending.signal);
    const outcome = work.then(
      (value): Outcome => ({ ok: true, value }),
      (error: unknown): Outcome => ({ ok: false, error }),
    );
    const guess: Guess = { path, args, tool, ending, outcome, startedAt: this.#now(), endedAt: undefined };
    this.#waiting.set(path, guess);
    this.#metrics.count("prefetches");
    void outcome.then(() => (guess.endedAt = this.#now()));
  }

  /** The one that is just this call, if there is one. One that was for this place and guessed wrongly is dropped. */
  take({
    path,
    tool,
    args,
    maxAgeMs,
  }: Pick<Guess, "path" | "tool" | "args"> & { maxAgeMs: number }): Guess | undefined {
    const here = this.#waiting.get(path);
    const isRight = (guess: Guess): boolean => guess.tool === tool && isDeepStrictEqual(guess.args, args);
    const found = here !== undefined && isRight(here) ? here : [...this.#waiting.values()].find(isRight);
    if (here !== undefined && found !== here) this.drop(here);
    if (found?.endedAt !== undefined && this.#now() - found.endedAt > maxAgeMs) {
      this.drop(found);
      return undefined;
    }
    if (found !== undefined) this.#waiting.delete(found.path);
    return found;
  }

  /** It was asked for, and what it gave is used. Returns how long that was not waited for. */
  noteUsed({ startedAt, endedAt = this.#now() }: Guess, askedAt: number): number {
    const savedMs = Math.min(askedAt, endedAt) - startedAt;
    this.#metrics.count("prefetchHits");
    this.#metrics.time("prefetchSaved", savedMs);
    return savedMs;
  }

  /** It was asked for and did not work; it is made again as if it had never been. */
  noteFailed(): void {
    this.#wasted++;
    this.#metrics.count("prefetchesWasted");
  }

  drop(guess: Guess): void {
    if (!this.#waiting.delete(guess.path)) return;
    this.noteFailed();
    guess.ending.abort(new Error("Nobody asked for this call, which was begun ahead of time."));
  }

  dropAll(): void {
    this.#waiting.forEach((guess) => this.drop(guess));
  }

  /** One that is still under way makes room for a call that was asked for. */
  dropOneUnderWay(): void {
    const last = [...this.#waiting.values()].findLast(({ endedAt }) => endedAt === undefined);
    if (last !== undefined) this.drop(last);
  }
}

/** Undefined for what is no data: the run itself says what is wrong with it. */
function copyData(args: unknown): Record<string, unknown> | undefined {
  try {
    return structuredClone(args) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
