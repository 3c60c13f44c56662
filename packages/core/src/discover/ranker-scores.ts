import type { Candidate, Query } from "./candidate.js";
import { LexicalIndex } from "./lexical-index.js";
import { cosine } from "./likeness.js";
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

  constructor(candidates: readonly Candidate[]) {
    this.candidates = candidates;
    this.#lexical = new LexicalIndex(candidates.map(listFields));
    this.#names = candidates.map(({ name }) => [...new Set(listContentWords(name))]);
  }

  score(query: Query): RankerScores {
    const words = new Set(listContentWords(query.text));
    const likeness = this.candidates.map(({ vectors }) => vectors.map((vector) => cosine(query.vector, vector)));
    return {
      lexical: this.#lexical.score(query.text),
      coverage: this.#lexical.cover(query.text),
      naming: Float64Array.from(this.#names, (name) => this.#shareNamed(name, words)),
      meaning: Float64Array.from(likeness, (each) => each[0] ?? 0),
      closest: Float64Array.from(likeness, (each) => (each.length === 0 ? 0 : Math.max(...each))),
      length: words.size,
    };
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

function listFields({ name, description, schemaText = "" }: Candidate): { text: string; weight: number }[] {
  return [
    { text: name, weight: NAME_WEIGHT },
    { text: description, weight: 1 },
    { text: schemaText, weight: SCHEMA_WEIGHT },
  ];
}
