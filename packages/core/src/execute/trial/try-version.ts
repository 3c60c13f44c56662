import type { Analysis } from "@pml/analyzer";
import { DEFAULT_LIMITS } from "@pml/sandbox";

import type { Capability } from "../../model/capability.js";
import { isOmitted, keepValue, reviveValue } from "../../model/kept-value.js";
import { checkSignature } from "../../model/signature.js";
import { isReadOnly } from "../../model/tool.js";
import type { Trace } from "../../model/trace.js";
import type { StoreContext } from "../../store/context.js";
import { codeOf, defaultsOf } from "../analyses.js";
import { describeFailure } from "../answer.js";
import { closeOver, type Closure } from "../closure.js";
import { fixAsThen } from "../fix-as-then.js";
import type { Powers } from "../job.js";
import { keepForTrace } from "../replay-compare.js";
import type { Difference } from "../replay-difference.js";
import { replayAndWatch, type ReplayReport } from "../replay.js";
import type { Ran } from "../run-code.js";
import { compareCalls, isSameValue } from "./compare-calls.js";

/** How a new version did on recorded runs of the one it is to replace. */
export interface Trial {
  /** `unproven`: there was no recorded run that can tell. */
  verdict: "same" | "different" | "unproven";
  /** The runs that it was tried on. */
  traceIds: string[];
  /** Of the last of these runs, if it differed there. */
  differences: Difference[];
}

export interface Versions {
  before: Capability;
  after: Capability;
}

/** Slower than what it replaces by more than this, and by more than machines vary, is burning time. */
const MOST_TIMES_SLOWER = 10;
const LEAST_TIME_MS = 1000;

/**
 * Runs both versions against recorded runs of the old one, tools answering as they did. What counts is what is seen from
 * outside: the calls, the result, the time. A run that the old version itself does not repeat tells nothing of the new one.
 */
export async function tryVersion(
  powers: Powers,
  { context, versions, traces }: { context: StoreContext; versions: Versions; traces: readonly Trace[] },
): Promise<Trial> {
  const traceIds: string[] = [];
  for (const trace of traces) {
    const differences = await tryOn(powers, { context, versions, trace });
    if (differences === undefined) continue;
    traceIds.push(trace.id);
    if (differences.length > 0) return { verdict: "different", traceIds, differences };
  }
  return { verdict: traceIds.length === 0 ? "unproven" : "same", traceIds, differences: [] };
}

interface Side {
  analysis: Analysis;
  closure: Closure;
  defaults: Record<string, unknown>;
}

interface Attempt {
  context: StoreContext;
  versions: Versions;
  trace: Trace;
}

/** Undefined where the run cannot tell. */
async function tryOn(powers: Powers, { context, versions, trace }: Attempt): Promise<Difference[] | undefined> {
  const before = await read(powers, { context, trace, capability: versions.before }).catch(() => undefined);
  if (before === undefined || isOmitted(trace.args)) return undefined;
  let after: Side;
  try {
    after = await read(powers, { context, trace, capability: versions.after });
  } catch (error) {
    return [{ kind: "error", message: describeFailure(error).message }];
  }
  const recorded = { ...trace, args: withoutDefaults(trace.args, before.defaults) };
  const attempt = (): Promise<Difference[] | undefined> => runBoth(powers, { before, after, recorded });
  const differences = await attempt();
  // Machines stall; code that burns time does so again.
  return differences?.some(({ kind }) => kind === "time") === true ? attempt() : differences;
}

async function runBoth(
  powers: Powers,
  { before, after, recorded }: { before: Side; after: Side; recorded: Trace },
): Promise<Difference[] | undefined> {
  const replay = (side: Side, timeoutMs: number): Promise<{ report: ReplayReport; ran: Ran }> =>
    replayAndWatch(powers, { ...side, recorded, isComparable: () => false }, { limits: { timeoutMs } });
  const { timeoutMs = DEFAULT_LIMITS.timeoutMs } = powers.limits;
  const old = await replay(before, timeoutMs);
  if (!old.ran.outcome.ok || old.report.differences.some(({ kind }) => kind !== "withheld")) return undefined;
  const allowedMs = Math.ceil(Math.min(timeoutMs, Math.max(LEAST_TIME_MS, old.ran.durationMs * MOST_TIMES_SLOWER)));
  const now = await replay(after, allowedMs);
  // From a call that the trace cannot answer, the run went its own way.
  const strayed = now.report.differences.filter(({ kind }) => kind === "unknown_call");
  const isRead = (id: string): boolean => isReadOnly(powers.box.find(id) ?? {});
  const differences = [
    ...listMorePowers(before, after),
    ...(strayed.length > 0 ? strayed : compareCalls(listToolCalls(old.ran), listToolCalls(now.ran), isRead)),
    ...now.report.differences.filter(({ kind }) => kind === "clock"),
    ...compareOutcome(old.ran, now.ran, allowedMs),
  ];
  return differences.map((each) => clean(powers, each));
}

async function read(
  powers: Powers,
  { context, trace, capability }: { context: StoreContext; trace: Trace; capability: Capability },
): Promise<Side> {
  checkSignature(capability);
  const analysis = powers.analyses().analyse(codeOf(capability));
  const closure = await closeOver(analysis, {
    analyses: powers.analyses(),
    fix: (called) => fixAsThen(powers.naming, context, { resolutions: trace.resolutions, called }),
  });
  return { analysis, closure, defaults: defaultsOf(capability) };
}

/** Recorded inputs hold the literals of the code; given to other code, they would take the place of its own. */
function withoutDefaults(kept: unknown, defaults: Record<string, unknown>): unknown {
  const isDefault = ([name, value]: [string, unknown]): boolean =>
    Object.hasOwn(defaults, name) && isSameValue(defaults[name], value);
  const args = Object.entries((reviveValue(kept) ?? {}) as object);
  return keepValue(Object.fromEntries(args.filter((each) => !isDefault(each))), Number.MAX_SAFE_INTEGER);
}

/** What runs do not show, as no recorded one came that way. */
function listMorePowers({ closure: before }: Side, { closure: after }: Side): Difference[] {
  const had = new Set([...before.tools, ...before.computed]);
  const more = [...after.tools, ...after.computed].filter((id) => !had.has(id));
  return more.map((tool) => ({ kind: "permissions", message: `It may call ${tool}, and could not before.`, tool }));
}

function listToolCalls({ log }: Ran): Ran["log"]["calls"] {
  return log.calls.filter(({ kind }) => kind === "tool");
}

function compareOutcome({ outcome: old }: Ran, { outcome: now }: Ran, allowedMs: number): Difference[] {
  if (!now.ok) {
    const { code, message } = now.failure;
    if (code === "SANDBOX_TIMEOUT")
      return [{ kind: "time", message: `It was stopped after ${allowedMs} ms.`, expected: allowedMs }];
    return [{ kind: "error", message: `It failed: ${code}: ${message}` }];
  }
  if (!old.ok || isSameValue(old.value, now.value)) return [];
  return [{ kind: "result", message: "The result is not what it was.", expected: old.value, actual: now.value }];
}

function clean(powers: Powers, { expected, actual, ...rest }: Difference): Difference {
  const { tool } = rest;
  const shown = (value: unknown): unknown => keepForTrace(powers, value, rest.kind === "arguments" ? tool : undefined);
  return {
    ...powers.redact(rest),
    ...(expected !== undefined && { expected: shown(expected) }),
    ...(actual !== undefined && { actual: shown(actual) }),
  };
}
