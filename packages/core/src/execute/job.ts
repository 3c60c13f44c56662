import type { Analysis, DAGStructure } from "@pml/analyzer";
import type { Limits, Permissions, Sandbox } from "@pml/sandbox";

import type { Capability } from "../model/capability.js";
import type { Scope } from "../model/scope.js";
import type { TraceWork } from "../model/trace.js";
import type { StoreContext } from "../store/context.js";
import type { Analyses } from "./analyses.js";
import type { ApprovalRequest, ExecuteMode } from "./answer.js";
import type { Caches } from "./caches.js";
import type { Closure } from "./closure.js";
import type { Metrics } from "./metrics.js";
import type { Naming } from "./naming.js";
import type { Effects } from "./prefetch/effects.js";
import type { PrefetchOptions } from "./prefetch/prefetch-options.js";
import type { ExecuteOptions } from "./request.js";
import type { Redacting } from "./run-redaction.js";
import type { Taint } from "./taint/taint-options.js";
import type { Telemetry } from "./telemetry.js";
import type { ToolBox } from "./tool-box.js";
import type { UnderWay } from "./under-way.js";
import type { Workspace } from "./workspace.js";

/** What a person may answer. */
export interface ApprovalAnswerGiven {
  approved: boolean;
  /** Only these of the tools that were asked for; all when not given. */
  tools?: readonly string[];
  reason?: string;
}

/** What everything that executes works with. */
export interface Powers extends Redacting {
  readonly box: ToolBox;
  readonly sandbox: Sandbox;
  readonly permissions: Permissions;
  readonly limits: Partial<Limits>;
  /** Tasks of a DAG under way at the same time. */
  readonly concurrency: number;
  readonly approvalTtlMs: number;
  readonly taskResultTtlMs: number;
  readonly caches: Caches;
  readonly metrics: Metrics;
  /** How calls are made ahead of time; absent where they are not. */
  readonly prefetch: { readonly options: Required<PrefetchOptions>; readonly effects: Effects } | undefined;
  /** What strangers write, and what they must not steer. */
  readonly taint: Taint;
  readonly naming: Naming;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Both say what happened, by ids, codes and counts; never on what. */
  readonly info: (message: string, details: Record<string, unknown>) => void;
  readonly warn: (message: string, details: Record<string, unknown>) => void;
  /** Answers at once, where the host can. */
  readonly onApproval?: (request: ApprovalRequest) => Promise<ApprovalAnswerGiven> | ApprovalAnswerGiven;
  readonly telemetry: Telemetry;
  readonly underWay: UnderWay;
  analyses(): Analyses;
  open(scope: Partial<Scope> | undefined): Promise<Place>;
}

/** Where a job is done: a project, as one actor sees it. */
export interface Place {
  readonly workspace: Workspace;
  readonly context: StoreContext;
}

/** Something to run, understood. */
export interface Job extends Place {
  readonly mode: ExecuteMode;
  readonly workflowId: string;
  readonly intent: string | undefined;
  readonly options: ExecuteOptions;
  readonly analysis: Analysis;
  /** Everything it may reach. */
  readonly closure: Closure;
  readonly inputs: Record<string, unknown>;
  /** What the caller gave, before parameters were filled from it. Absent when it is taken up again. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** What it is, or becomes when it works. Absent when nothing is to be learned of it. */
  readonly capability: Capability | undefined;
  /** Runs as this DAG instead of as code. `nodes` says where its tasks stand in the structure. */
  readonly dag?: { readonly structure: DAGStructure; readonly nodes: Readonly<Record<string, string>> };
  /** Tools and patterns that a person allowed. */
  readonly approved: ReadonlySet<string>;
  /** Layers of a paused DAG that have been looked at. */
  readonly layersSeen: number;
  readonly randomSeed: string;
  /** Taken up again after it was cut off, or after an answer. */
  readonly resumed: boolean;
  /** How sure it was that this is what was meant, where that decided. */
  readonly match?: number;
  /** What was given to be run, where a capability is learned from that. */
  readonly work?: TraceWork;
  /** The name that was asked for what is run. */
  readonly name?: string;
  readonly warnings: readonly string[];
}
