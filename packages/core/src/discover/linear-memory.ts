import type { Query } from "./candidate.js";
import { hashWords } from "./hashed-words.js";
import type { TextVectors } from "./text-vectors.js";

/** How strongly meaning and words enter: what makes a step in one move the scores as far as a step in the other. */
const [MEANING, WORDING] = [4, 3];
const HASHED = 2048;
const RATE = 0.3;
/** Many intents need fewer rounds through them. */
const [FEWEST_ROUNDS, MOST_ROUNDS, STEPS] = [4, 12, 40_000];
/** Less than this is learned by no candidate: it would cost most of the time and change nothing. */
const LEAST_SURPRISE = 1e-3;

/** An intent with what was known of each candidate before anything was learned, and which of them served it. */
export interface Lesson extends Query {
  readonly offset: Float64Array;
  readonly rows: readonly number[];
}

/**
 * What the words and the meaning of an intent add to the unlearned score of each candidate: multinomial logistic
 * regression with that score as its offset, by Adagrad (Duchi, Hazan & Singer, 2011). It starts from the unlearned ranking
 * and leaves it only as far as intents say, so that few of them do no harm. The same intents give the same weights.
 */
export class LinearMemory {
  readonly #texts: TextVectors;
  readonly #weights: readonly Float32Array[];
  readonly #squares: Float64Array;

  private constructor(texts: TextVectors, { candidates, size }: { candidates: number; size: number }) {
    this.#texts = texts;
    this.#weights = Array.from({ length: candidates }, () => new Float32Array(size));
    this.#squares = new Float64Array(size).fill(1e-3);
  }

  /** A step a lesson, so that others get their turn between. */
  static *learn(
    lessons: readonly Lesson[],
    { texts, candidates }: { texts: TextVectors; candidates: number },
  ): Generator<undefined, LinearMemory> {
    const taught = lessons.filter(({ rows }) => rows.length > 0);
    const size = (taught[0]?.vector.length ?? 0) + HASHED;
    const memory = new LinearMemory(texts, { candidates: taught.length === 0 ? 0 : candidates, size });
    const inputs = taught.map((lesson) => memory.#describe(lesson));
    const rounds = Math.max(FEWEST_ROUNDS, Math.min(MOST_ROUNDS, Math.round(STEPS / Math.max(1, taught.length))));
    for (let round = 0; round < rounds; round++) {
      for (const at of listShuffled(taught.length, round)) {
        memory.#learn(taught[at] as Lesson, inputs[at] as Input);
        yield;
      }
    }
    return memory;
  }

  /** What is to be added to each offset. */
  score(query: Query): Float64Array {
    const input = this.#describe(query);
    return Float64Array.from(this.#weights, (weights) => apply(weights, input));
  }

  #learn({ offset, rows }: Lesson, input: Input): void {
    const odds = Float64Array.from(this.#weights, (weights, row) => (offset[row] ?? 0) + apply(weights, input));
    const top = odds.reduce((best, each) => Math.max(best, each), Number.NEGATIVE_INFINITY);
    const powers = odds.map((each) => Math.exp(each - top));
    const total = powers.reduce((sum, each) => sum + each, 0);
    const surplus = powers.map((each) => each / total);
    for (const row of rows) surplus[row] = (surplus[row] ?? 0) - 1 / rows.length;
    const size = surplus.reduce((sum, each) => sum + each * each, 0);
    const steps = this.#measureSteps(input, size);
    for (const [row, weights] of this.#weights.entries()) {
      const much = surplus[row] ?? 0;
      if (Math.abs(much) >= LEAST_SURPRISE) addScaled(weights, { ...input, values: steps }, -much);
    }
  }

  /** One step size a number of the input, for all candidates: rare words learn as fast as common ones. */
  #measureSteps({ places, values }: Input, size: number): Float64Array {
    return values.map((value, index) => {
      const at = places[index] ?? 0;
      const sum = (this.#squares[at] ?? 0) + value * value * size;
      this.#squares[at] = sum;
      return (RATE * value) / Math.sqrt(sum);
    });
  }

  #describe({ text, vector }: Query): Input {
    const words = hashWords(this.#texts.read(text), HASHED);
    const places = Int32Array.from([...vector.keys(), ...words.map(([place]) => vector.length + place)]);
    const values = Float64Array.from([
      ...Array.from(vector, (value) => MEANING * value),
      ...words.map(([, value]) => WORDING * value),
    ]);
    return { places, values };
  }
}

/** The numbers of an input that are not 0, and where they stand. */
interface Input {
  readonly places: Int32Array;
  readonly values: Float64Array;
}

function apply(weights: Float32Array, { places, values }: Input): number {
  let sum = 0;
  for (let at = 0; at < places.length; at++) sum += (weights[places[at] as number] as number) * (values[at] as number);
  return sum;
}

function addScaled(weights: Float32Array, { places, values }: Input, factor: number): void {
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number;
    weights[place] = (weights[place] as number) + factor * (values[at] as number);
  }
}

/** Another order each round, the same each time: intents that were stored together must not be learned together. */
function listShuffled(count: number, round: number): number[] {
  let state = round + 1;
  const keys = Float64Array.from({ length: count }, () => (state = (state * 48_271) % 2_147_483_647));
  return [...keys.keys()].sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
}
