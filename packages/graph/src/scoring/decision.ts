import { GraphError } from "../error.js";
import { type CandidateFacts, FEATURES, unit, writeFeatures } from "./features.js";

/**
 * A hyperedge near the question: a capability or an earlier run, which spans its tools. `offers` has the candidates
 * among them, by index, and how strongly it speaks for each as the next step.
 */
export interface Neighbour {
  /** Of its intent with the one asked for. */
  likeness: number;
  /** Share of the context's tools that it spans. */
  overlap: number;
  reliability: number;
  recency: number;
  offers: readonly (readonly [candidate: number, strength: number])[];
}

/** What is to be ranked, and all that is known for it. */
export interface ScoringQuestion {
  candidates: readonly CandidateFacts[];
  neighbours?: readonly Neighbour[];
}

export const NEIGHBOUR_FEATURES = 4;

/** A question as numbers in a row. */
export interface Decision {
  count: number;
  features: Float64Array;
  neighbours: Float64Array;
  /** Three numbers each: neighbour, candidate, strength. */
  offers: Float64Array;
}

const MAX_CANDIDATES = 100_000;

export function encodeQuestion({ candidates, neighbours = [] }: ScoringQuestion): Decision {
  if (!Array.isArray(candidates) || candidates.length > MAX_CANDIDATES || !Array.isArray(neighbours)) {
    throw invalidQuestion(`A question has a list of at most ${MAX_CANDIDATES} candidates.`);
  }
  const features = new Float64Array(candidates.length * FEATURES.length);
  for (const [at, facts] of candidates.entries()) writeFeatures(facts, features, at * FEATURES.length);
  const rows = neighbours.flatMap(({ likeness, overlap, reliability, recency }) => [
    unit(likeness),
    unit(overlap),
    unit(reliability),
    unit(recency),
  ]);
  const offers = neighbours.flatMap((neighbour, at) =>
    neighbour.offers.flatMap(([candidate, strength]: readonly [number, number]) => [
      at,
      assertIndex(candidate, candidates.length),
      unit(strength),
    ]),
  );
  return { count: candidates.length, features, neighbours: Float64Array.from(rows), offers: Float64Array.from(offers) };
}

export function assertIndex(index: number, length: number): number {
  if (Number.isInteger(index) && index >= 0 && index < length) return index;
  throw invalidQuestion(`There is no candidate ${String(index)} of ${length}.`);
}

function invalidQuestion(message: string): GraphError {
  return new GraphError("GRAPH_INVALID_INPUT", message);
}
