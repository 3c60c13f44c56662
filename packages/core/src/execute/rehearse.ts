import type { Analysis } from "@pml/analyzer";
import type { Limits, RunEvent } from "@pml/sandbox";

import { codeOf } from "./analyses.js";
import type { Failure } from "./answer.js";
import type { Closure } from "./closure.js";
import { type Explored, explore } from "./dry-run-explore.js";
import { createPath, type Path } from "./dry-run-path.js";
import { isDecision, listPlaces, type Placed } from "./dry-run-places.js";
import type { Place, Powers } from "./job.js";
import { type FindInputSchema, listReads, type Reads } from "./mock-reads.js";
import { type GivenResults, type MockCall, MockTools } from "./mock-tools.js";
import { mockValue } from "./mock-value.js";
import { runCode } from "./run-code.js";

export interface RehearsalOptions {
  /** Runs at most. Default 16. */
  maxBranches?: number;
  /** What tools give, by id: a value, or a function of the arguments. */
  results?: GivenResults;
  /** Of each run; by default 5 s and 200 calls. */
  limits?: Partial<Limits>;
  signal?: AbortSignal;
}

export interface Rehearsal extends Explored<RehearsedRun> {
  places: Placed[];
  /** What was given, with a mock for everything that is needed and was not. */
  inputs: Record<string, unknown>;
  mockedInputs: string[];
}

/** One run with mocks in place of tools. */
export interface RehearsedRun extends Path {
  /** The ways that were chosen for it. */
  outcomes: Readonly<Record<string, string>>;
  calls: MockCall[];
  outcome: { ok: true; value: unknown } | { ok: false; failure: Failure };
  durationMs: number;
}

export const DEFAULT_MAX_BRANCHES = 16;
const LIMITS = { timeoutMs: 5000, maxToolCalls: 200 } as const;
/** No run is begun after this, however many are left. */
const TOTAL_MS = 30_000;
/** The same random numbers in each run, so that they differ by what was chosen alone. */
const SEED = "0".repeat(32);

/** Runs code as often as it takes to go every way once, in the sandbox, with mocks in place of every tool. */
export async function rehearse(
  powers: Powers,
  work: { place: Place; analysis: Analysis; closure: Closure; inputs: Record<string, unknown> },
  options: RehearsalOptions = {},
): Promise<Rehearsal> {
  const { maxBranches = DEFAULT_MAX_BRANCHES, signal } = options;
  const { analysis, closure } = work;
  const analyses = powers.analyses();
  const units = new Map(closure.callees.map(({ name, capability }) => [name, analyses.analyse(codeOf(capability))]));
  const places = listPlaces(analysis, (name) => units.get(name));
  const readsOf = createReadsFinder(powers, places);
  const { inputs, mocked } = fillInputs(analysis, work.inputs, readsOf.parameters(analysis));
  const outcomes = new Map(places.filter(isDecision).map(({ place, node }) => [place, node.outcomes]));
  const until = performance.now() + TOTAL_MS;
  const explored = await explore({
    listOutcomes: (place) => outcomes.get(place) ?? [],
    mayGoOn: (runs) => runs < maxBranches && performance.now() < until && signal?.aborted !== true,
    attempt: (chosen) => runOnce(powers, { ...work, inputs, findReads: readsOf.result, outcomes: chosen }, options),
  });
  return { ...explored, places, inputs, mockedInputs: mocked };
}

interface Attempt {
  place: Place;
  analysis: Analysis;
  closure: Closure;
  inputs: Record<string, unknown>;
  findReads: (place: string) => Reads | undefined;
  outcomes: Readonly<Record<string, string>>;
}

async function runOnce(powers: Powers, attempt: Attempt, options: RehearsalOptions): Promise<RehearsedRun> {
  const { sandbox, box } = powers;
  const { closure, outcomes } = attempt;
  const calls: MockCall[] = [];
  const events: RunEvent[] = [];
  const door = new MockTools({
    box,
    tools: closure.tools,
    results: options.results ?? {},
    findLearnedSchema: (tool) => attempt.place.workspace.findLearnedOutput(tool),
    findReads: attempt.findReads,
    onCall: (call) => void calls.push(call),
  });
  const ran = await runCode(
    { sandbox, door, onEvent: (event) => void events.push(event) },
    {
      code: attempt.analysis.instrumented.code,
      inputs: attempt.inputs,
      callees: closure.callees,
      permissions: { allow: ["*"] },
      limits: { ...powers.limits, ...tightest(powers.limits), ...options.limits },
      ...(options.signal !== undefined && { signal: options.signal }),
      replay: { clock: [], randomSeed: SEED },
      outcomes,
    },
  );
  const path = createPath(ran.traceId);
  for (const event of events) path.observe(event);
  return { ...path.read(), outcomes, calls, outcome: ran.outcome, durationMs: ran.durationMs };
}

function tightest({
  timeoutMs = LIMITS.timeoutMs,
  maxToolCalls = LIMITS.maxToolCalls,
}: Partial<Limits>): Partial<Limits> {
  return {
    timeoutMs: Math.min(timeoutMs, LIMITS.timeoutMs),
    maxToolCalls: Math.min(maxToolCalls, LIMITS.maxToolCalls),
  };
}

interface ReadsFinder {
  result(place: string): Reads | undefined;
  parameters(analysis: Analysis): (name: string) => Reads | undefined;
}

function createReadsFinder({ box }: Powers, places: readonly Placed[]): ReadsFinder {
  const schemaOf: FindInputSchema = (tool, field) => {
    const { properties } = (box.find(tool)?.inputSchema ?? {}) as { properties?: Record<string, unknown> };
    return properties !== undefined && Object.hasOwn(properties, field) ? properties[field] : undefined;
  };
  const byPlace = new Map(places.map((placed) => [placed.place, placed]));
  const known = new Map<Analysis, Map<string, Reads>>();
  const of = (analysis: Analysis): Map<string, Reads> => {
    const reads = known.get(analysis) ?? listReads(analysis, schemaOf);
    known.set(analysis, reads);
    return reads;
  };
  return {
    result(place) {
      const placed = byPlace.get(place);
      return placed && of(placed.analysis).get(placed.node.id);
    },
    parameters: (analysis) => (name) => of(analysis).get(`$${name}`),
  };
}

function fillInputs(
  { parameters }: Analysis,
  given: Record<string, unknown>,
  findReads: (name: string) => Reads | undefined,
): { inputs: Record<string, unknown>; mocked: string[] } {
  const { properties = {}, required = [] } = parameters as {
    properties?: Record<string, unknown>;
    required?: readonly string[];
  };
  const mocked = required.filter((name) => given[name] === undefined);
  const mocks = mocked.map((name) => [name, mockArgument(properties[name], findReads(name))] as const);
  return { inputs: { ...given, ...Object.fromEntries(mocks) }, mocked };
}

/** Without any hint it is a text: most arguments are. */
function mockArgument(schema: unknown, reads: Reads | undefined): unknown {
  const { value } = mockValue(
    { type: "object", properties: { value: schema ?? {} } },
    {
      ...(reads !== undefined && {
        reads: { fields: new Map([["value", reads]]), items: undefined, json: undefined, schema: undefined },
      }),
    },
  ) as { value: unknown };
  return value;
}
