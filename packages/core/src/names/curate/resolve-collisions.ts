import { findBrokenRule } from "../display-name.js";

export interface Wish {
  id: string;
  /** Of its code, to tell it from all others at the last. */
  hash: string;
  name: string;
  variants: readonly string[];
}

const MOST_VARIANTS = 4;
const NUMBERS = [2, 3, 4, 5, 6, 7, 8, 9];

/** Names that would do, best first: as wished, with a word that tells it apart, numbered, and with its hash. */
export function listCandidates({ name, variants, hash }: Wish): string[] {
  const more = [...variants.slice(0, MOST_VARIANTS), ...NUMBERS.map(String), hash.slice(0, 8)];
  return [name, ...more.map((word) => `${name}_${word}`)].filter((each) => findBrokenRule(each) === undefined);
}

/** Each the best of its candidates that is neither taken nor given to one before it. */
export function resolveCollisions(wishes: readonly Wish[], isTaken: (name: string) => boolean): Map<string, string> {
  const given = new Map<string, string>();
  const used = new Set<string>();
  for (const wish of wishes) {
    const name = listCandidates(wish).find((each) => !used.has(each) && !isTaken(each));
    if (name === undefined) continue;
    used.add(name);
    given.set(wish.id, name);
  }
  return given;
}
