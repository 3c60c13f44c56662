/**
 * How much each ranker counts depends on how the query and the candidates look: `weights[signal][look]`. A ranker that
 * singles out one candidate, or whose words cover the query, is worth more than one whose scores lie close together
 * (query performance prediction: Shtok et al., 2012).
 */
export type FusionWeights = readonly (readonly number[])[];

/** Of a logistic model: first the constant, then one a feature. */
export type SameRequestWeights = readonly number[];
