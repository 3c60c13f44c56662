import { PathCounts, predictNext } from "@pml/graph";

import type { Candidate, PastIntent, Query } from "./candidate.js";
import { fuse } from "./fusion.js";
import { standardise } from "./likeness.js";
import { type Example, fitListwise } from "./listwise.js";
import { type Clause, MentionIndex } from "./mention-order.js";
import { describeNext, NEXT_PRIOR, type NextQuestion } from "./next-features.js";
import { type OrderedRun, PastOrder } from "./past-order.js";
import { PlanMemory } from "./plan-memory.js";
import { CandidateIndex } from "./ranker-scores.js";

/** A request and its parts. */
export interface NextRequest extends Query {
  readonly clauses: readonly Clause[];
}

/** A run that served a request: its tools in the order they were called. */
export interface PastRun extends NextRequest, PastIntent {
  /** From tool to tool, where data went. Without it, each step is thought to feed the next. */
  readonly flows?: readonly (readonly [from: string, to: string])[];
}

export interface NextTool {
  readonly id: string;
  /** Sums to 1 over all candidates. */
  readonly chance: number;
}

/** Runs from which it learns what speaks for a step; more of them change little. */
const MOST_LESSONS = 400;
const NEAREST = 60;

/**
 * Which tool comes next in a request of which some steps are done. What usually follows, what like requests did, what the
 * request says and in which order, and how much each of these is to be believed, are learned from the host's own past,
 * each run judged as if it had not been there.
 */
export class NextMemory {
  readonly #candidates: readonly Candidate[];
  readonly #rowOf: ReadonlyMap<string, number>;
  readonly #index: CandidateIndex;
  readonly #mentions: MentionIndex;
  readonly #plans: PlanMemory;
  readonly #paths = new PathCounts();
  readonly #order = new PastOrder();
  readonly #weights: readonly number[];

  constructor(candidates: readonly Candidate[], runs: readonly PastRun[]) {
    this.#candidates = candidates;
    this.#rowOf = new Map(candidates.map(({ id }, row) => [id, row]));
    this.#index = new CandidateIndex(candidates);
    this.#mentions = new MentionIndex(candidates);
    this.#plans = new PlanMemory(candidates, runs);
    for (const run of runs) this.#observe(run, 1);
    const examples = this.#listLessons(runs);
    const options = { epochs: 150, rate: 0.03, decay: 0.003, start: NEXT_PRIOR, rivals: "wrong" } as const;
    this.#weights = examples.length === 0 ? NEXT_PRIOR : fitListwise(examples, options);
  }

  /** The likeliest first. Nothing follows what is no candidate. */
  rank(request: NextRequest, done: readonly string[]): NextTool[] {
    const rows = this.#readRows(done);
    if (rows.length === 0) return [];
    const columns = describeNext({ ...this.#describe(request, this.#plans.score(request)), ...this.#follow(done) });
    const odds = this.#candidates.map((_, row) =>
      columns.reduce((sum, column, at) => sum + (column[row] ?? 0) * (this.#weights[at] ?? 0), 0),
    );
    const top = Math.max(...odds);
    const total = odds.reduce((sum, each) => sum + Math.exp(each - top), 0);
    return this.#candidates
      .map(({ id }, row) => ({ id, chance: Math.exp((odds[row] ?? 0) - top) / total }))
      .sort((a, b) => b.chance - a.chance || (a.id < b.id ? -1 : 1));
  }

  #listLessons(runs: readonly PastRun[]): Example[] {
    const every = Math.max(1, Math.ceil(runs.length / MOST_LESSONS));
    const places = runs.flatMap((_, at) => (at % every === 0 ? [at] : []));
    const planned = this.#plans.scorePast(places);
    return places.flatMap((at, lesson) => this.#teach(runs[at] as PastRun, planned[lesson] as Float64Array));
  }

  /** Each step of a run, with the run itself taken out of what is known. */
  #teach(run: PastRun, planned: Float64Array): Example[] {
    this.#observe(run, -1);
    const request = this.#describe(run, planned);
    const examples = run.candidateIds.slice(1).flatMap((_, step): Example[] => {
      const done = run.candidateIds.slice(0, step + 1);
      const right = this.#readRows(listReady(run, step + 1));
      if (this.#readRows(done).length === 0 || right.length === 0) return [];
      const columns = describeNext({ ...request, ...this.#follow(done) });
      return [{ rows: this.#candidates.map((__, row) => Float64Array.from(columns, (each) => each[row] ?? 0)), right }];
    });
    this.#observe(run, 1);
    return examples;
  }

  #observe(run: PastRun, times: number): void {
    this.#paths.observe(run.candidateIds, times);
    this.#order.observe(this.#readOrder(run), times);
  }

  #readOrder({ candidateIds, flows }: PastRun): OrderedRun {
    const rows = this.#readRows(candidateIds);
    const known = flows?.map((flow) => this.#readRows(flow)).filter(({ length }) => length === 2);
    return { rows, flows: (known ?? rows.slice(1).map((row, at) => [rows[at], row])) as OrderedRun["flows"] };
  }

  #describe(request: NextRequest, planned: Float64Array): Omit<NextQuestion, "done" | "followed"> {
    return {
      planned,
      cold: standardise(fuse(this.#index.score(request))),
      mentions: this.#mentions.score(request.clauses),
      near: this.#plans
        .listNearest(request, NEAREST)
        .map(({ intent, likeness }) => ({ rows: this.#readRows(intent.candidateIds), likeness })),
      order: this.#order,
    };
  }

  #follow(done: readonly string[]): Pick<NextQuestion, "done" | "followed"> {
    const followed = new Float64Array(this.#candidates.length);
    for (const { id, score } of predictNext(this.#paths, done, { limit: followed.length })) {
      const row = this.#rowOf.get(id);
      if (row !== undefined) followed[row] = score;
    }
    return { done: this.#readRows(done), followed };
  }

  #readRows(ids: readonly string[]): number[] {
    return ids.flatMap((id) => this.#rowOf.get(id) ?? []);
  }
}

/** What could have come next: where it is known what feeds what, all that has its data. */
function listReady({ candidateIds, flows }: PastRun, step: number): string[] {
  const [done, left] = [candidateIds.slice(0, step), candidateIds.slice(step)];
  if (flows === undefined) return left.slice(0, 1);
  return [...new Set(left)].filter((id) => flows.every(([from, to]) => to !== id || done.includes(from)));
}
