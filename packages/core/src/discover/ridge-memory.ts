import type { PastIntent, Query } from "./candidate.js";
import { hashWords } from "./hashed-words.js";
import { solveInSteps } from "./solve-symmetric.js";
import type { TextVectors } from "./text-vectors.js";

/** Shares of meaning and of wording in what is compared, as roots, so that likenesses add up to them. */
const [MEANING, WORDING] = [Math.sqrt(0.6), Math.sqrt(0.4)];
/** Words are hashed into so many numbers: enough that clashes are rare within one text. */
const HASHED = 256;
const RIDGE = 0.5;

/**
 * Which candidates served an intent, as a linear function of its meaning and words: ridge regression (Hoerl & Kennard,
 * 1970). What it would have said of a past intent without having seen it follows from its leverage, so that it can be
 * judged without being fitted again.
 */
export class RidgeMemory {
  readonly #texts: TextVectors;
  #products: readonly Float64Array[] = [];
  #weights: readonly Float64Array[] = [];

  private constructor(texts: TextVectors) {
    this.#texts = texts;
  }

  static *learn(
    intents: readonly PastIntent[],
    rows: readonly (readonly number[])[],
    { texts, candidates }: RidgeOptions,
  ): Generator<undefined, RidgeMemory> {
    const memory = new RidgeMemory(texts);
    const size = intents.length === 0 ? 0 : (intents[0]?.vector.length ?? 0) + HASHED;
    const products = Array.from({ length: size }, (_, at) => new Float64Array(size).fill(RIDGE, at, at + 1));
    const targets = Array.from({ length: candidates }, () => new Float64Array(size));
    for (const [at, intent] of intents.entries()) {
      const input = memory.#describe(intent);
      addProduct(products, input);
      for (const row of rows[at] ?? []) addTo(targets[row] as Float64Array, input);
      yield;
    }
    memory.#products = products;
    memory.#weights = size === 0 ? [] : yield* solveInSteps(products, targets);
    return memory;
  }

  score(query: Query): Float64Array {
    const input = this.#describe(query);
    return Float64Array.from(this.#weights, (weights) => dot(weights, input));
  }

  /** Of past intents, as if each had not been there. */
  *scoreWithout(
    intents: readonly PastIntent[],
    rows: readonly (readonly number[])[],
  ): Generator<undefined, Float64Array[]> {
    const inputs = intents.map((intent) => this.#describe(intent));
    const solved = yield* solveInSteps(this.#products, inputs);
    const scores: Float64Array[] = [];
    for (const [at, input] of inputs.entries()) {
      const leverage = Math.min(0.99, dot(input, solved[at] as Float64Array));
      const own = new Set(rows[at]);
      scores.push(
        Float64Array.from(
          this.#weights,
          (weights, row) => (dot(weights, input) - (own.has(row) ? leverage : 0)) / (1 - leverage),
        ),
      );
      yield;
    }
    return scores;
  }

  #describe({ text, vector }: Query): Float64Array {
    const input = new Float64Array(vector.length + HASHED);
    for (let at = 0; at < vector.length; at++) input[at] = MEANING * (vector[at] ?? 0);
    for (const [place, value] of hashWords(this.#texts.read(text), HASHED)) {
      const at = vector.length + place;
      input[at] = (input[at] ?? 0) + WORDING * value;
    }
    return input;
  }
}

interface RidgeOptions {
  readonly texts: TextVectors;
  readonly candidates: number;
}

/** The lower half alone: the other one is the same. */
function addProduct(products: readonly Float64Array[], input: Float64Array): void {
  for (let row = 0; row < input.length; row++) {
    const factor = input[row] as number;
    if (factor === 0) continue;
    const target = products[row] as Float64Array;
    for (let column = 0; column <= row; column++)
      target[column] = (target[column] as number) + factor * (input[column] as number);
  }
}

function addTo(sum: Float64Array, input: Float64Array): void {
  for (let at = 0; at < input.length; at++) sum[at] = (sum[at] as number) + (input[at] as number);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
