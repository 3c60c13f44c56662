import { listContentWords } from "./words.js";

/** Likeness of texts by the rare words they share: cosine of TF-IDF, each word counted once. */
export class TextVectors {
  readonly #frequency = new Map<string, number>();
  readonly #postings = new Map<string, { row: number; weight: number }[]>();
  readonly #size: number;

  /** Compares with `texts`; how rare a word is comes from these and from `others` together. */
  constructor(texts: readonly string[], others: readonly string[] = []) {
    this.#size = texts.length + others.length;
    for (const text of [...texts, ...others]) {
      for (const word of new Set(listContentWords(text))) {
        this.#frequency.set(word, (this.#frequency.get(word) ?? 0) + 1);
      }
    }
    for (const [row, text] of texts.entries()) {
      for (const [word, weight] of this.read(text)) {
        const postings = this.#postings.get(word) ?? [];
        postings.push({ row, weight });
        this.#postings.set(word, postings);
      }
    }
  }

  /** The words of a text with their weights, of length 1 together. Words that are nowhere are left out. */
  read(text: string): Map<string, number> {
    const known = [...new Set(listContentWords(text))].filter((word) => this.#frequency.has(word));
    const weights = known.map((word) => Math.log(1 + this.#size / (1 + (this.#frequency.get(word) ?? 0))));
    const norm = Math.hypot(...weights) || 1;
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
}
