import { listViews } from "../model/views.js";
import { Matrix } from "../store/vectors/dot-kernel.js";
import { pickLargest } from "../store/vectors/exact-index.js";
import type { Candidate, PastIntent, Query } from "./candidate.js";
import { finish } from "./in-turns.js";
import { pickLessons } from "./lessons.js";
import { cosine } from "./likeness.js";
import { type Chance, fitChanceInSteps } from "./logistic.js";
import { RidgeMemory } from "./ridge-memory.js";
import { TextVectors } from "./text-vectors.js";
import { castVotes } from "./votes.js";

const WORDS_COUNT = 0.5;
const UNSEEN = 0.003;
/** How fast votes fall with distance, for each way to be near. */
const WIDTHS = { meaning: [0.03, 0.08], words: [0.05, 0.1], both: [0.05] } as const;

/** A past intent, and how near it is to what is asked: its share of the votes of all. */
export interface NearIntent {
  readonly intent: PastIntent;
  readonly likeness: number;
}

/** So near to a past request one is surely like it. Where requests differ more, all but the strangest of them still are. */
const [LIKE, STRANGEST] = [0.4, 0.02];

interface Texts {
  readonly asked: TextVectors;
  readonly described: TextVectors;
}

/**
 * Which tools a request takes, all of them, from the requests served before. How far neighbours, the linear memory and
 * the tools' own descriptions are to be believed is learned from the host's own past, each intent judged as if it had not
 * been there. With nothing past it knows nothing: every chance is 0.
 */
export class PlanMemory {
  readonly #candidates: readonly Candidate[];
  readonly #intents: readonly PastIntent[];
  readonly #rows: readonly (readonly number[])[];
  readonly #meanings: Matrix;
  readonly #texts: TextVectors;
  readonly #descriptions: TextVectors;
  readonly #usage: Float64Array;
  #ridge: RidgeMemory | undefined;
  #chance: Chance | undefined;
  #leastLike = LIKE;

  private constructor(candidates: readonly Candidate[], intents: readonly PastIntent[], texts: Texts) {
    const rowOf = new Map(candidates.map(({ id }, row) => [id, row]));
    this.#candidates = candidates;
    this.#intents = intents;
    this.#rows = intents.map(({ candidateIds }) => [...new Set(candidateIds)].flatMap((id) => rowOf.get(id) ?? []));
    this.#meanings = Matrix.of(intents.map(({ vector }) => vector));
    this.#texts = texts.asked;
    this.#descriptions = texts.described;
    this.#usage = this.#gather(Float64Array.from(intents, () => 1 / Math.max(1, intents.length)));
  }

  static create(candidates: readonly Candidate[], intents: readonly PastIntent[]): PlanMemory {
    return finish(PlanMemory.learn(candidates, intents));
  }

