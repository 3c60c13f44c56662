import { Matrix } from "../store/vectors/dot-kernel.js";
import { pickLargest } from "../store/vectors/exact-index.js";
import type { PastIntent, Query } from "./candidate.js";
import { fuse } from "./fusion.js";
import { finish } from "./in-turns.js";
import { standardise } from "./likeness.js";
import { type Lesson, LinearMemory } from "./linear-memory.js";
import type { CandidateIndex, RankerScores } from "./ranker-scores.js";
import { TextVectors } from "./text-vectors.js";
import { castVotes } from "./votes.js";

/** What past intents say of every candidate, in the order of the index. */
export interface MemoryScores {
  /** The ranking without them, and that ranking on one scale. */
  cold: Float64Array;
  standard: Float64Array;
  /** What words and meaning add to it, learned from which candidate served which intent. */
  learned: Float64Array;
  /** Shares of the votes of all neighbours, as logarithms, close ones alone and those further off too. */
  close: Float64Array;
  wide: Float64Array;
  /** Likeness in meaning to the nearest past intent. */
  nearest: number;
  /** How many past intents a candidate has, on average. */
  density: number;
  /** For those that served what is nearest: what was asked then. */
  asked: ReadonlyMap<number, string>;
}

const WIDTHS = { close: 0.03, wide: 0.08 } as const;
const WORDS_COUNT = 0.5;
/** Past intents that are told of beside what they were served by: this many, and no less alike. */
const [NEAREST, LEAST_TOLD] = [5, 0.4];
const UNSEEN = 0.003;
/** How sure the unlearned ranking is when learning starts from it. */
const OFFSET = 0.8;

/** Candidates that learn: each takes ten thousand bytes, and time in every lesson. */
const MOST_LEARNING = 2000;
const [LOOKED_FOR_RIVALS, RIVALS] = [50, 10];
/** Intents taken in before others get their turn. */
const STEP = 50;

/** Intents that were served before, made ready for many queries. */
export class IntentMemory {
  readonly #index: CandidateIndex;
  readonly #asked: readonly string[];
  /** For each intent, the rows of what served it. */
  readonly #rows: readonly (readonly number[])[];
  readonly #texts: TextVectors;
  readonly #meanings: Matrix;
  #linear: LinearMemory | undefined;
  /** For each row of the index that learns, its place among them. */
  #places: ReadonlyMap<number, number> = new Map();

  private constructor(index: CandidateIndex, intents: readonly PastIntent[], texts: TextVectors) {
    const rowOf = new Map(index.candidates.map(({ id }, row) => [id, row]));
    this.#index = index;
    this.#asked = intents.map(({ text }) => text);
    this.#rows = intents.map(({ candidateIds }) => [...new Set(candidateIds)].flatMap((id) => rowOf.get(id) ?? []));
    this.#texts = texts;
    this.#meanings = new Matrix(intents[0]?.vector.length ?? 0);
  }

  static create(index: CandidateIndex, intents: readonly PastIntent[]): IntentMemory {
    return finish(IntentMemory.learn(index, intents));
  }

  /** The first intents, as many as may teach, teach the linear part; all of them vote. A step each, for `finishInTurns`. */
  static *learn(
    index: CandidateIndex,
    intents: readonly PastIntent[],
    mostLessons: number = intents.length,
  ): Generator<undefined, IntentMemory> {
    const texts = yield* TextVectors.learn(intents.map(({ text }) => text));
    const memory = new IntentMemory(index, intents, texts);
    for (const [at, { vector }] of intents.entries()) {
      memory.#meanings.set(at, vector);
      if (at % STEP === 0) yield;
    }
    const teaching = intents.slice(0, mostLessons);
    const learning = yield* memory.#listLearning(teaching);
    memory.#places = new Map(learning.map((row, place) => [row, place]));
    const lessons: Lesson[] = [];
    for (const [at, intent] of teaching.entries()) {
      lessons.push(memory.#describeLesson(intent, memory.#rows[at] ?? []));
      yield;
    }
    memory.#linear = yield* LinearMemory.learn(lessons, { texts, candidates: memory.#places.size });
    return memory;
  }

  score(query: Query, scores: RankerScores = this.#index.score(query)): MemoryScores {
    const cold = fuse(scores);
    const standard = standardise(cold);
    const words = this.#texts.score(query.text, this.#asked.length);
    const meaning = Float64Array.from(this.#meanings.multiply(query.vector));
    const near = meaning.map((likeness, at) => likeness + WORDS_COUNT * (words[at] ?? 0));
    const learned = standard.map((score) => OFFSET * score);
    const added = this.#linear?.score(query) ?? [];
    for (const [row, place] of this.#places) learned[row] = (learned[row] ?? 0) + (added[place] ?? 0);
    return {
      cold,
      standard,
      learned,
      close: this.#gather(castVotes(near, WIDTHS.close)),
      wide: this.#gather(castVotes(near, WIDTHS.wide)),
      nearest: meaning.reduce((best, each) => Math.max(best, each), 0),
      density: this.#asked.length / Math.max(1, cold.length),
      asked: this.#listAsked(near),
    };
  }

  #listAsked(near: Float64Array): Map<number, string> {
    const nearest = pickLargest(near, NEAREST, (at) => (near[at] ?? 0) >= LEAST_TOLD);
    nearest.sort((a, b) => (near[b] ?? 0) - (near[a] ?? 0));
    const asked = new Map<number, string>();
    for (const at of nearest) {
      for (const row of this.#rows[at] ?? []) if (!asked.has(row)) asked.set(row, this.#asked[at] ?? "");
    }
    return asked;
  }

  /** All, if they are few; else those that served anything, and what the unlearned ranking would take them for. */
  *#listLearning(teaching: readonly PastIntent[]): Generator<undefined, number[]> {
    const { candidates } = this.#index;
    if (teaching.length === 0) return [];
    if (candidates.length <= MOST_LEARNING) return [...candidates.keys()];
    const learning = new Set(this.#rows.flat());
    for (const intent of teaching.slice(0, LOOKED_FOR_RIVALS)) {
      for (const row of pickLargest(fuse(this.#index.score(intent)), RIVALS)) learning.add(row);
      yield;
    }
    return [...learning].slice(0, MOST_LEARNING);
  }

  #describeLesson(intent: PastIntent, rows: readonly number[]): Lesson {
    const unlearned = standardise(fuse(this.#index.score(intent)));
    const offset = Float64Array.from(this.#places.keys(), (row) => OFFSET * (unlearned[row] ?? 0));
    return { ...intent, offset, rows: rows.flatMap((row) => this.#places.get(row) ?? []) };
  }

  #gather(votes: Float64Array): Float64Array {
    const gathered = new Float64Array(this.#index.candidates.length);
    for (const [at, rows] of this.#rows.entries()) {
      for (const row of rows) gathered[row] = (gathered[row] ?? 0) + (votes[at] ?? 0);
    }
    return gathered.map((vote) => Math.log(vote + UNSEEN));
  }
}
