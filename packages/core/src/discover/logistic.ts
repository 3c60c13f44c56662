import { finish } from "./in-turns.js";
import { solveSymmetric } from "./solve-symmetric.js";

const ROUNDS = 12;
/** Weights of a few examples stay small: what tells these apart by chance must not be believed of the next. */
const RIDGE = 1;
const STEP = 1000;
/** No step goes further than this: separable examples would push the weights without end. */
const LONGEST_STEP = 5;

/** The chance of a yes, from features. */
export type Chance = (features: ArrayLike<number>) => number;

/** Logistic regression by Newton's method, lightly ridged. Features are brought to one scale first. */
export function fitChance(rows: readonly ArrayLike<number>[], labels: readonly boolean[]): Chance {
  return finish(fitChanceInSteps(rows, labels));
}

/** A step a thousand examples. */
export function* fitChanceInSteps(
  rows: readonly ArrayLike<number>[],
  labels: readonly boolean[],
): Generator<undefined, Chance> {
  const scaling = yield* measureScaling(rows);
  const inputs: Float64Array[] = [];
  for (const row of rows) {
    inputs.push(scale(row, scaling));
    if (inputs.length % STEP === 0) yield;
  }
  const weights = new Float64Array((scaling.means.length || 0) + 1);
  for (let round = 0; round < ROUNDS; round++) {
    const step = yield* computeStep(inputs, labels, weights);
    for (let at = 0; at < weights.length; at++) {
      const change = Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, step[at] ?? 0));
      weights[at] = (weights[at] ?? 0) - change;
    }
  }
  return (features) => sigmoid(dot(weights, scale(features, scaling)));
}

interface Scaling {
  readonly means: Float64Array;
  readonly deviations: Float64Array;
  readonly lowest: Float64Array;
  readonly highest: Float64Array;
}

function* measureScaling(rows: readonly ArrayLike<number>[]): Generator<undefined, Scaling> {
  const means = yield* average(rows, (value) => value);
  const squares = yield* average(rows, (value, at) => (value - (means[at] ?? 0)) ** 2);
  const [lowest, highest] = [means.slice(), means.slice()];
  for (const [place, row] of rows.entries()) {
    for (let at = 0; at < means.length; at++) {
      lowest[at] = Math.min(lowest[at] as number, row[at] ?? 0);
      highest[at] = Math.max(highest[at] as number, row[at] ?? 0);
    }
    if (place % STEP === 0) yield;
  }
  return { means, deviations: squares.map((square) => Math.sqrt(square) || 1), lowest, highest };
}

function* average(
  rows: readonly ArrayLike<number>[],
  map: (value: number, at: number) => number,
): Generator<undefined, Float64Array> {
  const sums = new Float64Array(rows[0]?.length ?? 0);
  for (const [place, row] of rows.entries()) {
    for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] as number) + map(row[at] ?? 0, at);
    if (place % STEP === 0) yield;
  }
  return sums.map((sum) => sum / Math.max(1, rows.length));
}

/** The constant comes last. */
function scale(row: ArrayLike<number>, { means, deviations, lowest, highest }: Scaling): Float64Array {
  const scaled = new Float64Array(means.length + 1);
  for (let at = 0; at < means.length; at++) {
    // What lies further out than the examples says no more than the outermost of them.
    const value = Math.max(lowest[at] ?? 0, Math.min(highest[at] ?? 0, row[at] ?? 0));
    scaled[at] = (value - (means[at] ?? 0)) / (deviations[at] ?? 1);
  }
  scaled[means.length] = 1;
  return scaled;
}

function* computeStep(
  inputs: readonly Float64Array[],
  labels: readonly boolean[],
  weights: Float64Array,
): Generator<undefined, Float64Array> {
  const size = weights.length;
  const curvature = Array.from({ length: size }, (_, at) => new Float64Array(size).fill(RIDGE, at, at + 1));
  const slope = weights.map((weight) => RIDGE * weight);
  for (const [at, input] of inputs.entries()) {
    const chance = sigmoid(dot(weights, input));
    const surplus = chance - (labels[at] ? 1 : 0);
    const certain = chance * (1 - chance);
    for (let row = 0; row < size; row++) {
      slope[row] = (slope[row] as number) + surplus * (input[row] as number);
      const factor = certain * (input[row] as number);
      const target = curvature[row] as Float64Array;
      for (let column = 0; column <= row; column++)
        target[column] = (target[column] as number) + factor * (input[column] as number);
    }
    if (at % STEP === 0) yield;
  }
  return solveSymmetric(curvature, [slope])[0] as Float64Array;
}

function sigmoid(odds: number): number {
  return 1 / (1 + Math.exp(-Math.max(-30, Math.min(30, odds))));
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
