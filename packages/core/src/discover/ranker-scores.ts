import { Matrix } from "../store/vectors/dot-kernel.js";
import type { Candidate, Query } from "./candidate.js";
import { LexicalIndex } from "./lexical-index.js";
import { listContentWords } from "./words.js";

const NAME_WEIGHT = 2;
const SCHEMA_WEIGHT = 0.5;

/** What each ranker says of every candidate, in their order. */
export interface RankerScores {
  /** BM25 over name, description and schema. */
  lexical: Float64Array;
  /** Share of the query's words that the candidate has. */
  coverage: Float64Array;
  /** Share of the name's words that the query has. */
  naming: Float64Array;
  /** Likeness in meaning to name and description. */
  meaning: Float64Array;
  /** Likeness in meaning to the closest of all views. */
  closest: Float64Array;
  /** How many words of content the query has. */
  length: number;
}

/** Candidates made ready for many queries. */
export class CandidateIndex {
  readonly candidates: readonly Candidate[];
  readonly #lexical: LexicalIndex;
  readonly #names: readonly (readonly string[])[];
  /** The views of all candidates, one after the other. */
  readonly #views: Matrix;

  constructor(candidates: readonly Candidate[]) {
    this.candidates = candidates;
    this.#views = Matrix.of(candidates.flatMap(({ vectors }) => vectors));
    this.#lexical = new LexicalIndex(candidates.map(listFields));
    this.#names = candidates.map(({ name }) => [...new Set(listContentWords(name))]);
  }

  score(query: Query): RankerScores {
    const words = new Set(listContentWords(query.text));
    const { first, best } = this.#compare(query.vector);
    return {
      lexical: this.#lexical.score(query.text),
      coverage: this.#lexical.cover(query.text),
      naming: Float64Array.from(this.#names, (name) => this.#shareNamed(name, words)),
      meaning: first,
      closest: best,
      length: words.size,
    };
  }

  /** The likeness of a candidate's first view, and of its closest; 0 for one without any. */
  #compare(vector: Float32Array): { first: Float64Array; best: Float64Array } {
    const { length } = this.candidates;
    const [first, best] = [new Float64Array(length), new Float64Array(length)];
    const cosines = this.#views.multiply(vector);
    let view = 0;
    for (const [row, { vectors }] of this.candidates.entries()) {
      for (let at = 0; at < vectors.length; at++) {
        const cosine = finite(cosines[view++]);
        if (at === 0) first[row] = best[row] = cosine;
        else if (cosine > (best[row] ?? 0)) best[row] = cosine;
      }
    }
    return { first, best };
  }

  #shareNamed(name: readonly string[], words: ReadonlySet<string>): number {
    let [named, total] = [0, 0];
    for (const word of name) {
      const rarity = this.#lexical.rarity(word);
      total += rarity;
      if (words.has(word)) named += rarity;
    }
    return total === 0 ? 0 : named / total;
  }
}

/** A vector that is none says nothing. */
function finite(cosine: number | undefined): number {
  return Number.isFinite(cosine) ? (cosine as number) : 0;
}

function listFields({ name, description, schemaText = "" }: Candidate): { text: string; weight: number }[] {
  return [
    { text: name, weight: NAME_WEIGHT },
    { text: description, weight: 1 },
    { text: schemaText, weight: SCHEMA_WEIGHT },
  ];
}
