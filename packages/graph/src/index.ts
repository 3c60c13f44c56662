export * from "./edge.js";
export type { Related } from "./engine/adamic-adar.js";
export {
  DEFAULT_ENGINE_OPTIONS,
  type Direction,
  type EngineOptions,
  GraphRAGEngine,
  type StoredEdge,
} from "./engine/engine.js";
export type { Hyperedge } from "./engine/hyperedges.js";
export type { EngineSnapshot } from "./engine/engine-snapshot.js";
export type { DefinitionNode, GraphView, InvocationNode, ViewEdge } from "./engine/views.js";
export { GRAPH_ERROR_CODES, GraphError, type GraphErrorCode, type GraphErrorDetails } from "./error.js";
export type * from "./facts.js";
export { PathCounts } from "./next/path-counts.js";
export { DEFAULT_PREDICT_OPTIONS, type NextStep, predictNext, type PredictOptions } from "./next/predict-next.js";
export { CAPABILITY_PREFIX, kindOfNode, type NodeData, type NodeKind } from "./node.js";
export {
  computeCoverage,
  type Coverage,
  type FieldMapping,
  type ProvidesCoverage,
  type ToolSchemas,
} from "./provides/coverage.js";
export {
  createProvidesEdges,
  DEFAULT_PROVIDES_OPTIONS,
  type ProvidesEdge,
  type ProvidesOptions,
} from "./provides/create-provides-edges.js";
export type { CallEvent, RunRecord } from "./run/call-event.js";
export { factsFromRun } from "./run/facts-from-run.js";
export { type Drift, findDrift } from "./types/drift.js";
export { type LearnedField, type LearnedType, mergeTypes, typeOfValue } from "./types/learned-type.js";
export type { ArgumentSource, SourcePath, Turn } from "./sources/argument-source.js";
export type { ArgumentSources, CountedSource } from "./sources/argument-sources.js";
export type { LearnedTypes } from "./types/learned-types.js";
export { type JsonSchema, typeToSchema } from "./types/type-to-schema.js";
export type { Dag, DagTask } from "./reconstruct/dag.js";
export { type Learning, mergeRuns, type PathStatistics, type TakenPath } from "./reconstruct/learning.js";
export {
  type DecidedRun,
  type MergedStep,
  mergeStructure,
  type MergedStructure,
} from "./reconstruct/merge-structure.js";
export { reconstructDag } from "./reconstruct/reconstruct-dag.js";
export { DEFAULT_SUGGEST_OPTIONS, suggest, type SuggestOptions, type Suggestion } from "./suggest/suggest.js";
export { inferEdges, type InferOptions, type InferredEdge } from "./suggest/infer-edges.js";
export {
  type CandidateTool,
  type DagRequest,
  type PastPlan,
  suggestDag,
  type SuggestedDag,
  type ToolSchema,
} from "./suggest/suggest-dag.js";
export type { ContextKey } from "./thresholds/context-key.js";
export type { ThresholdEvidence } from "./thresholds/decide-threshold.js";
export {
  DEFAULT_THRESHOLD_OPTIONS,
  DEFAULT_THRESHOLD_RULES,
  type FloorRule,
  type ThresholdOptions,
  type ThresholdRule,
} from "./thresholds/threshold-rule.js";
export type { ThresholdSnapshot } from "./thresholds/threshold-snapshot.js";
export {
  createThresholds,
  judgeScore,
  type ThresholdDecision,
  type ThresholdOutcome,
  type Thresholds,
} from "./thresholds/thresholds.js";
export {
  decideScorer,
  type GateOptions,
  type HeldOutTrace,
  type ScorerEvidence,
  type ScorerVerdict,
} from "./scoring/decide-scorer.js";
export type { Neighbour, ScoringQuestion } from "./scoring/decision.js";
export { type CandidateFacts, type Feature, FEATURES } from "./scoring/features.js";
export {
  createLearnedScorer,
  DEFAULT_SCORER_OPTIONS,
  type LearnedScorer,
  type ScorerOptions,
  type ScorerSnapshot,
} from "./scoring/learned-scorer.js";
export type { ModelName } from "./scoring/models.js";
export {
  createPathValues,
  DEFAULT_PATH_VALUE_OPTIONS,
  type PathValueOptions,
  type PathValues,
  type PathValueSnapshot,
} from "./scoring/path-values.js";
export { createSumTree, type SumTree } from "./scoring/sum-tree.js";
