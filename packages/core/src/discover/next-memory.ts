import { PathCounts, predictNext } from "@pml/graph";

import type { Candidate, PastIntent, Query } from "./candidate.js";
import { fuse } from "./fusion.js";
import { finish } from "./in-turns.js";
import { pickLessons } from "./lessons.js";
import { standardise } from "./likeness.js";
import { type Example, fitInSteps } from "./listwise.js";
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
  readonly #paths = new PathCounts();
  readonly #order = new PastOrder();
  #weights: readonly number[] = NEXT_PRIOR;

  /** Which tools a request takes at all. */
  readonly plans: PlanMemory;

  private constructor(candidates: readonly Candidate[], plans: PlanMemory) {
    this.plans = plans;
    this.#candidates = candidates;
    this.#rowOf = new Map(candidates.map(({ id }, row) => [id, row]));
    this.#index = new CandidateIndex(candidates);
    this.#mentions = new MentionIndex(candidates);
  }

  static create(candidates: readonly Candidate[], runs: readonly PastRun[]): NextMemory {
    return finish(NextMemory.learn(candidates, runs));
  }

  /** In steps, for `finishInTurns`. */
  static *learn(candidates: readonly Candidate[], runs: readonly PastRun[]): Generator<undefined, NextMemory> {
    const memory = new NextMemory(candidates, yield* PlanMemory.learn(candidates, runs));
    for (const run of runs) {
      memory.#observe(run, 1);
      yield;
    }
    const examples = yield* memory.#listLessons(runs);
    const options = { epochs: 150, rate: 0.03, decay: 0.003, start: NEXT_PRIOR, rivals: "wrong" } as const;
    if (examples.length > 0) memory.#weights = yield* fitInSteps(examples, options);
    return memory;
  }

  /** The likeliest first. Nothing follows what is no candidate. */
  rank(request: NextRequest, done: readonly string[]): NextTool[] {
    const rows = this.#readRows(done);
    if (rows.length === 0) return [];
    const columns = describeNext({ ...this.#describe(request, this.plans.score(request)), ...this.#follow(done) });
    const odds = this.#candidates.map((_, row) =>
      columns.reduce((sum, column, at) => sum + (column[row] ?? 0) * (this.#weights[at] ?? 0), 0),
    );
    const top = Math.max(...odds);
    const total = odds.reduce((sum, each) => sum + Math.exp(each - top), 0);
    return this.#candidates
      .map(({ id }, row) => ({ id, chance: Math.exp((odds[row] ?? 0) - top) / total }))
      .sort((a, b) => b.chance - a.chance || (a.id < b.id ? -1 : 1));
  }

  *#listLessons(runs: readonly PastRun[]): Generator<undefined, Example[]> {
    const places = pickLessons(runs.length);
    const planned = yield* this.plans.scorePast(places);
    const examples: Example[] = [];
    for (const [lesson, at] of places.entries()) {
      yield* this.#teach(runs[at] as PastRun, { planned: planned[lesson] as Float64Array, examples });
    }
    return examples;
  }

  /** Each step of a run, with the run itself taken out of what is known. */
  *#teach(
    run: PastRun,
    { planned, examples }: { planned: Float64Array; examples: Example[] },
  ): Generator<undefined, void> {
    this.#observe(run, -1);
    const request = this.#describe(run, planned);
    for (let step = 1; step < run.candidateIds.length; step++) {
      yield;
      const done = run.candidateIds.slice(0, step);
      const right = this.#readRows(listReady(run, step));
      if (this.#readRows(done).length === 0 || right.length === 0) continue;
      const columns = describeNext({ ...request, ...this.#follow(done) });
      examples.push({
        rows: this.#candidates.map((_, row) => Float64Array.from(columns, (each) => each[row] ?? 0)),
        right,
      });
    }
    this.#observe(run, 1);
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
      near: this.plans
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
