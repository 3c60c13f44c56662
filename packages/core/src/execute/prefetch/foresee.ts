import type { ArgumentSource, ArgumentSources } from "@pml/graph";

import type { PlanLoop, PlanStep } from "../../learn/sources/plan.js";
import { keyOfTurn, readInput, readList } from "../../learn/sources/read-input.js";
import { subjectOf } from "../../learn/sources/source-facts.js";
import { generalise, sourceOf } from "../../learn/sources/source-of.js";
import type { RunFrame } from "./run-frames.js";

/** A call that code will likely make, and what it will be given. */
export interface Foreseen {
  /** As the call itself will name its place. */
  readonly path: string;
  readonly tool: string;
  readonly args: unknown;
  /** How likely it is to be made just so. */
  readonly confidence: number;
}

export interface Foresight {
  readonly sources: ArgumentSources;
  /** What may be called ahead of time at all. */
  readonly mayCall: (tool: string) => boolean;
  /** Only reads; nothing that comes after it depends on when it was done. */
  readonly isReadOnly: (tool: string) => boolean;
  /** Nothing is called ahead of time with what it gave. */
  readonly isUntrusted: (tool: string) => boolean;
  /** Nothing of what it is given is in what it gives. */
  readonly isClean: (tool: string) => boolean;
  /** The run may call something that is untrusted. */
  readonly hasStrangers: boolean;
  /** A step as the paths of calls name it. */
  readonly siteOf: (id: string) => string;
  /** How far to look ahead in a loop. */
  readonly turns: number;
}

/**
 * The calls of a frame whose input is known and that are reached whatever happens until then: no decision stands before
 * them that was not made, no call that may change something, no capability that may refuse.
 */
export function foresee(frame: RunFrame, foresight: Foresight): Foreseen[] {
  if (frame.throws) return [];
  return [...frame.plan.steps.values()].flatMap((step) => foreseeStep(step, frame, foresight));
}

function foreseeStep(step: PlanStep, frame: RunFrame, foresight: Foresight): Foreseen[] {
  if (!foresight.mayCall(step.tool) || !isClear(step, frame, foresight)) return [];
  const source = sourceOf(step, frame.plan);
  if (source === undefined || holdsUntrusted(source, { frame, foresight })) return [];
  const confidence = judge({ step, source }, frame, foresight.sources);
  if (confidence === 0) return [];
  return listTurns(step, frame, foresight).flatMap((iteration): Foreseen[] => {
    const known = isReached(step, iteration, frame) ? readInput(frame, { step, iteration }) : undefined;
    const path = `${frame.path}/${keyOfTurn(foresight.siteOf(step.id), iteration)}`;
    return known === undefined ? [] : [{ path, tool: step.tool, args: known.value, confidence }];
  });
}

/** All that comes before it has either worked, or need not be done first: what failed may be the end of the run. */
function isClear(step: PlanStep, frame: RunFrame, { isReadOnly }: Foresight): boolean {
  return [...step.before].every((id) => {
    const earlier = frame.plan.steps.get(id);
    if (earlier === undefined || frame.results.has(id)) return true;
    const isHarmless = earlier.tool.startsWith("code:") || isReadOnly(earlier.tool);
    return isHarmless || isLeftOut(earlier, frame);
  });
}

/** Every decision that leads to it went another way. */
function isLeftOut({ when, loops }: PlanStep, frame: RunFrame): boolean {
  const isPassed = ({ decision, outcome }: { decision: string; outcome: string }): boolean =>
    frame.outcomes.has(decision) && frame.outcomes.get(decision) !== outcome;
  return loops.length === 0 && when.length > 0 && when.every(isPassed);
}

function isReached({ when }: PlanStep, iteration: readonly number[], { outcomes }: RunFrame): boolean {
  if (when.length === 0) return true;
  // A decision may stand in fewer loops than what it leads to.
  const turns = [...iteration, undefined].map((_, depth) => iteration.slice(0, depth));
  return when.some(({ decision, outcome }) =>
    turns.some((each) => outcomes.get(keyOfTurn(decision, each)) === outcome),
  );
}

/** The turns that can be seen from here: those of one plain loop over what is known. */
function listTurns(step: PlanStep, frame: RunFrame, foresight: Foresight): number[][] {
  const [loop, ...others] = step.loops;
  if (loop === undefined) return [[]];
  const around = frame.plan.loops.get(loop);
  if (others.length > 0 || around === undefined || !isPlain(around, frame, foresight)) return [];
  const list = readList(frame, loop, { step, iteration: [] }) ?? [];
  const first = list.findIndex((_, at) => !frame.ended.has(keyOfTurn(step.id, [at])));
  if (first === -1) return [];
  return list.slice(first, first + foresight.turns).map((_, at) => [first + at]);
}

/** Every turn is like the one before: nothing in it is decided, changed, or called elsewhere. */
function isPlain({ holds }: PlanLoop, { plan }: RunFrame, { isReadOnly }: Foresight): boolean {
  return [...holds].every((id) => {
    if (plan.decisions.has(id) || plan.loops.has(id)) return false;
    const tool = plan.steps.get(id)?.tool;
    return tool === undefined || tool.startsWith("code:") || isReadOnly(tool);
  });
}

function holdsUntrusted(source: ArgumentSource, place: Place, seen: Set<string> = new Set()): boolean {
  if (source.from === "output") return givesUntrusted(source.of, place, seen);
  const inner = source.from === "text" ? source.parts : source.from === "list" ? source.items : [];
  const fields = source.from === "object" ? source.fields.map(([, each]) => each) : [];
  const parts = [...inner, ...fields].filter((each) => typeof each !== "string");
  return parts.some((each) => holdsUntrusted(each, place, seen));
}

interface Place {
  readonly frame: RunFrame;
  readonly foresight: Foresight;
}

/** What a tool is given may be in what it gives. */
function givesUntrusted(id: string, { frame, foresight }: Place, seen: Set<string>): boolean {
  const step = frame.plan.steps.get(id);
  if (step === undefined) return false;
  if (foresight.isUntrusted(step.tool)) return true;
  // One that was looked at and is untrusted has been the answer already.
  if (seen.has(id) || foresight.isClean(step.tool)) return false;
  seen.add(id);
  const source = sourceOf(step, frame.plan);
  if (source === undefined) return foresight.hasStrangers;
  return holdsUntrusted(source, { frame, foresight }, seen);
}

/** 0 where no run has shown it. In code that never ran, what other code did with the tool speaks for it. */
function judge(
  { step, source }: { step: PlanStep; source: ArgumentSource },
  { capabilityId, plan }: RunFrame,
  sources: ArgumentSources,
): number {
  const runs = sources.count(capabilityId);
  if (runs === 0) {
    const isPlainStep = step.when.length === 0 && step.loops.length === 0;
    const seen = isPlainStep ? sources.count(step.tool, generalise(source, plan)) : 0;
    return seen === 0 ? 0 : expected(seen, seen);
  }
  const subject = (place: string): string => subjectOf(capabilityId, place);
  const ways = step.when.map(({ decision, outcome }) => sources.count(subject(`${decision}=${outcome}`)));
  const reached = ways.reduce((sum, each) => sum + each, 0) || runs;
  const seen = sources.count(subject(step.id), source);
  return seen === 0 ? 0 : expected(seen, Math.max(seen, reached));
}

/** What is expected of the next time, so that once is not always. */
function expected(seen: number, times: number): number {
  return (seen + 1) / (times + 2);
}
