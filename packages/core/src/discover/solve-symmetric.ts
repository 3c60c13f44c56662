import { finish } from "./in-turns.js";

/** Solves `matrix · x = target` for each target by Cholesky; the matrix is positive definite, its lower half is read. */
export function solveSymmetric(matrix: readonly Float64Array[], targets: readonly Float64Array[]): Float64Array[] {
  return finish(solveInSteps(matrix, targets));
}

/** A step a row and a target. */
export function* solveInSteps(
  matrix: readonly Float64Array[],
  targets: readonly Float64Array[],
): Generator<undefined, Float64Array[]> {
  const factor = yield* factorise(matrix);
  const solved: Float64Array[] = [];
  for (const target of targets) {
    solved.push(substituteBack(factor, substitute(factor, target)));
    yield;
  }
  return solved;
}

function* factorise(matrix: readonly Float64Array[]): Generator<undefined, Float64Array[]> {
  const factor = matrix.map((row) => row.slice());
  for (let row = 0; row < factor.length; row++) {
    const current = factor[row] as Float64Array;
    for (let column = 0; column <= row; column++) {
      const other = factor[column] as Float64Array;
      let sum = current[column] as number;
      for (let index = 0; index < column; index++) sum -= (current[index] as number) * (other[index] as number);
      current[column] = row === column ? Math.sqrt(sum) : sum / (other[column] as number);
    }
    yield;
  }
  return factor;
}

function substitute(factor: readonly Float64Array[], target: Float64Array): Float64Array {
  const solved = target.slice();
  for (let row = 0; row < factor.length; row++) {
    const current = factor[row] as Float64Array;
    let sum = solved[row] as number;
    for (let index = 0; index < row; index++) sum -= (current[index] as number) * (solved[index] as number);
    solved[row] = sum / (current[row] as number);
  }
  return solved;
}

function substituteBack(factor: readonly Float64Array[], target: Float64Array): Float64Array {
  const solved = target.slice();
  for (let row = factor.length - 1; row >= 0; row--) {
    const current = factor[row] as Float64Array;
    solved[row] = (solved[row] as number) / (current[row] as number);
    for (let index = 0; index < row; index++) {
      solved[index] = (solved[index] as number) - (current[index] as number) * (solved[row] as number);
    }
  }
  return solved;
}
