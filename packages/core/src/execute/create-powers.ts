import { randomUUID } from "node:crypto";

import type { CapabilityStore } from "../store/capability-store.js";
import { Analyses } from "./analyses.js";
import { Caches } from "./caches.js";
import type { Powers } from "./job.js";
import { Metrics } from "./metrics.js";
import { DEFAULT_PML_OPTIONS, type PmlOptions } from "./pml-options.js";
import { Effects } from "./prefetch/effects.js";
import { resolvePrefetch } from "./prefetch/prefetch-options.js";
import { createRedacting } from "./run-redaction.js";
import { resolveTaint } from "./taint/taint-options.js";
import { UnderWay } from "./under-way.js";

/** What every part of a run works with, as the host wants it. */
export function createPowers(
  options: PmlOptions,
  {
    box,
    sandbox,
    store,
    open,
    telemetry,
    naming,
  }: Pick<Powers, "box" | "sandbox" | "open" | "naming" | "telemetry"> & { store: CapabilityStore },
): Powers & { refresh: () => void } {
  const now = store.context.now;
  let analyses: Analyses | undefined;
  const prefetch = resolvePrefetch(options.prefetch);
  const { onApproval, ttlMs = DEFAULT_PML_OPTIONS.approvalTtlMs } = options.approval ?? {};
  return {
    box,
    sandbox,
    telemetry,
    underWay: new UnderWay(),
    info: (message, details) => options.logger?.info?.(message, details),
    ...createRedacting(options.redaction, box),
    permissions: options.permissions ?? DEFAULT_PML_OPTIONS.permissions,
    limits: options.limits ?? {},
    concurrency: options.concurrency ?? DEFAULT_PML_OPTIONS.concurrency,
    approvalTtlMs: ttlMs,
    taskResultTtlMs: options.taskResultTtlMs ?? DEFAULT_PML_OPTIONS.taskResultTtlMs,
    caches: new Caches(options.cache, () => now().getTime()),
    metrics: new Metrics(),
    taint: resolveTaint(options.taint),
    prefetch: prefetch && { options: prefetch, effects: new Effects() },
    now,
    newId: store.context.newId ?? randomUUID,
    warn: store.context.warn,
    ...(onApproval !== undefined && { onApproval }),
    analyses: () => (analyses ??= new Analyses(box.list())),
    refresh: () => void (analyses = undefined),
    naming,
    open,
  };
}