  /** In steps, for `finishInTurns`. */
  static *learn(candidates: readonly Candidate[], intents: readonly PastIntent[]): Generator<undefined, PlanMemory> {
    const described = candidates.map((candidate) => listViews(candidate)[0] ?? "");
    const asked = intents.map(({ text }) => text);
    const memory = new PlanMemory(candidates, intents, {
      asked: yield* TextVectors.learn(asked, described),
      described: yield* TextVectors.learn(described, asked),
    });
    const options = { texts: memory.#texts, candidates: candidates.length };
    memory.#ridge = yield* RidgeMemory.learn(intents, memory.#rows, options);
    memory.#chance = intents.length === 0 ? undefined : yield* memory.#learn(memory.#ridge);
    return memory;
  }

  /** Whether the past says anything of it: among unlike requests, one is always the nearest. */
  isLike(query: Query): boolean {
    return this.#intents.length > 0 && max(this.#compare(query).both) >= this.#leastLike;
  }

  /** For each candidate, the chance that the request takes it. */
  score(query: Query): Float64Array {
    const [ridge, chance] = [this.#ridge, this.#chance];
    if (ridge === undefined || chance === undefined) return new Float64Array(this.#candidates.length);
    const columns = this.#describe(query, ridge.score(query));
    return Float64Array.from(this.#candidates, (_, row) => chance(columns.map((column) => column[row] ?? 0)));
  }

  /** As `score`, of past intents as if each had not been there, by their places. */
  *scorePast(places: readonly number[]): Generator<undefined, Float64Array[]> {
    const intents = places.map((at) => this.#intents[at] as PastIntent);
    const rows = places.map((at) => this.#rows[at] ?? []);
    const linear = this.#ridge === undefined ? [] : yield* this.#ridge.scoreWithout(intents, rows);
    const scores: Float64Array[] = [];
    for (const [lesson, intent] of intents.entries()) {
      const columns = this.#describe(intent, linear[lesson] as Float64Array, places[lesson]);
      const chance = (row: number): number => this.#chance?.(columns.map((column) => column[row] ?? 0)) ?? 0;
      scores.push(Float64Array.from(this.#candidates, (_, row) => chance(row)));
      yield;
    }
    return scores;
  }

  /** One that is itself among the past intents is not its own neighbour. */
  listNearest(query: Query, limit: number): NearIntent[] {
    const own = this.#intents.findIndex((intent) => intent === query);
    const votes = castVotes(this.#compare(query, own).both, WIDTHS.both[0]);
    const nearest = pickLargest(votes, limit).sort((a, b) => (votes[b] ?? 0) - (votes[a] ?? 0) || a - b);
    return nearest.map((at) => ({ intent: this.#intents[at] as PastIntent, likeness: votes[at] ?? 0 }));
  }

  *#learn(ridge: RidgeMemory): Generator<undefined, Chance> {
    const lessons = pickLessons(this.#intents.length);
    const intents = lessons.map((at) => this.#intents[at] as PastIntent);
    const linear = yield* ridge.scoreWithout(
      intents,
      lessons.map((at) => this.#rows[at] ?? []),
    );
    const features: number[][] = [];
    const labels: boolean[] = [];
    const nearest: number[] = [];
    for (const [lesson, at] of lessons.entries()) {
      nearest.push(max(this.#compare(intents[lesson] as PastIntent, at).both));
      const columns = this.#describe(intents[lesson] as PastIntent, linear[lesson] as Float64Array, at);
      for (let row = 0; row < this.#candidates.length; row++) {
        features.push(columns.map((column) => column[row] ?? 0));
        labels.push((this.#rows[at] ?? []).includes(row));
      }
      yield;
    }
    this.#leastLike = findLeast(nearest);
    return yield* fitChanceInSteps(features, labels);
  }

  /** One column a feature, one number in it a candidate. */
  #describe(query: Query, linear: Float64Array, without = -1): Float64Array[] {
    const near = this.#compare(query, without);
    const votes = (["meaning", "words", "both"] as const).flatMap((kind) =>
      WIDTHS[kind].map((width) => this.#gather(castVotes(near[kind], width)).map((vote) => Math.log(vote + UNSEEN))),
    );
    const nearest = near.both.indexOf(max(near.both));
    const isIn = new Set(this.#rows[nearest]);
    return [
      ...votes,
      Float64Array.from(this.#candidates, (_, row) => (isIn.has(row) ? 1 : 0)),
      linear,
      this.#descriptions.score(query.text, this.#candidates.length),
      Float64Array.from(this.#candidates, ({ vectors }) =>
        Math.max(0, ...vectors.map((each) => cosine(each, query.vector))),
      ),
      this.#usage.map((share) => Math.log(share + UNSEEN)),
    ];
  }

  #compare(query: Query, without = -1): Record<"meaning" | "words" | "both", Float64Array> {
    const meaning = Float64Array.from(this.#meanings.multiply(query.vector));
    const words = this.#texts.score(query.text, this.#intents.length);
    if (without >= 0) meaning[without] = words[without] = Number.NEGATIVE_INFINITY;
    return { meaning, words, both: meaning.map((each, at) => each + WORDS_COUNT * (words[at] ?? 0)) };
  }

  #gather(votes: Float64Array): Float64Array {
    const gathered = new Float64Array(this.#candidates.length);
    for (const [at, rows] of this.#rows.entries()) {
      for (const row of rows) gathered[row] = (gathered[row] ?? 0) + (votes[at] ?? 0);
    }
    return gathered;
  }
}

/** Of likenesses of past requests to the one nearest to each. */
function findLeast(nearest: readonly number[]): number {
  const sorted = [...nearest].sort((a, b) => a - b);
  return Math.min(LIKE, sorted[Math.floor(STRANGEST * sorted.length)] ?? LIKE);
}

function max(values: Float64Array): number {
  return values.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY);
}
