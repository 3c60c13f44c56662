import { listViews } from "../model/views.js";
import type { Candidate, PastIntent, Query } from "./candidate.js";
import { cosine } from "./likeness.js";
import { type Chance, fitChance } from "./logistic.js";
import { RidgeMemory } from "./ridge-memory.js";
import { TextVectors } from "./text-vectors.js";
import { castVotes } from "./votes.js";

/** Past intents from which it learns what speaks for a tool; more of them change little. */
const MOST_LESSONS = 400;
const WORDS_COUNT = 0.5;
const UNSEEN = 0.003;
/** How fast votes fall with distance, for each way to be near. */
const WIDTHS = { meaning: [0.03, 0.08], words: [0.05, 0.1], both: [0.05] } as const;

/** A past intent, and how near it is to what is asked: its share of the votes of all. */
export interface NearIntent {
  readonly intent: PastIntent;
  readonly likeness: number;
}

/**
 * Which tools a request takes, all of them, from the requests served before. How far neighbours, the linear memory and
 * the tools' own descriptions are to be believed is learned from the host's own past, each intent judged as if it had not
 * been there. With nothing past it knows nothing: every chance is 0.
 */
export class PlanMemory {
  readonly #candidates: readonly Candidate[];
  readonly #intents: readonly PastIntent[];
  readonly #rows: readonly (readonly number[])[];
  readonly #texts: TextVectors;
  readonly #descriptions: TextVectors;
  readonly #usage: Float64Array;
  readonly #ridge: RidgeMemory;
  readonly #chance: Chance | undefined;

  constructor(candidates: readonly Candidate[], intents: readonly PastIntent[]) {
    const rowOf = new Map(candidates.map(({ id }, row) => [id, row]));
    const described = candidates.map((candidate) => listViews(candidate)[0] ?? "");
    const asked = intents.map(({ text }) => text);
    this.#candidates = candidates;
    this.#intents = intents;
    this.#rows = intents.map(({ candidateIds }) => [...new Set(candidateIds)].flatMap((id) => rowOf.get(id) ?? []));
    this.#texts = TextVectors.create(asked, described);
    this.#descriptions = TextVectors.create(described, asked);
    this.#usage = this.#gather(Float64Array.from(intents, () => 1 / Math.max(1, intents.length)));
    this.#ridge = new RidgeMemory(intents, this.#rows, { texts: this.#texts, candidates: candidates.length });
    this.#chance = intents.length === 0 ? undefined : this.#learn();
  }

  /** For each candidate, the chance that the request takes it. */
  score(query: Query): Float64Array {
    const chance = this.#chance;
    if (chance === undefined) return new Float64Array(this.#candidates.length);
    const columns = this.#describe(query, this.#ridge.score(query));
    return Float64Array.from(this.#candidates, (_, row) => chance(columns.map((column) => column[row] ?? 0)));
  }

  /** As `score`, of past intents as if each had not been there, by their places. */
  scorePast(places: readonly number[]): Float64Array[] {
    const intents = places.map((at) => this.#intents[at] as PastIntent);
    const rows = places.map((at) => this.#rows[at] ?? []);
    const linear = this.#ridge.scoreWithout(intents, rows);
    return intents.map((intent, lesson) => {
      const columns = this.#describe(intent, linear[lesson] as Float64Array, places[lesson]);
      return Float64Array.from(
        this.#candidates,
        (_, row) => this.#chance?.(columns.map((column) => column[row] ?? 0)) ?? 0,
      );
    });
  }

  /** One that is itself among the past intents is not its own neighbour. */
  listNearest(query: Query, limit: number): NearIntent[] {
    const own = this.#intents.findIndex((intent) => intent === query);
    const votes = castVotes(this.#compare(query, own).both, WIDTHS.both[0]);
    return this.#intents
      .map((intent, at) => ({ intent, likeness: votes[at] ?? 0 }))
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, limit);
  }

  #learn(): Chance {
    const every = Math.max(1, Math.ceil(this.#intents.length / MOST_LESSONS));
    const lessons = this.#intents.flatMap((_, at) => (at % every === 0 ? [at] : []));
    const intents = lessons.map((at) => this.#intents[at] as PastIntent);
    const linear = this.#ridge.scoreWithout(
      intents,
      lessons.map((at) => this.#rows[at] ?? []),
    );
    const features: number[][] = [];
    const labels: boolean[] = [];
    for (const [lesson, at] of lessons.entries()) {
      const columns = this.#describe(intents[lesson] as PastIntent, linear[lesson] as Float64Array, at);
      for (let row = 0; row < this.#candidates.length; row++) {
        features.push(columns.map((column) => column[row] ?? 0));
        labels.push((this.#rows[at] ?? []).includes(row));
      }
    }
    return fitChance(features, labels);
  }

  /** One column a feature, one number in it a candidate. */
  #describe(query: Query, linear: Float64Array, without = -1): Float64Array[] {
    const near = this.#compare(query, without);
    const votes = (["meaning", "words", "both"] as const).flatMap((kind) =>
      WIDTHS[kind].map((width) => this.#gather(castVotes(near[kind], width)).map((vote) => Math.log(vote + UNSEEN))),
    );
    const nearest = near.both.indexOf(Math.max(...near.both));
    const isIn = new Set(this.#rows[nearest]);
    return [
      ...votes,
      Float64Array.from(this.#candidates, (_, row) => (isIn.has(row) ? 1 : 0)),
      linear,
      this.#descriptions.score(query.text, this.#candidates.length),
      Float64Array.from(this.#candidates, ({ vectors }) =>
        Math.max(0, ...vectors.map((each) => cosine(each, query.vector))),
      ),
      this.#usage.map((share) => Math.log(share + UNSEEN)),
    ];
  }

  #compare(query: Query, without = -1): Record<"meaning" | "words" | "both", Float64Array> {
    const meaning = Float64Array.from(this.#intents, ({ vector }) => cosine(vector, query.vector));
    const words = this.#texts.score(query.text, this.#intents.length);
    if (without >= 0) meaning[without] = words[without] = Number.NEGATIVE_INFINITY;
    return { meaning, words, both: meaning.map((each, at) => each + WORDS_COUNT * (words[at] ?? 0)) };
  }

  #gather(votes: Float64Array): Float64Array {
    const gathered = new Float64Array(this.#candidates.length);
    for (const [at, rows] of this.#rows.entries()) {
      for (const row of rows) gathered[row] = (gathered[row] ?? 0) + (votes[at] ?? 0);
    }
    return gathered;
  }
}
