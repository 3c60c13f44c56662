import type { Candidate, Query } from "./candidate.js";
import { cosine } from "./likeness.js";
import { listContentWords } from "./words.js";

/** How much a shared word counts beside likeness in meaning. */
const WORDS_COUNT = 0.5;

/** A part of a request; without a vector its words alone are compared. */
export type Clause = Pick<Query, "text"> & Partial<Query>;

/** The parts of a request that may each ask for something; what is quoted is data and asks for nothing. */
export function listClauses(text: string): string[] {
  const plain = text.replace(/'[^']{0,400}'|"[^"]{0,400}"/g, " ");
  const parts = plain.split(/[,.;:?!]\s|\b(?:and|then|after|afterwards|finally|also|before|next|lastly)\b/i);
  const clauses = parts.map((part) => part.trim()).filter((part) => listContentWords(part).length > 0);
  return clauses.length > 0 ? clauses : [text];
}

/** For each candidate, the clause that speaks of it most, from 0; people mostly name steps in the order they want them. */
export function locateMentions(
  clauses: readonly Clause[],
  candidates: readonly Pick<Candidate, "id" | "name" | "description" | "vectors">[],
): Map<string, number> {
  const read = clauses.map(({ text, vector }) => ({ words: new Set(listContentWords(text)), vector }));
  return new Map(
    candidates.map(({ id, name, description, vectors }) => {
      const words = new Set(listContentWords(`${name} ${description}`));
      const scores = read.map((clause) => {
        const { vector } = clause;
        const likeness = vector === undefined ? [] : vectors.map((each) => cosine(vector, each));
        const shared = [...clause.words].filter((word) => words.has(word)).length / Math.max(1, clause.words.size);
        return Math.max(0, ...likeness) + WORDS_COUNT * shared;
      });
      return [id, scores.indexOf(Math.max(...scores))];
    }),
  );
}
