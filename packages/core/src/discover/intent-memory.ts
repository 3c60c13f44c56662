import type { PastIntent, Query } from "./candidate.js";
import { fuse } from "./fusion.js";
import { cosine, standardise } from "./likeness.js";
import { LinearMemory } from "./linear-memory.js";
import type { CandidateIndex } from "./ranker-scores.js";
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
}

const WIDTHS = { close: 0.03, wide: 0.08 } as const;
const WORDS_COUNT = 0.5;
const UNSEEN = 0.003;
/** How sure the unlearned ranking is when learning starts from it. */
const OFFSET = 0.8;

/** Intents that were served before, made ready for many queries. */
export class IntentMemory {
  readonly #index: CandidateIndex;
  readonly #intents: readonly PastIntent[];
  readonly #rows: readonly (readonly number[])[];
  readonly #texts: TextVectors;
  readonly #linear: LinearMemory;

  constructor(index: CandidateIndex, intents: readonly PastIntent[]) {
    const rowOf = new Map(index.candidates.map(({ id }, row) => [id, row]));
    this.#index = index;
    this.#intents = intents;
    this.#rows = intents.map(({ candidateIds }) => [...new Set(candidateIds)].flatMap((id) => rowOf.get(id) ?? []));
    this.#texts = new TextVectors(intents.map(({ text }) => text));
    const lessons = intents.map((intent, at) => ({
      ...intent,
      offset: standardise(fuse(index.score(intent))).map((score) => OFFSET * score),
      rows: this.#rows[at] ?? [],
    }));
    this.#linear = new LinearMemory(lessons, { texts: this.#texts, candidates: index.candidates.length });
  }

  score(query: Query): MemoryScores {
    const cold = fuse(this.#index.score(query));
    const standard = standardise(cold);
    const words = this.#texts.score(query.text, this.#intents.length);
    const meaning = Float64Array.from(this.#intents, ({ vector }) => cosine(query.vector, vector));
    const near = meaning.map((likeness, at) => likeness + WORDS_COUNT * (words[at] ?? 0));
    const added = this.#linear.score(query);
    return {
      cold,
      standard,
      learned: standard.map((score, row) => OFFSET * score + (added[row] ?? 0)),
      close: this.#gather(castVotes(near, WIDTHS.close)),
      wide: this.#gather(castVotes(near, WIDTHS.wide)),
      nearest: meaning.reduce((best, each) => Math.max(best, each), 0),
      density: this.#intents.length / Math.max(1, cold.length),
    };
  }

  #gather(votes: Float64Array): Float64Array {
    const gathered = new Float64Array(this.#index.candidates.length);
    for (const [at, rows] of this.#rows.entries()) {
      for (const row of rows) gathered[row] = (gathered[row] ?? 0) + (votes[at] ?? 0);
    }
    return gathered.map((vote) => Math.log(vote + UNSEEN));
  }
}
