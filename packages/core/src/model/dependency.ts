export const EDGE_TYPES = ["dependency", "contains", "provides", "alternative", "sequence"] as const;
export type EdgeType = (typeof EDGE_TYPES)[number];

export const EDGE_SOURCES = ["template", "inferred", "observed", "manual"] as const;
export type EdgeSource = (typeof EDGE_SOURCES)[number];

/** How sure an edge is by where it comes from. */
export const SOURCE_CONFIDENCE: Readonly<Record<EdgeSource, number>> = {
  template: 0.5,
  inferred: 0.7,
  observed: 1,
  manual: 1,
};

/** So many observations make an inferred edge an observed one. */
export const OBSERVED_AT = 3;

/** An edge between two capabilities. */
export interface CapabilityDependency {
  fromCapabilityId: string;
  toCapabilityId: string;
  edgeType: EdgeType;
  edgeSource: EdgeSource;
  observedCount: number;
  confidenceScore: number;
  createdAt: Date;
  lastObserved: Date;
}

export interface NewDependency {
  fromCapabilityId: string;
  toCapabilityId: string;
  edgeType: EdgeType;
  /** `inferred` when not given. */
  edgeSource?: EdgeSource;
  /** That of its source when not given. */
  confidenceScore?: number;
}

/** An edge between two tools, as it is stored. */
export interface ToolDependency {
  fromToolId: string;
  toToolId: string;
  edgeType: EdgeType;
  edgeSource: EdgeSource;
  observedCount: number;
  confidenceScore: number;
  createdAt: Date;
  lastObserved: Date;
}

/** An edge between two tools, as runs or schemas show it. */
export interface NewToolDependency {
  fromToolId: string;
  toToolId: string;
  edgeType: EdgeType;
  edgeSource?: EdgeSource;
  confidenceScore?: number;
}
