/**
 * What is known of a candidate when the next step is to be ranked. The numbers come from outside (the graph, the store,
 * the embeddings), so that scoring depends on none of them. All but the counts lie in [0, 1].
 */
export interface CandidateFacts {
  /** The score of the unlearned ranking. A scorer that has learned nothing ranks by this alone. */
  unlearned: number;
  successes: number;
  failures: number;
  /** Share of the runs with the context's tools that also had this one. */
  coOccurrence: number;
  /** Share of the times that the last tool was followed by this one. */
  follows: number;
  /** How usual this one is at this place of a run. */
  position: number;
  /** 1 for just now, falling towards 0. */
  recency: number;
  /** Share of the context in the same community. */
  community: number;
  /** Relative to the highest. */
  pageRank: number;
  intentLikeness: number;
  /** Learned value of the path from here, as `PathValues` gives it. */
  pathValue: number;
  /** Whether the context has it already, as 0 or 1. */
  repeated: number;
}

export const FEATURES = [
  "unlearned",
  "successRate",
  "successDoubt",
  "coOccurrence",
  "follows",
  "position",
  "recency",
  "community",
  "pageRank",
  "intentLikeness",
  "pathValue",
  "repeated",
  "usage",
] as const;

export type Feature = (typeof FEATURES)[number];

const USAGE_SCALE = Math.log(1001);

/** The facts as a model reads them: in the order of `FEATURES`, each in [0, 1], whatever came in. */
export function writeFeatures(facts: CandidateFacts, into: Float64Array, offset: number): void {
  const successes = count(facts.successes);
  const trials = successes + count(facts.failures);
  // Mean and deviation of the Beta posterior under a uniform prior: one lucky run is neither certain nor sure.
  const mean = (successes + 1) / (trials + 2);
  const values: Record<Feature, number> = {
    ...facts,
    successRate: mean,
    successDoubt: Math.sqrt((12 * mean * (1 - mean)) / (trials + 3)),
    usage: Math.log1p(trials) / USAGE_SCALE,
  };
  for (const [at, feature] of FEATURES.entries()) into[offset + at] = unit(values[feature]);
}

function count(value: number): number {
  return Number.isFinite(value) ? Math.max(0, value) : 0;
}

/** NaN and infinities read as nothing known: one broken number must not spoil a ranking. */
export function unit(value: number): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}
