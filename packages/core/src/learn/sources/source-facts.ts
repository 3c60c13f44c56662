import { isDeepStrictEqual } from "node:util";

import type { ArgumentSource, SourceFact } from "@pml/graph";

import type { LoggedCall, RunLog } from "../run-log.js";
import type { Plan } from "./plan.js";
import { type Frame, keyOfTurn, readInput } from "./read-input.js";
import { generalise, sourceOf } from "./source-of.js";

/** Code that ran: that of the run itself, or of a capability it called. */
export interface RanCode {
  readonly capabilityId: string;
  readonly plan: Plan;
  readonly inputs: Readonly<Record<string, unknown>>;
}

export interface SourceFactsInput {
  readonly traceId: string;
  readonly log: RunLog;
  /** What ran in the call of a capability, or in the run itself. */
  readonly findCode: (parent: LoggedCall | undefined) => RanCode | undefined;
  /** Whether it is worth knowing where a tool's input comes from. */
  readonly matters: (tool: string) => boolean;
}

/**
 * Where a run's calls had their inputs from: where the code says so, and what was given is what stood there. Each is said
 * once in a run, however often it was so.
 */
export function listSourceFacts({ traceId, log, findCode, matters }: SourceFactsInput): SourceFact[] {
  const facts = new Map<string, SourceFact>();
  const say = (subject: string, source?: ArgumentSource): void => {
    const fact = { kind: "source" as const, subject, ...(source !== undefined && { source }), trace: traceId };
    facts.set(JSON.stringify(fact), fact);
  };
  for (const [parent, calls] of groupByParent(log.calls)) {
    const code = findCode(parent);
    if (code === undefined) continue;
    say(code.capabilityId);
    const frame = { ...code, results: collectResults(calls) };
    for (const call of calls) {
      const source = matters(call.name) && call.success ? findSource(call, frame) : undefined;
      if (source === undefined) continue;
      say(subjectOf(code.capabilityId, call.nodeId ?? ""), source);
      say(call.name, generalise(source, code.plan));
    }
    if (parent === undefined)
      for (const { nodeId, outcome } of log.decisions) say(subjectOf(code.capabilityId, `${nodeId}=${outcome}`));
  }
  return [...facts.values()];
}

/** A place in the code of a capability, or an outcome of a decision there. */
export function subjectOf(capabilityId: string, place: string): string {
  return `${capabilityId}/${place}`;
}

function groupByParent(calls: readonly LoggedCall[]): Map<LoggedCall | undefined, LoggedCall[]> {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const groups = new Map<LoggedCall | undefined, LoggedCall[]>([[undefined, []]]);
  for (const call of calls) {
    const parent = call.parentId === undefined ? undefined : byId.get(call.parentId);
    groups.set(parent, [...(groups.get(parent) ?? []), call]);
  }
  return groups;
}

function collectResults(calls: readonly LoggedCall[]): Map<string, unknown> {
  return new Map(
    calls
      .filter(({ nodeId, success }) => nodeId !== undefined && success)
      .map(({ nodeId = "", iteration = [], result }) => [keyOfTurn(nodeId, iteration), result]),
  );
}

/** Undefined unless what the code says is what was given. */
function findSource({ nodeId = "", iteration = [], name, args }: LoggedCall, frame: Frame): ArgumentSource | undefined {
  const step = frame.plan.steps.get(nodeId);
  if (step === undefined || step.tool !== name || step.loops.length !== iteration.length) return undefined;
  const source = sourceOf(step, frame.plan);
  const known = source && readInput(frame, { step, iteration });
  return known !== undefined && isDeepStrictEqual(known.value, args ?? {}) ? source : undefined;
}
