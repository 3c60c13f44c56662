export const EDGE_TYPES = ["dependency", "contains", "provides", "alternative", "sequence"] as const;
export type EdgeType = (typeof EDGE_TYPES)[number];

export const EDGE_SOURCES = ["template", "inferred", "observed", "manual"] as const;
export type EdgeSource = (typeof EDGE_SOURCES)[number];

/** How much a kind of relation says about what belongs together. */
export const EDGE_TYPE_WEIGHTS: Readonly<Record<EdgeType, number>> = {
  dependency: 1,
  contains: 0.8,
  provides: 0.7,
  alternative: 0.6,
  sequence: 0.5,
};

/** How much to trust where a relation is known from. */
export const EDGE_SOURCE_WEIGHTS: Readonly<Record<EdgeSource, number>> = {
  template: 0.5,
  inferred: 0.7,
  observed: 1,
  manual: 1,
};

/** Seen fewer times than this, a relation may be an accident and counts as inferred. */
export const OBSERVATIONS_TO_TRUST = 3;

/** Edges no surer than this stay out of a graph when it is loaded. */
export const LOADED_ABOVE_CONFIDENCE = 0.3;

/** How often each source said that the edge is there. */
export type EdgeCounts = Readonly<Record<EdgeSource, number>>;

/** Keyed by `from`, `to` and `type`: the same two nodes may stand to each other in several ways. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly type: EdgeType;
  readonly source: EdgeSource;
  readonly observations: number;
  /** Of the type times of the source, in (0, 1]. */
  readonly weight: number;
}

/** The most trusted of the sources that spoke. */
export function sourceOf(counts: EdgeCounts): EdgeSource {
  if (counts.manual > 0) return "manual";
  if (counts.observed >= OBSERVATIONS_TO_TRUST) return "observed";
  return counts.observed > 0 || counts.inferred > 0 ? "inferred" : "template";
}

export function weightOf(type: EdgeType, source: EdgeSource): number {
  return EDGE_TYPE_WEIGHTS[type] * EDGE_SOURCE_WEIGHTS[source];
}
