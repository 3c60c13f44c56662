import type { PastIntent } from "./candidate.js";
import { solveSymmetric } from "./solve-symmetric.js";

/** Keeps directions that few intents vary in from being trusted: the share of a vector's length that is noise. */
const RIDGE = 0.001;

/**
 * For every candidate, the direction in which its past intents differ from all others, and last an offset: linear
 * discriminant analysis with one ridged spread for all (Friedman, 1989). Unlike a nearest neighbour it learns which
 * differences in meaning do not matter here.
 */
export function fitDirections(candidateIds: readonly string[], intents: readonly PastIntent[]): Float64Array[] {
  const size = intents[0]?.vector.length ?? 0;
  const rowOf = new Map(candidateIds.map((id, row) => [id, row]));
  const products = Array.from({ length: size }, () => new Float64Array(size));
  const means = candidateIds.map(() => new Float64Array(size));
  const counts = new Float64Array(candidateIds.length);
  for (const { vector, candidateIds: served } of intents) {
    addOuterProduct(products, vector);
    for (const row of served.flatMap((id) => rowOf.get(id) ?? [])) {
      addVector(means[row] as Float64Array, vector);
      counts[row] = (counts[row] ?? 0) + 1;
    }
  }
  for (const [row, mean] of means.entries()) scale(mean, 1 / Math.max(1, counts[row] ?? 0));
  for (const row of products) scale(row, 1 / Math.max(1, intents.length));
  for (const [index, row] of products.entries()) row[index] = (row[index] ?? 0) + RIDGE;
  return solveSymmetric(products, means).map((direction, row) => withOffset(direction, means[row] as Float64Array));
}

/** The lower half alone: the other one is the same. */
function addOuterProduct(products: readonly Float64Array[], vector: Float32Array): void {
  for (let row = 0; row < vector.length; row++) {
    const target = products[row] as Float64Array;
    const factor = vector[row] as number;
    for (let column = 0; column <= row; column++) {
      target[column] = (target[column] as number) + factor * (vector[column] as number);
    }
  }
}

function addVector(sum: Float64Array, vector: Float32Array): void {
  for (let index = 0; index < vector.length; index++) sum[index] = (sum[index] as number) + (vector[index] as number);
}

function scale(values: Float64Array, factor: number): void {
  for (let index = 0; index < values.length; index++) values[index] = (values[index] as number) * factor;
}

/** Half the score of the mean itself: a candidate whose intents are all alike has no head start. */
function withOffset(direction: Float64Array, mean: Float64Array): Float64Array {
  const offset = direction.reduce((sum, value, index) => sum - (value * (mean[index] ?? 0)) / 2, 0);
  return Float64Array.of(...direction, offset);
}
