export type * from "./model/capability.js";
export {
  type CapabilityDependency,
  EDGE_SOURCES,
  EDGE_TYPES,
  type EdgeSource,
  type EdgeType,
  type NewDependency,
  type NewToolDependency,
  type ToolDependency,
} from "./model/dependency.js";
export { PML_ERROR_CODES, PmlError, type PmlErrorCode } from "./model/error.js";
export { DEFAULT_SCOPE, type Scope, type Visibility } from "./model/scope.js";
export type * from "./model/tool.js";
export type * from "./model/trace.js";
export type { CapabilityBundle, ConflictRule, ImportResult } from "./store/bundle.js";
export { CapabilityStore } from "./store/capability-store.js";
export type { ListOptions, PutResult } from "./store/capabilities.js";
export type { StoreChange } from "./store/changes.js";
export type { Database, Queryable, Row } from "./store/database/database.js";
export type { LockHolder } from "./store/database/directory-lock.js";
export { type DirectoryReport, inspectDirectory } from "./store/database/inspect-directory.js";
export { openPglite, type PgliteOptions } from "./store/database/pglite-database.js";
export { openPostgres, type PostgresOptions } from "./store/database/postgres-database.js";
export type { Forgotten } from "./store/forget/forget-trace.js";
export type { Direction } from "./store/dependencies.js";
export type { CapabilityExample } from "./store/known-code.js";
export type { LearnedStateKind } from "./store/learned-state.js";
export { migrate, SCHEMA_VERSION } from "./store/migrations/migrate.js";
export type { StoreOptions } from "./store/open-context.js";
export type { Retention } from "./store/retention.js";
export type { CapabilityMatch, CapabilityMatchWithDependencies, SearchOptions } from "./store/search.js";
export type { ToolUsage, ToolUse } from "./store/tool-edges.js";
export type { StoreSummary } from "./store/summary.js";
export type { TraceQuery } from "./store/traces.js";
export type { ReembedProgress } from "./store/vectors/re-embed-progress.js";
export type { Candidate, PastIntent, Query } from "./discover/candidate.js";
export { listViews } from "./model/views.js";
export { describeQuery, describeRecalled, judgeRecalled, judgeTools } from "./discover/judge-tools.js";
export { LexicalIndex } from "./discover/lexical-index.js";
export { cosine, findTop, standardise } from "./discover/likeness.js";
export { describeSchema } from "./model/schema-text.js";
export { listContentWords, listWords } from "./discover/words.js";
export { describeFusion, fuse, type FusionInputs } from "./discover/fusion.js";
export { CandidateIndex, type RankerScores } from "./discover/ranker-scores.js";
export { IntentMemory, type MemoryScores } from "./discover/intent-memory.js";
export { FlowMemory } from "./discover/flow-memory.js";
export { type Example, fitListwise, type ListwiseOptions } from "./discover/listwise.js";
export { type Clause, listClauses, locateMentions } from "./discover/mention-order.js";
export { type NextRequest, type NextTool, NextMemory, type PastRun } from "./discover/next-memory.js";
export { type NearIntent, PlanMemory } from "./discover/plan-memory.js";
export type { Planning } from "./discover/planner.js";
export { suggestPlan } from "./discover/suggest-plan.js";
export { describeRecall, recall } from "./discover/recall.js";
export { findNearestRequest, judgeSame, type NearestRequest, type StoredRequest } from "./discover/same-request.js";
export type { FusionWeights, SameRequestWeights } from "./discover/weights.js";
export type {
  Discovered,
  DiscoveredCapability,
  DiscoveredTool,
  DiscoverRequest,
  DiscoverResult,
} from "./discover/discover.js";
export type * from "./execute/answer.js";
export type { CacheControl } from "./execute/cache-control.js";
export type { CacheOptions } from "./execute/caches.js";
export type { CoverageCount, DecisionCoverage } from "./execute/dry-run-report.js";
export type { DryRunReport, DryRunRequest, DryRunRun } from "./execute/dry-run.js";
export {
  defineTool,
  type DefinedTool,
  type PlainJsonSchema,
  type ToolArguments,
  type ToolDefinition,
  type ToolInput,
  type ToolOutput,
  type ToolSchema,
} from "./execute/define-tool.js";
export {
  CHARACTERS_PER_TOKEN,
  DEFAULT_DESCRIBE_BUDGET,
  type DescribeRequest,
  type Description,
} from "./execute/describe/describe.js";
export type { EventListener, PmlEvent } from "./execute/events.js";
export type { ApproveOptions, ResumeOptions } from "./execute/continuations.js";
export type { ForgetRequest } from "./execute/forget.js";
export type { Feedback, FeedbackResult } from "./execute/feedback.js";
export type { ApprovalAnswerGiven } from "./execute/job.js";
export type { CreateCapability, ManageCapabilities } from "./execute/manage-capabilities.js";
export type * from "./execute/meter/evaluation.js";
export type { Counter, MetricsSnapshot } from "./execute/metrics.js";
export { DEFAULT_PML_OPTIONS, type Logger, type PmlOptions } from "./execute/pml-options.js";
export { DEFAULT_PREFETCH_OPTIONS, type PrefetchOptions } from "./execute/prefetch/prefetch-options.js";
export type {
  DagRequest,
  DirectRequest,
  ExecuteOptions,
  ExecuteRequest,
  NamedRequest,
  OpenRequest,
  SpeculateRequest,
  SuggestRequest,
} from "./execute/request.js";
export type { Difference, DifferenceKind } from "./execute/replay-difference.js";
export type { ReplayReport, ReplayRequest } from "./execute/replay.js";
export type { Trial, Versions } from "./execute/trial/try-version.js";
export type { Attributes, SpanLike, TelemetryOptions, TracerLike } from "./execute/telemetry.js";
export { describePath } from "./execute/taint/describe-flow.js";
export type { TaintFlow } from "./execute/taint/find-flows.js";
export type { TaintOptions } from "./execute/taint/taint-options.js";
export type { FlowStep } from "./execute/taint/trail.js";
export type { TaskResultPage, TaskResultRequest } from "./execute/task-result.js";
export { runWithin } from "./execute/run-within.js";
export type { Tools } from "./execute/tools.js";
export { type CapabilityLearning, findDominantPath, type LearnedWay } from "./model/learning.js";
export type { RedactionOptions } from "./model/redact.js";
export { createPml, type Pml } from "./pml.js";
export type { Invalidation, InvalidationTrigger } from "./store/cache.js";
export type { Workflow } from "./store/workflows.js";
export type { Assignment } from "./names/assign.js";
export type { Bundle, PackageContent } from "./names/bundle.js";
export type { CurationFilter } from "./names/curate/candidates.js";
export type { CurationReport, CurationRequest, NameSuggestion } from "./names/curate/curate.js";
export { DEFAULT_TRIGGER, type TriggerOptions } from "./names/curate/curation-trigger.js";
export type { ParentProposal } from "./names/curate/near-duplicates.js";
export type { DisplayName } from "./names/display-name.js";
export type { Fork } from "./names/fork.js";
export { type Fqdn, formatFqdn, parseFqdn, shortenFqdn } from "./names/fqdn.js";
export type { HistoryEntry } from "./names/history.js";
export type { BundleReport, ImportOptions } from "./names/import-bundle.js";
export type { ListCapabilities, ListedCapability } from "./names/list.js";
export type { Whois } from "./names/lookup.js";
export type { Merge } from "./names/merge.js";
export type { Curate, NameCalls } from "./names/name-calls.js";
export { createNames, type Names, type NamesOptions } from "./names/names.js";
export type { NamesPowers, Replayable, SampleTrace, Verdict } from "./names/powers.js";
export type { RecordQuery } from "./names/query.js";
export type { CapabilityRecord } from "./names/record.js";
export type { Removal } from "./names/remove.js";
export type { Resolution } from "./names/resolve.js";
export type { ResolvedCalls } from "./names/resolve-calls.js";
export { toSafeToolName, toSafeToolNames } from "./names/safe-tool-name.js";
export type { TagChanges } from "./names/tags.js";
export type { Update, Updated } from "./names/update.js";
export type * from "./agent/agent-tool.js";
export { DEFAULT_AGENT_TOOLS } from "./agent/agent-tool.js";
export { listAgentTools } from "./agent/agent-tools.js";
export { toJson } from "./agent/json-answer.js";
