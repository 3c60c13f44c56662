import { listContentWords } from "./words.js";

/** One text of a document, and how much a word in it counts. */
export interface Field {
  text: string;
  weight: number;
}

interface Posting {
  row: number;
  /** Weighted count of the word, already divided by how long the document is. */
  frequency: number;
}

const SATURATION = 1.2;
const LENGTH_SHARE = 0.6;

/** BM25 over documents of several fields (Robertson & Zaragoza, 2009), each word looked up once. */
export class LexicalIndex {
  readonly #postings = new Map<string, Posting[]>();
  readonly #size: number;

  constructor(documents: readonly (readonly Field[])[]) {
    this.#size = documents.length;
    const counts = documents.map(countWords);
    const lengths = counts.map((count) => [...count.values()].reduce((sum, each) => sum + each, 0));
    const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
    for (const [row, count] of counts.entries()) {
      const norm = 1 - LENGTH_SHARE + (LENGTH_SHARE * (lengths[row] ?? 0)) / mean;
      for (const [word, frequency] of count) this.#add(word, { row, frequency: frequency / norm });
    }
  }

  /** How rare a word is here; 0 for one that is nowhere. */
  rarity(word: string): number {
    const found = this.#postings.get(word)?.length ?? 0;
    return found === 0 ? 0 : Math.log(1 + (this.#size - found + 0.5) / (found + 0.5));
  }

  /** A score for every document. */
  score(text: string): Float64Array {
    const scores = new Float64Array(this.#size);
    for (const word of new Set(listContentWords(text))) {
      const rarity = this.rarity(word);
      for (const { row, frequency } of this.#postings.get(word) ?? []) {
        scores[row] = (scores[row] ?? 0) + (rarity * frequency * (SATURATION + 1)) / (frequency + SATURATION);
      }
    }
    return scores;
  }

  /** For every document, the share of the query's words it has, rare words counting more and unknown ones most. */
  cover(text: string): Float64Array {
    const shares = new Float64Array(this.#size);
    const unknown = Math.log(1 + this.#size);
    let total = 0;
    for (const word of new Set(listContentWords(text))) {
      const rarity = this.rarity(word) || unknown;
      total += rarity;
      for (const { row } of this.#postings.get(word) ?? []) shares[row] = (shares[row] ?? 0) + rarity;
    }
    return shares.map((share) => (total === 0 ? 0 : share / total));
  }

  #add(word: string, posting: Posting): void {
    const postings = this.#postings.get(word);
    if (postings) postings.push(posting);
    else this.#postings.set(word, [posting]);
  }
}

function countWords(fields: readonly Field[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text, weight } of fields) {
    for (const word of listContentWords(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
  }
  return counts;
}
