import type { Embedder } from "@pml/embeddings";
import type { ThresholdOptions } from "@pml/graph";
import type { Limits, Permissions, Sandbox, SandboxOptions } from "@pml/sandbox";

import type { Capability } from "../model/capability.js";
import type { RedactionOptions } from "../model/redact.js";
import type { Scope } from "../model/scope.js";
import type { Tool } from "../model/tool.js";
import type { Database } from "../store/database/database.js";
import type { ReembedProgress } from "../store/vectors/re-embed-progress.js";
import type { CacheOptions } from "./caches.js";
import type { Powers } from "./job.js";
import type { PrefetchOptions } from "./prefetch/prefetch-options.js";
import type { TaintOptions } from "./taint/taint-options.js";
import type { TelemetryOptions } from "./telemetry.js";

/** Told what is worth knowing, by ids, codes and counts: never intents, arguments, results or messages of errors. */
export interface Logger {
  /** What changed: something was learned, waits for a person, was judged, was restored. */
  info?(message: string, details: Record<string, unknown>): void;
  /** What went wrong and was lived with. */
  warn(message: string, details: Record<string, unknown>): void;
}

export interface PmlOptions {
  /** The directory of the memory; `:memory:`, the default, keeps nothing. Or a `database` instead. */
  dataDir?: string;
  /** Used instead of a directory, and closed with the memory. */
  database?: Database;
  /** That of `@pml/embeddings`, if it is installed, when none is given. */
  embedder?: Embedder;
  /** `"stored"`: those of the last time can be found, not called. To look at a memory without its host's tools. */
  tools?: readonly Tool[] | "stored";
  scope?: Partial<Scope>;
  /** One of your own, closed by you; or how to make one. */
  sandbox?: Sandbox | SandboxOptions;
  permissions?: Permissions;
  /** Tools whose results strangers write, and tools that strangers must not steer. */
  taint?: TaintOptions;
  limits?: Partial<Limits>;
  approval?: {
    /** How long a question stands. Default 1 day; `Infinity` for ever. */
    ttlMs?: number;
    /** Answers at once, where the host can. */
    onApproval?: NonNullable<Powers["onApproval"]>;
  };
  cache?: CacheOptions;
  thresholds?: Partial<ThresholdOptions>;
  redaction?: RedactionOptions | false;
  /** Tools that only read are called before they are asked for, where earlier runs show with what. False: never. */
  prefetch?: PrefetchOptions | boolean;
  /** Tasks of a DAG under way at the same time. Default 8. */
  concurrency?: number;
  /** How long full results can be fetched. Default 1 hour. */
  taskResultTtlMs?: number;
  onReembed?: (progress: ReembedProgress) => void;
  clock?: () => Date;
  newId?: () => string;
  logger?: Logger;
  /** Spans by `@opentelemetry/api`, if it is installed; false for none. */
  telemetry?: TelemetryOptions | false;
  naming?: {
    /** A host's model, asked for a name when capabilities are curated. */
    nameWith?: (capability: Capability) => Promise<string | undefined> | string | undefined;
    /** When unnamed capabilities are curated by themselves. */
    curation?: { after?: number; strategy?: "suggest" | "auto" };
  };
}

export const DEFAULT_PML_OPTIONS: {
  permissions: Permissions;
  approvalTtlMs: number;
  concurrency: number;
  taskResultTtlMs: number;
} = { permissions: "standard", approvalTtlMs: 86_400_000, concurrency: 8, taskResultTtlMs: 3_600_000 };
