import { finish } from "./in-turns.js";
import { listContentWords } from "./words.js";

/** Texts read before others get their turn. */
const STEP = 20;

/** Likeness of texts by the rare words they share: cosine of TF-IDF, each word counted once. */
export class TextVectors {
  readonly #frequency = new Map<string, number>();
  readonly #postings = new Map<string, { row: number; weight: number }[]>();
  readonly #size: number;

  private constructor(size: number) {
    this.#size = size;
  }

  /** Compares with `texts`; how rare a word is comes from these and from `others` together. */
  static create(texts: readonly string[], others: readonly string[] = []): TextVectors {
    return finish(TextVectors.learn(texts, others));
  }

  static *learn(texts: readonly string[], others: readonly string[] = []): Generator<undefined, TextVectors> {
    const all = [...texts, ...others];
    const vectors = new TextVectors(all.length);
    for (const [row, text] of all.entries()) {
      for (const word of new Set(listContentWords(text))) {
        vectors.#frequency.set(word, (vectors.#frequency.get(word) ?? 0) + 1);
      }
      if (row % STEP === 0) yield;
    }
    for (const [row, text] of texts.entries()) {
      vectors.#put(row, text);
      if (row % STEP === 0) yield;
    }
    return vectors;
  }

  /** The words of a text with their weights, of length 1 together. Words that are nowhere are left out. */
  read(text: string): Map<string, number> {
    const known = [...new Set(listContentWords(text))].filter((word) => this.#frequency.has(word));
    const weights = known.map((word) => Math.log(1 + this.#size / (1 + (this.#frequency.get(word) ?? 0))));
    const norm = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0)) || 1;
    return new Map(known.map((word, at) => [word, (weights[at] ?? 0) / norm]));
  }

  /** One likeness a text, from 0 to 1. */
  score(text: string, count: number): Float64Array {
    const scores = new Float64Array(count);
    for (const [word, mine] of this.read(text)) {
      for (const { row, weight } of this.#postings.get(word) ?? []) scores[row] = (scores[row] ?? 0) + mine * weight;
    }
    return scores;
  }

  #put(row: number, text: string): void {
    for (const [word, weight] of this.read(text)) {
      const postings = this.#postings.get(word) ?? [];
      postings.push({ row, weight });
      this.#postings.set(word, postings);
    }
  }
}
