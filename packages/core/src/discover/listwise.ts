import { finish } from "./in-turns.js";

/** One query to learn from: for each candidate shown its features, and which of them were right. */
export interface Example {
  rows: Float64Array[];
  right: readonly number[];
  weight?: number;
}

export interface ListwiseOptions {
  epochs: number;
  rate: number;
  /** Pull towards the start, so that what the examples do not speak of stays as it was. */
  decay: number;
  start: readonly number[];
  /** What a right row is set against: all rows, or the wrong ones only, so that two right ones do not compete. */
  rivals?: "all" | "wrong";
}

/** Weights of a linear score under which the right rows are likely: softmax over the rows, Adam, in a fixed order. */
export function fitListwise(examples: readonly Example[], options: ListwiseOptions): number[] {
  return finish(fitInSteps(examples, options));
}

/** A step an example. */
export function* fitInSteps(examples: readonly Example[], options: ListwiseOptions): Generator<undefined, number[]> {
  const { epochs, rate, decay, start, rivals = "all" } = options;
  const listSurplus = rivals === "all" ? againstAll : againstWrong;
  const size = start.length;
  const weights = Float64Array.from(start);
  const [first, second] = [new Float64Array(size), new Float64Array(size)];
  for (let step = 1; step <= epochs; step++) {
    const gradient = new Float64Array(size);
    for (const example of examples) {
      addGradient(gradient, example, listSurplus(listOdds(example, weights), example.right));
      yield;
    }
    for (let index = 0; index < size; index++) {
      const pull = decay * ((weights[index] ?? 0) - (start[index] ?? 0));
      const slope = (gradient[index] ?? 0) / examples.length + pull;
      first[index] = 0.9 * (first[index] ?? 0) + 0.1 * slope;
      second[index] = 0.99 * (second[index] ?? 0) + 0.01 * slope ** 2;
      const size1 = (first[index] ?? 0) / (1 - 0.9 ** step);
      const size2 = (second[index] ?? 0) / (1 - 0.99 ** step);
      weights[index] = (weights[index] ?? 0) - (rate * size1) / (Math.sqrt(size2) + 1e-8);
    }
  }
  return [...weights];
}

/** How much likelier each row is than it should be. */
function againstAll(odds: readonly number[], right: readonly number[]): number[] {
  const total = odds.reduce((sum, each) => sum + each, 0);
  return odds.map((each, at) => each / total - (right.includes(at) ? 1 / right.length : 0));
}

function againstWrong(odds: readonly number[], right: readonly number[]): number[] {
  const wrong = odds.reduce((sum, each, at) => sum + (right.includes(at) ? 0 : each), 0);
  const share = right.reduce((sum, at) => sum + 1 / ((odds[at] ?? 0) + wrong), 0) / right.length;
  return odds.map((each, at) => (right.includes(at) ? -wrong / (each + wrong) / right.length : each * share));
}

function listOdds({ rows }: Example, weights: Float64Array): number[] {
  return rows.map((row) => Math.exp(Math.min(50, dot(row, weights))));
}

function addGradient(gradient: Float64Array, { rows, weight = 1 }: Example, surplus: readonly number[]): void {
  for (const [at, row] of rows.entries()) {
    const pull = weight * (surplus[at] ?? 0);
    for (let index = 0; index < row.length; index++)
      gradient[index] = (gradient[index] as number) + pull * (row[index] as number);
  }
}

function dot(row: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < row.length; index++) sum += (row[index] as number) * (weights[index] as number);
  return sum;
}
