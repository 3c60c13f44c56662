import { DEFAULT_LIMITS } from "@pml/sandbox";

import { isReadOnly, needsApproval, type Tool } from "../../model/tool.js";
import { type Closure, grantFor } from "../closure.js";
import type { Job, Powers } from "../job.js";
import { EarlyCalls } from "./early-calls.js";
import type { Foresight } from "./foresee.js";
import { Guesses } from "./guesses.js";
import { describeCalleeCode, describeJobCode } from "./ran-code.js";
import { RunFrames } from "./run-frames.js";

/** For one run. Undefined where the memory calls nothing ahead of time. */
export function createEarlyCalls(powers: Powers, job: Job, closure: Closure): EarlyCalls | undefined {
  const { prefetch, box, metrics } = powers;
  if (prefetch === undefined) return undefined;
  const limits = { ...DEFAULT_LIMITS, ...powers.limits, ...job.options.limits };
  const most = job.dag === undefined ? limits.maxConcurrentToolCalls : powers.concurrency;
  return new EarlyCalls({
    ...prefetch,
    box,
    now,
    frames: isWatched(job, closure) ? createFrames(powers, job, closure) : undefined,
    foresight: createForesight(powers, job, closure),
    guesses: new Guesses(metrics, now),
    limits: { ...limits, maxConcurrentToolCalls: Math.min(most, limits.maxConcurrentToolCalls) },
  });
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

/**
 * A run that is taken up again has its answers in the journal; one that asks a person between its layers is not to be
 * ahead of them; and of one that picks its tools while it runs nothing is known.
 */
function isWatched({ resumed, options }: Job, { computed }: Closure): boolean {
  return !resumed && options.perLayerValidation !== true && computed.length === 0;
}

function createFrames(powers: Powers, job: Job, { callees }: Closure): RunFrames {
  const byName = new Map(callees.map((callee) => [callee.name, callee]));
  return new RunFrames(describeJobCode(powers, job), (name, args) => {
    const callee = byName.get(name);
    return callee && describeCalleeCode(powers, callee, args);
  });
}

function createForesight(powers: Powers, job: Job, closure: Closure): Foresight {
  const { box, prefetch, taint } = powers;
  const permissions = job.options.permissions ?? powers.permissions;
  const granted = new Set(listGranted(grantFor(closure, { box, permissions, approved: job.approved })));
  const hasStrangers = closure.tools.some((id) => taint.isUntrusted(box.get(id)));
  const sites = new Map(Object.entries(job.dag?.nodes ?? {}).map(([task, node]) => [node, task]));
  return {
    sources: job.workspace.knowledge.graph.sources,
    turns: prefetch?.options.mostWasted ?? 0,
    isReadOnly: (id) => isReadOnly(box.find(id) ?? {}),
    mayCall(id) {
      const tool = box.find(id);
      if (tool === undefined || taint.findSensitive(tool) !== false) return false;
      return granted.has(id) && closure.tools.includes(id) && mayBeEarly(tool);
    },
    // What a capability gave may be what a stranger wrote.
    isUntrusted: (id) =>
      id.startsWith("cap:") ? hasStrangers : box.find(id) !== undefined && taint.isUntrusted(box.get(id)),
    isClean: (id) => taint.isClean(box.find(id) ?? ({} as Tool)),
    hasStrangers,
    siteOf: (id) => sites.get(id) ?? id,
  };
}

function mayBeEarly(tool: Tool): boolean {
  return isReadOnly(tool) && !needsApproval(tool) && tool.prefetch !== false;
}

function listGranted(permissions: ReturnType<typeof grantFor>): readonly string[] {
  return typeof permissions === "object" ? permissions.allow : [];
}
