import type { Candidate } from "./candidate.js";
import { cosine } from "./likeness.js";
import { listContentWords } from "./words.js";

/** How much a shared word counts beside likeness in meaning. */
const WORDS_COUNT = 0.5;

/** A part of a request; without a vector its words alone are compared. */
export interface Clause {
  readonly text: string;
  vector?: Float32Array;
}

/** The parts of a request that may each ask for something; what is quoted is data and asks for nothing. */
export function listClauses(text: string): string[] {
  const plain = text.replace(/'[^']{0,400}'|"[^"]{0,400}"/g, " ");
  const parts = plain.split(/[,.;:?!]\s|\b(?:and|then|after|afterwards|finally|also|before|next|lastly)\b/i);
  const clauses = parts.map((part) => part.trim()).filter((part) => listContentWords(part).length > 0);
  return clauses.length > 0 ? clauses : [text];
}

/** Candidates made ready to be looked for in the clauses of many requests. */
export class MentionIndex {
  readonly #candidates: readonly MentionedCandidate[];
  readonly #words: readonly ReadonlySet<string>[];

  constructor(candidates: readonly MentionedCandidate[]) {
    this.#candidates = candidates;
    this.#words = candidates.map(({ name, description }) => new Set(listContentWords(`${name} ${description}`)));
  }

  /** For each clause, how much it speaks of each candidate. */
  score(clauses: readonly Clause[]): Float64Array[] {
    return clauses.map(({ text, vector }) => {
      const words = [...new Set(listContentWords(text))];
      return Float64Array.from(this.#candidates, ({ vectors }, row) => {
        const likeness = vector === undefined ? [] : vectors.map((each) => cosine(vector, each));
        const shared = words.filter((word) => this.#words[row]?.has(word)).length / Math.max(1, words.length);
        return Math.max(0, ...likeness) + WORDS_COUNT * shared;
      });
    });
  }
}

type MentionedCandidate = Pick<Candidate, "id" | "name" | "description" | "vectors">;

/** For each candidate, the clause that speaks of it most, from 0; people mostly name steps in the order they want them. */
export function locateMentions(
  clauses: readonly Clause[],
  candidates: readonly MentionedCandidate[],
): Map<string, number> {
  const scores = new MentionIndex(candidates).score(clauses);
  return new Map(
    candidates.map(({ id }, row) => {
      const column = scores.map((clause) => clause[row] ?? 0);
      return [id, column.indexOf(Math.max(...column))];
    }),
  );
}
