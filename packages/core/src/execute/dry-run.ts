import { type Analysis, type DAGStructure, type StaticStructure, structureToDag } from "@pml/analyzer";

import { invalidInput } from "../model/error.js";
import type { Scope } from "../model/scope.js";
import { codeOf, defaultsOf } from "./analyses.js";
import type { Failure } from "./answer.js";
import { closeOver } from "./closure.js";
import { mergePaths, type PathEdge } from "./dry-run-path.js";
import {
  type CoverageCount,
  countCoverage,
  type DecisionCoverage,
  listCoverage,
  listUnreached,
} from "./dry-run-report.js";
import type { Place, Powers } from "./job.js";
import type { MockCall } from "./mock-tools.js";
import { writeDag } from "./prepare.js";
import {
  DEFAULT_MAX_BRANCHES,
  rehearse,
  type Rehearsal,
  type RehearsalOptions,
  type RehearsedRun,
} from "./rehearse.js";

interface DryRunOptions extends RehearsalOptions {
  /** Inputs. What is needed and missing is made up. */
  context?: Record<string, unknown>;
  scope?: Partial<Scope>;
}

export type DryRunRequest = DryRunOptions &
  (
    | { code: string; dag?: undefined; capability?: undefined }
    | { dag: DAGStructure; code?: undefined; capability?: undefined }
    | { capability: string; code?: undefined; dag?: undefined }
  );

/** What code would do, as far as mocks can show. */
export interface DryRunReport {
  /** No run ended in an error. */
  ok: boolean;
  runs: DryRunRun[];
  decisions: DecisionCoverage[];
  coverage: CoverageCount;
  /** Calls of tools and capabilities that no run came to. */
  unreached: { place: string; tool: string; line: number }[];
  /** What tools would be called with, each different call once. */
  calls: (MockCall & { times: number })[];
  errors: (Failure & { runs: number[] })[];
  /** What the code was run with, and which of it was made up. */
  inputs: Record<string, unknown>;
  mockedInputs: string[];
  structure: StaticStructure;
  /** All runs in one: a DAG if the code is one, else what followed what. */
  merged: { type: "dag"; dag: DAGStructure } | { type: "paths"; nodes: string[]; edges: PathEdge[] };
}

export interface DryRunRun extends Pick<RehearsedRun, "outcomes" | "steps" | "decisions" | "durationMs"> {
  status: "success" | "error";
  result?: unknown;
  error?: Failure;
}

/** Tries every branch with mocks in place of tools. Throws for what could not be run at all. */
export async function dryRun(powers: Powers, request: DryRunRequest): Promise<DryRunReport> {
  checkRequest(request);
  const place = await powers.open(request.scope);
  const { analysis, inputs, dag } = await readWork(powers, place, request);
  const closure = await closeOver(analysis, {
    analyses: powers.analyses(),
    box: powers.box,
    fix: (called) => powers.naming.fix(place.context, called),
  });
  const rehearsal = await rehearse(powers, { place, analysis, closure, inputs }, request);
  return buildReport(rehearsal, { analysis, dag, maxBranches: request.maxBranches ?? DEFAULT_MAX_BRANCHES });
}

function buildReport(
  rehearsal: Rehearsal,
  { analysis, dag, maxBranches }: { analysis: Analysis; dag: DAGStructure | undefined; maxBranches: number },
): DryRunReport {
  const { runs, inputs, mockedInputs } = rehearsal;
  const decisions = listCoverage(rehearsal, maxBranches);
  const unreached = listUnreached(rehearsal);
  return {
    ok: runs.every(({ outcome }) => outcome.ok),
    runs: runs.map(describeRun),
    decisions,
    coverage: countCoverage(decisions, { ...rehearsal, unreached }),
    unreached,
    calls: countCalls(runs.flatMap(({ calls }) => calls)),
    errors: groupErrors(runs),
    inputs,
    mockedInputs,
    structure: analysis.structure,
    merged: merge(rehearsal, analysis, dag),
  };
}

async function readWork(
  powers: Powers,
  { context }: Place,
  request: DryRunRequest,
): Promise<{ analysis: Analysis; inputs: Record<string, unknown>; dag: DAGStructure | undefined }> {
  const given = request.context ?? {};
  const analyse = (code: string): Analysis => powers.analyses().analyse(code);
  if (request.code !== undefined) return { analysis: analyse(request.code), inputs: given, dag: undefined };
  if (request.dag !== undefined) return { analysis: analyse(writeDag(request.dag)), inputs: given, dag: request.dag };
  const { capability } = await powers.naming.resolve(context, request.capability);
  const dag = capability.source.type === "dag" ? (capability.source.dagStructure as DAGStructure) : undefined;
  return { analysis: analyse(codeOf(capability)), inputs: { ...defaultsOf(capability), ...given }, dag };
}

function checkRequest(request: DryRunRequest): void {
  const { code, dag, capability, maxBranches = 1 } = request as Partial<Record<keyof DryRunRequest, unknown>>;
  if ([code, dag, capability].filter((each) => each !== undefined).length !== 1)
    throw invalidInput("Give one of code, dag and capability: what is to be tried.");
  if (!Number.isSafeInteger(maxBranches) || (maxBranches as number) < 1)
    throw invalidInput("maxBranches has to be a whole number, 1 or more.");
}

function describeRun({ outcomes, steps, decisions, durationMs, outcome }: RehearsedRun): DryRunRun {
  const run = { outcomes, steps, decisions, durationMs };
  return outcome.ok
    ? { ...run, status: "success", result: outcome.value }
    : { ...run, status: "error", error: outcome.failure };
}

function countCalls(calls: readonly MockCall[]): (MockCall & { times: number })[] {
  const counted = new Map<string, MockCall & { times: number }>();
  for (const call of calls) {
    const key = JSON.stringify([call.place, call.tool, call.args]);
    counted.set(key, { ...call, times: (counted.get(key)?.times ?? 0) + 1 });
  }
  return [...counted.values()];
}

function groupErrors(runs: readonly RehearsedRun[]): (Failure & { runs: number[] })[] {
  const grouped = new Map<string, Failure & { runs: number[] }>();
  for (const [at, { outcome }] of runs.entries()) {
    if (outcome.ok) continue;
    const key = `${outcome.failure.code} ${outcome.failure.message}`;
    grouped.set(key, { ...outcome.failure, runs: [...(grouped.get(key)?.runs ?? []), at] });
  }
  return [...grouped.values()];
}

function merge({ runs }: Rehearsal, analysis: Analysis, dag: DAGStructure | undefined): DryRunReport["merged"] {
  if (dag !== undefined) return { type: "dag", dag };
  const conversion = structureToDag(analysis);
  return conversion.ok ? { type: "dag", dag: conversion.dag } : { type: "paths", ...mergePaths(runs) };
}
