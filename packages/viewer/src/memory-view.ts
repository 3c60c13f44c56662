import type { StructureView } from "./structure.js";

/** All that the page is given, as JSON. Times are milliseconds since 1970, so that the page says them as its reader does. */
export interface MemoryView {
  title: string;
  madeAtMs: number;
  renderer: "auto" | "webgl" | "canvas";
  capabilities: CapabilityView[];
  tools: ToolView[];
  /** The largest first. */
  communities: CommunityView[];
  definition: Picture;
  invocation: Picture;
}

export interface CommunityView {
  /** The tools and capabilities that say most about it. */
  label: string;
  size: number;
}

export type ThingKind = "tool" | "capability" | "operation";
export type LinkType = "dependency" | "contains" | "provides" | "alternative" | "sequence";

/** A graph with a place for each node. */
export interface Picture {
  nodes: PictureNode[];
  links: PictureLink[];
  /** Text beside what belongs together: in the invocation view, the run. */
  captions: Caption[];
}

export interface PictureNode {
  /** Of the tool, capability or operation: several calls may be of one. */
  thing: string;
  kind: ThingKind;
  label: string;
  x: number;
  y: number;
  /** From 0 to 1: how much is said about it. */
  weight: number;
  /** Index into `communities`. */
  community?: number;
  /** Of a call. */
  call?: { startMs: number; durationMs: number; success: boolean };
}

export interface PictureLink {
  from: number;
  to: number;
  type: LinkType;
  source?: string;
  observations?: number;
}

export interface Caption {
  text: string;
  x: number;
  y: number;
  width: number;
}

export interface CapabilityView {
  id: string;
  name: string;
  isNamed: boolean;
  intent: string;
  description?: string;
  status: "draft" | "active" | "degraded";
  verified: boolean;
  visibility: string;
  createdBy: string;
  createdAtMs: number;
  updatedAtMs: number;
  statistics: StatisticsView;
  sourceType: "code" | "dag" | "tool";
  /** What was written, and the same with its literals as parameters. */
  code: string;
  parameterisedCode?: string;
  structure?: StructureView;
  learning: LearningView;
  parameters?: unknown;
  permissionSet?: string;
  tools: string[];
  calls: string[];
  community?: number;
  record?: RecordView;
  versions: VersionView[];
  examples: string[];
  dependencies: DependencyView[];
  related: RelatedView[];
  asked: AskedView[];
  runs: RunView[];
}

export interface StatisticsView {
  uses: number;
  successes: number;
  failures: number;
  averageMs?: number;
  lastUsedAtMs?: number;
}

/** What its runs add up to. */
export interface LearningView {
  runs: number;
  /** How often each step was reached. */
  visits: [nodeId: string, count: number][];
  decisions: { nodeId: string; outcome: string; count: number }[];
  /** The most frequent first. */
  ways: { nodes: readonly string[]; count: number; successes: number }[];
}

/** What stands under its name. */
export interface RecordView {
  /** Its hash cut short, which leads to it all the same. */
  fqdn: string;
  version: number;
  versionTag?: string;
  aliases: string[];
  tags: string[];
}

export interface VersionView {
  version: number;
  versionTag?: string;
  updatedBy: string;
  updatedAtMs: number;
  summary?: string;
  /** A unified diff against the version before. */
  diff: string;
}

export interface DependencyView {
  direction: "from" | "to";
  /** Of the capability at the other end. */
  id: string;
  type: LinkType;
  source: string;
  observations: number;
  confidence: number;
}

/** What the memory suggests beside it, and why. */
export interface RelatedView {
  kind: "tool" | "capability";
  id: string;
  score: number;
  reason: string;
}

/** An intent that it served. */
export interface AskedView {
  intent: string;
  uses: number;
}

export interface RunView {
  id: string;
  intent?: string;
  success: boolean;
  error?: string;
  startedAtMs: number;
  durationMs: number;
  mode?: string;
  match?: number;
  /** What was given besides defaults, in short. */
  given?: string;
  feedback?: { ok: boolean; correction?: string; by: string };
  args?: string;
  result?: string;
  decisions: { nodeId: string; outcome: string }[];
  tasks: TaskView[];
  /** Calls beyond those that are shown. */
  moreTasks: number;
}

export interface TaskView {
  id: string;
  parentId?: string;
  nodeId?: string;
  tool: string;
  success: boolean;
  error?: string;
  /** Since the run began. */
  startMs: number;
  durationMs: number;
  args?: string;
  result?: string;
}

export interface ToolView {
  id: string;
  description: string;
  available: boolean;
  version: number;
  readOnly?: boolean;
  destructive?: boolean;
  idempotent?: boolean;
  approval?: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
  examples?: unknown;
  uses?: StatisticsView;
  usedBy: string[];
  community?: number;
}
