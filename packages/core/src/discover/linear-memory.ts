import { Matrix } from "../store/vectors/dot-kernel.js";
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

/** What is read of an intent: its meaning, and the numbers of its words that are not 0. */
interface Input {
  readonly meaning: Float32Array;
  readonly words: readonly (readonly [place: number, value: number])[];
}

/**
 * What the words and the meaning of an intent add to the unlearned score of each candidate: multinomial logistic
 * regression with that score as its offset, by Adagrad (Duchi, Hazan & Singer, 2011). It starts from the unlearned ranking
 * and leaves it only as far as intents say, so that few of them do no harm. The same intents give the same weights.
 */
export class LinearMemory {
  readonly #texts: TextVectors;
  readonly #candidates: number;
  /** A row a candidate. */
  readonly #meaning: Matrix;
  /** A row a word that was seen, with a number a candidate: few words are read of many candidates. */
  readonly #wording: (Float32Array | undefined)[] = [];
  readonly #squares: { readonly meaning: Float64Array; readonly words: Float64Array };

  private constructor(texts: TextVectors, { candidates, dimensions }: { candidates: number; dimensions: number }) {
    const blank = new Float32Array(dimensions);
    this.#texts = texts;
    this.#candidates = candidates;
    this.#meaning = Matrix.of(Array.from({ length: candidates }, () => blank));
    this.#squares = { meaning: startSquares(dimensions), words: startSquares(HASHED) };
  }

  /** A step a lesson, so that others get their turn between. */
  static *learn(
    lessons: readonly Lesson[],
    { texts, candidates }: { texts: TextVectors; candidates: number },
  ): Generator<undefined, LinearMemory> {
    const taught = lessons.filter(({ rows }) => rows.length > 0);
    const dimensions = taught[0]?.vector.length ?? 0;
    const memory = new LinearMemory(texts, { candidates: taught.length === 0 ? 0 : candidates, dimensions });
    const inputs: Input[] = [];
    for (const lesson of taught) {
      inputs.push(memory.#describe(lesson));
      yield;
    }
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
    return this.#apply(this.#describe(query));
  }

  #apply({ meaning, words }: Input): Float64Array {
    const sums = Float64Array.from(this.#meaning.multiply(meaning));
    for (const [place, value] of words) {
      const weights = this.#wording[place];
      if (weights === undefined) continue;
      for (let row = 0; row < sums.length; row++) sums[row] = (sums[row] as number) + (weights[row] as number) * value;
    }
    return sums;
  }

  #learn({ offset, rows }: Lesson, input: Input): void {
    const odds = this.#apply(input);
    for (let row = 0; row < odds.length; row++) odds[row] = (odds[row] as number) + (offset[row] as number);
    const surplus = measureSurplus(odds, rows);
    const size = surplus.reduce((sum, each) => sum + each * each, 0);
    const steps = this.#measureSteps(input, size);
    const wrong = [...surplus.keys()].filter((row) => Math.abs(surplus[row] as number) >= LEAST_SURPRISE);
    for (const row of wrong) addScaled(this.#meaning.get(row), steps.meaning, -(surplus[row] as number));
    for (const [place, step] of steps.words) {
      const weights = (this.#wording[place] ??= new Float32Array(this.#candidates));
      for (const row of wrong) weights[row] = (weights[row] as number) - (surplus[row] as number) * step;
    }
  }

  /** One step size a number of the input, for all candidates: rare words learn as fast as common ones. */
  #measureSteps({ meaning, words }: Input, size: number): Input {
    const measure = (squares: Float64Array, at: number, value: number): number => {
      const sum = (squares[at] as number) + value * value * size;
      squares[at] = sum;
      return (RATE * value) / Math.sqrt(sum);
    };
    return {
      meaning: meaning.map((value, at) => measure(this.#squares.meaning, at, value)),
      words: words.map(([place, value]) => [place, measure(this.#squares.words, place, value)] as const),
    };
  }

  #describe({ text, vector }: Query): Input {
    const words = hashWords(this.#texts.read(text), HASHED);
    return {
      meaning: vector.map((value) => MEANING * value),
      words: words.map(([place, value]) => [place, WORDING * value] as const),
    };
  }
}

function startSquares(length: number): Float64Array {
  return new Float64Array(length).fill(1e-3);
}

/** How much likelier each candidate is than it should be: softmax, less an equal share for each that served. */
function measureSurplus(odds: Float64Array, rows: readonly number[]): Float64Array {
  const top = odds.reduce((best, each) => Math.max(best, each), Number.NEGATIVE_INFINITY);
  const powers = odds.map((each) => Math.exp(each - top));
  const total = powers.reduce((sum, each) => sum + each, 0);
  const surplus = powers.map((each) => each / total);
  for (const row of rows) surplus[row] = (surplus[row] ?? 0) - 1 / rows.length;
  return surplus;
}

function addScaled(sum: Float32Array, values: Float32Array, factor: number): void {
  for (let at = 0; at < values.length; at++) sum[at] = (sum[at] as number) + factor * (values[at] as number);
}

/** Another order each round, the same each time: intents that were stored together must not be learned together. */
function listShuffled(count: number, round: number): number[] {
  let state = round + 1;
  const keys = Float64Array.from({ length: count }, () => (state = (state * 48_271) % 2_147_483_647));
  return [...keys.keys()].sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
}
