import type { ScoringQuestion } from "./decision.js";
import { createRandom } from "./random.js";

/** A run that no scorer learned from: each step's question, and what was chosen. */
export interface HeldOutTrace {
  decisions: readonly { question: ScoringQuestion; chosen: number }[];
}

export interface ScorerEvidence {
  traces: number;
  decisions: number;
  /** Mean reciprocal rank of what was chosen. */
  learned: number;
  unlearned: number;
  /** Of learned − unlearned, with its interval. */
  difference: number;
  lower: number;
  upper: number;
}

export interface ScorerVerdict {
  use: "learned" | "unlearned";
  reason: string;
  evidence: ScorerEvidence;
}

export interface GateOptions {
  score(question: ScoringQuestion): ArrayLike<number>;
  /** What is in use now: changing takes more than staying. */
  current: "learned" | "unlearned";
  seed: number;
  minTraces: number;
  resamples: number;
}

const DEFAULTS = { current: "unlearned", seed: 1, minTraces: 30, resamples: 1000 } as const;
const TAIL = 0.025;

/**
 * The learned scorer is used only while it beats the unlearned ranking on the host's own runs. Traces are resampled
 * whole (paired bootstrap, Efron & Tibshirani 1993): the steps of one run are no independent evidence. To come on, the
 * whole interval has to be above 0; to stay on, its middle.
 */
export function decideScorer(
  heldOut: readonly HeldOutTrace[],
  given: Partial<GateOptions> & Pick<GateOptions, "score">,
): ScorerVerdict {
  const options = { ...DEFAULTS, ...given };
  const traces = heldOut.filter(({ decisions }) => decisions.length > 0);
  const rows = traces.map(({ decisions }) => compareRanks(decisions, options.score));
  const evidence = summarise(rows, options);
  if (traces.length < options.minTraces) {
    return {
      use: "unlearned",
      reason: `${traces.length} held-out runs are too few; ${options.minTraces} are needed.`,
      evidence,
    };
  }
  const better = options.current === "learned" ? evidence.difference > 0 : evidence.lower > 0;
  const reason = `The learned ranking is ${better ? "" : "not shown to be "}better on ${traces.length} held-out runs.`;
  return { use: better ? "learned" : "unlearned", reason, evidence };
}

interface Row {
  learned: number;
  unlearned: number;
  decisions: number;
}

function compareRanks(decisions: HeldOutTrace["decisions"], score: GateOptions["score"]): Row {
  const row = { learned: 0, unlearned: 0, decisions: decisions.length };
  for (const { question, chosen } of decisions) {
    row.learned += reciprocalRank(score(question), chosen);
    row.unlearned += reciprocalRank(
      question.candidates.map(({ unlearned }) => unlearned),
      chosen,
    );
  }
  return row;
}

/** Ties share their ranks: a scorer that says the same of all gets no credit for the order they came in. */
function reciprocalRank(scores: ArrayLike<number>, chosen: number): number {
  const own = scores[chosen] ?? Number.NaN;
  if (Number.isNaN(own)) return 0;
  let above = 0;
  let level = 0;
  for (let at = 0; at < scores.length; at++) {
    if (scores[at]! > own) above++;
    else if (at !== chosen && scores[at] === own) level++;
  }
  return 1 / (1 + above + level / 2);
}

function summarise(rows: readonly Row[], { seed, resamples }: { seed: number; resamples: number }): ScorerEvidence {
  const random = createRandom(seed);
  const draw = (): Row => rows[Math.floor(random.next() * rows.length)]!;
  const drawn = rows.length === 0 ? [] : Array.from({ length: resamples }, () => meanDifference(rows.map(draw)));
  drawn.sort((left, right) => left - right);
  const decisions = rows.reduce((sum, row) => sum + row.decisions, 0);
  const mean = (side: "learned" | "unlearned"): number =>
    rows.reduce((sum, row) => sum + row[side], 0) / (decisions || 1);
  return {
    traces: rows.length,
    decisions,
    learned: mean("learned"),
    unlearned: mean("unlearned"),
    difference: mean("learned") - mean("unlearned"),
    lower: drawn[Math.floor(TAIL * drawn.length)] ?? 0,
    upper: drawn[Math.ceil((1 - TAIL) * drawn.length) - 1] ?? 0,
  };
}

function meanDifference(rows: readonly Row[]): number {
  const decisions = rows.reduce((sum, row) => sum + row.decisions, 0);
  return rows.reduce((sum, row) => sum + row.learned - row.unlearned, 0) / decisions;
}
