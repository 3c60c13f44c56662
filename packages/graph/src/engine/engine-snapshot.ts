import type { EdgeCounts, EdgeType } from "../edge.js";
import type { PathCountsState } from "../next/path-counts.js";
import type { NodeData } from "../node.js";
import type { ArgumentSourcesState } from "../sources/argument-sources.js";
import type { LearnedTypesState } from "../types/learned-types.js";
import type { RecentCallsState } from "./recent-calls.js";

/** Everything the engine knows, as JSON. Restoring it and taking it again gives the same. */
export interface EngineSnapshot {
  readonly version: 1;
  readonly nodes: readonly (Omit<NodeData, "kind"> & { readonly mentions: number })[];
  readonly edges: readonly (readonly [from: string, to: string, type: EdgeType, counts: EdgeCounts])[];
  readonly paths: PathCountsState;
  readonly types: LearnedTypesState;
  readonly calls: RecentCallsState;
  readonly sources: ArgumentSourcesState;
}
