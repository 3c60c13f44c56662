import type { RunEvent } from "@pml/sandbox";

import type { LoggedCall } from "../../learn/run-log.js";
import { PmlError } from "../../model/error.js";
import { isReadOnly } from "../../model/tool.js";
import type { ToolBox } from "../tool-box.js";
import type { AnswerCall, AskedCall } from "../tool-door.js";
import type { Effects } from "./effects.js";
import { foresee, type Foreseen, type Foresight } from "./foresee.js";
import type { Guess, Guesses } from "./guesses.js";
import type { PrefetchOptions } from "./prefetch-options.js";
import type { RunFrames } from "./run-frames.js";

export interface EarlyCallsOptions {
  readonly options: Required<PrefetchOptions>;
  /** What the run goes through; absent for one in which nothing is called ahead of time. */
  readonly frames: RunFrames | undefined;
  readonly foresight: Foresight;
  readonly guesses: Guesses;
  readonly effects: Effects;
  readonly box: ToolBox;
  readonly limits: { readonly maxToolCalls: number; readonly maxConcurrentToolCalls: number };
  readonly now: () => number;
}

/** When a call that was begun early was really made. */
interface TrueTimes {
  readonly startMs: number;
  readonly durationMs: number;
  readonly savedMs: number;
}

/** Begins the calls that a run will make before it makes them, and answers with them when it does. */
export class EarlyCalls implements AnswerCall {
  readonly #run: EarlyCallsOptions;
  /** Places that a call was made at, or begun for. */
  readonly #seen = new Set<string>();
  readonly #times = new Map<string, TrueTimes>();
  readonly #unwatch: () => void;
  #open = 0;
  #made = 0;
  #isClosed = false;

  constructor(run: EarlyCallsOptions) {
    this.#run = run;
    this.#unwatch = run.effects.watch(() => this.#onEffect());
    this.#look();
  }

  observe(event: RunEvent): void {
    if (this.#run.frames?.observe(event) === true) this.#look();
  }

  async answer(call: AskedCall, make: () => Promise<unknown>): Promise<unknown> {
    this.#seen.add(call.path);
    this.#made++;
    if (!isReadOnly(call.tool)) return this.#run.effects.around(make);
    const guess = this.#run.guesses.take({ ...call, maxAgeMs: this.#run.options.maxAgeMs });
    this.#makeRoom();
    this.#open++;
    try {
      return await (guess === undefined ? make() : this.#use(guess, call, make));
    } finally {
      this.#open--;
    }
  }

  /** When each call that was answered by an early one was really made. */
  correct(calls: readonly LoggedCall[]): LoggedCall[] {
    return calls.map((call) => {
      const early = this.#times.get(call.id);
      return early === undefined ? call : { ...call, early };
    });
  }

  /** How long a call took that the run did not have to wait for. */
  findDuration(callId: string): number | undefined {
    return this.#times.get(callId)?.durationMs;
  }

  close(): void {
    this.#isClosed = true;
    this.#unwatch();
    this.#run.guesses.dropAll();
  }

  async #use(guess: Guess, { callId, signal }: AskedCall, make: () => Promise<unknown>): Promise<unknown> {
    const { guesses, now } = this.#run;
    const askedAt = now();
    const onAbort = (): void => guess.ending.abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    const outcome = await guess.outcome;
    signal.removeEventListener("abort", onAbort);
    if (outcome.ok) {
      const savedMs = guesses.noteUsed(guess, askedAt);
      const { startedAt: startMs, endedAt = now() } = guess;
      if (callId !== undefined) this.#times.set(callId, { startMs, durationMs: endedAt - startMs, savedMs });
      return outcome.value;
    }
    guesses.noteFailed();
    // Once is what the run would have waited, too.
    if (signal.aborted || isTimeout(outcome.error)) throw outcome.error;
    return make();
  }

  #onEffect(): void {
    if (this.#run.effects.areUnderWay) this.#run.guesses.dropAll();
    else this.#look();
  }

  #look(): void {
    const { frames, foresight, effects, options } = this.#run;
    if (this.#isClosed || frames === undefined || effects.areUnderWay) return;
    for (const frame of frames.list())
      for (const foreseen of foresee(frame, foresight))
        if (foreseen.confidence >= options.leastConfidence && !this.#seen.has(foreseen.path)) this.#start(foreseen);
  }

  #start({ path, tool: id, args }: Foreseen): void {
    const { guesses, options, limits, box } = this.#run;
    const tool = box.find(id);
    const hasRoom =
      guesses.risked < options.mostWasted &&
      this.#open + guesses.underWay < limits.maxConcurrentToolCalls &&
      this.#made + guesses.risked < limits.maxToolCalls;
    if (!hasRoom || tool === undefined || box.findProblem(id, args) !== undefined) return;
    this.#seen.add(path);
    guesses.start(tool, { path, args });
  }

  /** What was asked for comes before what was not. */
  #makeRoom(): void {
    const { guesses, limits } = this.#run;
    while (guesses.underWay > 0 && this.#open + guesses.underWay >= limits.maxConcurrentToolCalls)
      guesses.dropOneUnderWay();
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof PmlError && error.code === "PML_TOOL_TIMEOUT";
}
