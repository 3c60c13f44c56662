import type { Scope } from "../../model/scope.js";

export interface EvaluateRequest {
  /** Runs looked at, the newest ones. Default 1000. */
  limit?: number;
  scope?: Partial<Scope>;
  signal?: AbortSignal;
}

/** The least and most the true figure may well be, with 95 % confidence. */
export interface Interval {
  low: number;
  high: number;
}

/** How many of how many. Of fewer than ten no share is given: it would say nothing. */
export interface Share {
  count: number;
  of: number;
  share: number | undefined;
  interval: Interval | undefined;
}

/** What something comes to on average. Of fewer than ten nothing is given. */
export interface Mean {
  of: number;
  mean: number | undefined;
  interval: Interval | undefined;
}

/** How far a score says how often what has it is right. */
export interface Calibration {
  of: number;
  /** Mean squared distance of the score from what came of it: 0 is best, 0.25 is what saying one half always gives. */
  brier: Mean;
  /** Expected calibration error: how far score and frequency lie apart in a bin, over all bins. Of thirty scores or more. */
  error: number | undefined;
  /** Tenths of the scale; those without a score are left out. */
  bins: CalibrationBin[];
}

export interface CalibrationBin {
  from: number;
  to: number;
  /** The mean of its scores. */
  score: number;
  right: Share;
}

/** What the memory is worth, by the host's own runs. */
export interface Evaluation {
  /** Looked at, of those that are kept and may be seen. */
  runs: { looked: number; kept: number };
  /** Of which it is known what serves them: somebody chose it, or found the memory's own choice right. */
  intents: {
    /** Runs that served one. */
    served: number;
    /** Of those, runs whose intent another says too, values aside: they are asked once. */
    repeats: number;
    /** Intents that repeat the name or the description of a tool or a capability: they would find it by heart. */
    leaked: { names: number; descriptions: number };
    /** What is left, and asked. */
    asked: number;
    /** Of those, with others that are all but a copy, which were held out with them. */
    copied: number;
  };
  /** Each intent asked anew of the memory without what runs for it, or for one that says the same, have taught. */
  recall: {
    /** Of intents for which the memory still has something that served them, learned from others. */
    known: {
      /** It is the one that would be chosen, be it sure enough or not. */
      chosen: Share;
      /** It is among the first five that are offered. */
      amongFive: Share;
      /** It would run by itself. */
      run: Share;
      /** Another would. */
      wrong: Share;
    };
    /** Of intents that nothing left in the memory served: for so many something would run by itself. */
    unknown: { wrong: Share };
    tools: {
      /** The first tool found is one that served. */
      first: Share;
      /** How much of what served is among the first five. */
      amongFive: Mean;
    };
  };
  /** Of runs for an intent. What was answered from a cache left none. */
  reuse: {
    /** Something known ran, chosen by the memory. */
    byItself: Share;
    /** Something known ran, called by name. */
    byName: Share;
  };
  /** What ran by itself. */
  automatic: {
    runs: number;
    failed: number;
    /** Nobody said how it was, nor did what came next. */
    unjudged: number;
    /** Of those that were judged. */
    wrong: Share;
  };
  /** For each run of something known: less than it took when code was written for it, failed attempts included. */
  saved: {
    /** Milliseconds of running; what writing took is not known here. */
    ms: Mean;
    toolCalls: Mean;
    /** Runs of which it is not known what the first one took. */
    notCompared: number;
    /** Calls that had been begun before they were asked for, and the milliseconds that were not waited for them. */
    prefetch: { used: Share; ms: number };
  };
  calibration: {
    /** Of what would be chosen for each intent asked. */
    heldOut: Calibration;
    /** Of what ran by itself or was offered, by what was said and done then. */
    outcomes: Calibration;
  };
}
