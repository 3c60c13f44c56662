import type { Analysis } from "@pml/analyzer";

import { reviveValue } from "../../model/kept-value.js";
import type { Trace } from "../../model/trace.js";
import type { Closure } from "../closure.js";
import type { Powers } from "../job.js";
import { mockValue } from "../mock-value.js";
import { isWithheld, keepForTrace } from "../replay-compare.js";
import { runCode } from "../run-code.js";
import { callInTime } from "../tool-door.js";
import { isAlike, isSame, RecordedDoor } from "./recorded-door.js";

/** How code with another tool did on recorded runs, the tools that stayed answering as they did. */
export interface RepairEvidence {
  /** Ids of traces: the same calls and the same result. */
  same: string[];
  /** The same calls and a result, with other values of the same types. */
  alike: string[];
  different: { traceId: string; reason: string }[];
  /** What stands in was really called. Otherwise its results were made up from its schema. */
  called: boolean;
}

export interface RepairTrial {
  analysis: Analysis;
  closure: Closure;
  traces: readonly Trace[];
  /** What is called no more. */
  replaced: readonly string[];
  /** What is called instead, with what is known of its results. */
  stand: ReadonlyMap<string, unknown>;
  /** Whether what is called instead may really be called to find out. */
  mayCall: boolean;
}

export async function tryRepair(powers: Powers, trial: RepairTrial): Promise<RepairEvidence> {
  const evidence: RepairEvidence = { same: [], alike: [], different: [], called: trial.mayCall };
  for (const trace of trial.traces.filter(isWhole)) {
    const outcome = await tryOn(powers, trial, trace);
    if (typeof outcome === "string") evidence[outcome].push(trace.id);
    else evidence.different.push({ traceId: trace.id, reason: powers.redact(outcome.reason) });
  }
  return evidence;
}

/** From what was left out of a trace nothing can be told. */
function isWhole({ args, result, tasks }: Trace): boolean {
  return ![args, result, ...tasks.flatMap((task) => [task.args, task.result])].some(
    (kept) => kept !== undefined && isWithheld(kept),
  );
}

async function tryOn(
  powers: Powers,
  { analysis, closure, replaced, stand, mayCall }: RepairTrial,
  trace: Trace,
): Promise<"same" | "alike" | { reason: string }> {
  const door = new RecordedDoor({
    calls: trace.tasks.filter(({ tool }) => !tool.startsWith("cap:") && !replaced.includes(tool)),
    tools: closure.tools,
    stand: new Map([...stand].map(([id, output]) => [id, (args) => callStand(powers, { id, output, mayCall }, args)])),
    keep: (args, tool) => keepForTrace(powers, args, tool),
  });
  const ran = await runCode(
    { sandbox: powers.sandbox, door, onEvent: () => {} },
    {
      code: analysis.instrumented.code,
      inputs: (reviveValue(trace.args) ?? {}) as Record<string, unknown>,
      callees: closure.callees,
      permissions: { allow: ["*"] },
      limits: powers.limits,
    },
  );
  if (!ran.outcome.ok) return { reason: `${ran.outcome.failure.code}: ${ran.outcome.failure.message}` };
  const [left] = door.listLeft();
  if (left !== undefined) return { reason: `${left.tool} was called then, and not now.` };
  const now = keepForTrace(powers, ran.outcome.value);
  if (door.alike === 0 && isSame(trace.result, now)) return "same";
  return isAlike(trace.result, now) ? "alike" : { reason: "The result is of another type." };
}

async function callStand(
  { box }: Powers,
  { id, output, mayCall }: { id: string; output: unknown; mayCall: boolean },
  args: Record<string, unknown>,
): Promise<unknown> {
  const problem = box.findProblem(id, args);
  if (problem !== undefined) throw problem;
  return mayCall ? callInTime(box.get(id), args, new AbortController().signal) : mockValue(output);
}
