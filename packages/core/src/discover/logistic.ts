import { solveSymmetric } from "./solve-symmetric.js";

const ROUNDS = 12;
const RIDGE = 0.01;
/** No step goes further than this: separable examples would push the weights without end. */
const LONGEST_STEP = 5;

/** The chance of a yes, from features. */
export type Chance = (features: ArrayLike<number>) => number;

/** Logistic regression by Newton's method, lightly ridged. Features are brought to one scale first. */
export function fitChance(rows: readonly ArrayLike<number>[], labels: readonly boolean[]): Chance {
  const scaling = measureScaling(rows);
  const inputs = rows.map((row) => scale(row, scaling));
  const weights = new Float64Array((scaling.means.length || 0) + 1);
  for (let round = 0; round < ROUNDS; round++) {
    const step = computeStep(inputs, labels, weights);
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
}

function measureScaling(rows: readonly ArrayLike<number>[]): Scaling {
  const size = rows[0]?.length ?? 0;
  const count = Math.max(1, rows.length);
  const average = (value: (row: ArrayLike<number>, at: number) => number): Float64Array =>
    Float64Array.from({ length: size }, (_, at) => rows.reduce((sum, row) => sum + value(row, at), 0) / count);
  const means = average((row, at) => row[at] ?? 0);
  const squares = average((row, at) => ((row[at] ?? 0) - (means[at] ?? 0)) ** 2);
  return { means, deviations: squares.map((square) => Math.sqrt(square) || 1) };
}

/** The constant comes last. */
function scale(row: ArrayLike<number>, { means, deviations }: Scaling): Float64Array {
  const scaled = new Float64Array(means.length + 1);
  for (let at = 0; at < means.length; at++) scaled[at] = ((row[at] ?? 0) - (means[at] ?? 0)) / (deviations[at] ?? 1);
  scaled[means.length] = 1;
  return scaled;
}

function computeStep(inputs: readonly Float64Array[], labels: readonly boolean[], weights: Float64Array): Float64Array {
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
