import type { PastIntent, Query } from "./candidate.js";
import { fitDirections } from "./intent-classifier.js";
import { LexicalIndex } from "./lexical-index.js";
import { cosine } from "./likeness.js";

/** What past intents say of every candidate, in the order of their ids; 0 for one that nothing is known of. */
export interface MemoryScores {
  /** Likeness to its nearest past intent. */
  nearest: Float64Array;
  /** Its share of the votes of all the query's neighbours. */
  votes: Float64Array;
  /** Likeness to the mean of its past intents. */
  typical: Float64Array;
  /** How much the query differs from other intents as this candidate's do. */
  telling: Float64Array;
  /** The wording of its past intents: BM25 of the best one. */
  wording: Float64Array;
  /** How many past intents a candidate has, on average. */
  density: number;
}

/** How fast a vote falls with distance: at 0.05 below the nearest, a neighbour counts for a third. */
const VOTE_WIDTH = 0.05;

/** Intents that were served before, made ready for many queries. */
export class IntentMemory {
  readonly #intents: readonly PastIntent[];
  readonly #rows: readonly (readonly number[])[];
  readonly #lexical: LexicalIndex;
  readonly #means: readonly (Float32Array | undefined)[];
  readonly #directions: readonly Float64Array[];

  constructor(candidateIds: readonly string[], intents: readonly PastIntent[]) {
    const rowOf = new Map(candidateIds.map((id, row) => [id, row]));
    this.#intents = intents;
    this.#rows = intents.map(({ candidateIds: served }) => served.flatMap((id) => rowOf.get(id) ?? []));
    this.#lexical = new LexicalIndex(intents.map(({ text }) => [{ text, weight: 1 }]));
    this.#means = averageByRow(intents, this.#rows, candidateIds.length);
    this.#directions = fitDirections(candidateIds, intents);
  }

  score(query: Query): MemoryScores {
    const size = this.#means.length;
    const likeness = Float64Array.from(this.#intents, ({ vector }) => cosine(query.vector, vector));
    const top = likeness.reduce((best, each) => Math.max(best, each), -1);
    const votes = this.#gather(likeness, (sum, each) => sum + Math.exp((each - top) / VOTE_WIDTH));
    const total = votes.reduce((sum, each) => sum + each, 0);
    return {
      nearest: this.#gather(likeness, Math.max),
      votes: votes.map((each) => (total > 0 ? each / total : 0)),
      typical: Float64Array.from(this.#means, (mean) => (mean === undefined ? 0 : cosine(query.vector, mean))),
      telling: Float64Array.from(this.#directions, (direction) => project(query.vector, direction)),
      wording: this.#gather(this.#lexical.score(query.text), Math.max),
      density: this.#intents.length / Math.max(1, size),
    };
  }

  #gather(scores: Float64Array, fold: (gathered: number, score: number) => number): Float64Array {
    const gathered = new Float64Array(this.#means.length);
    for (const [at, rows] of this.#rows.entries()) {
      for (const row of rows) gathered[row] = fold(gathered[row] ?? 0, scores[at] ?? 0);
    }
    return gathered;
  }
}

function averageByRow(
  intents: readonly PastIntent[],
  rows: readonly (readonly number[])[],
  size: number,
): (Float32Array | undefined)[] {
  const sums: (Float32Array | undefined)[] = Array.from({ length: size });
  for (const [at, { vector }] of intents.entries()) {
    for (const row of rows[at] ?? []) {
      const sum = (sums[row] ??= new Float32Array(vector.length));
      for (let index = 0; index < vector.length; index++) sum[index] = (sum[index] ?? 0) + (vector[index] ?? 0);
    }
  }
  return sums.map((sum) => sum && normalise(sum));
}

function normalise(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector);
  return norm === 0 ? vector : vector.map((value) => value / norm);
}

/** The last number of a direction is its offset. */
function project(vector: Float32Array, direction: Float64Array): number {
  return direction.reduce((sum, value, index) => sum + value * (vector[index] ?? 1), 0);
}
