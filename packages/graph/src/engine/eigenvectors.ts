/** Rows of a sparse matrix whose entries are all 1: the columns in which they stand. */
export interface Incidence {
  readonly rows: readonly (readonly number[])[];
  readonly columns: number;
}

const ITERATIONS = 60;

/**
 * The leading eigenvectors of N·Nᵀ, where N is the incidence with each entry divided by the root of its row's and its
 * column's degree, by orthogonal iteration (Golub and Van Loan, §8.2). The product is never written out, so a step costs
 * as much as there are entries.
 */
export function leadingVectors(incidence: Incidence, count: number): { values: number[]; vectors: Float64Array[] } {
  const multiply = createProduct(incidence);
  let vectors = Array.from({ length: count }, (_, at) => startVector(incidence.rows.length, at));
  let values: number[] = [];
  for (let turn = 0; turn < ITERATIONS; turn++) {
    const next = vectors.map(multiply);
    values = next.map((vector, at) => dot(vector, vectors[at] as Float64Array));
    vectors = orthonormalize(next);
  }
  return { values, vectors };
}

const scale = (row: readonly number[]): number => 1 / Math.sqrt(Math.max(1, row.length));

function createProduct({ rows, columns }: Incidence): (vector: Float64Array) => Float64Array {
  const columnDegrees = new Float64Array(columns);
  for (const row of rows) for (const column of row) columnDegrees[column] = (columnDegrees[column] ?? 0) + 1;
  return (vector) => {
    const between = new Float64Array(columns);
    rows.forEach((row, at) => {
      const value = (vector[at] ?? 0) * scale(row);
      for (const column of row) between[column] = (between[column] ?? 0) + value / (columnDegrees[column] || 1);
    });
    return Float64Array.from(rows, (row) => scale(row) * row.reduce((sum, column) => sum + (between[column] ?? 0), 0));
  };
}

/** Spread over all directions, and the same each time. */
function startVector(length: number, seed: number): Float64Array {
  return Float64Array.from(
    { length },
    (_, at) => Math.sin((at + 1) * (seed + 1) * 1.618_033_988_75) + (seed === 0 ? 2 : 0),
  );
}

/** Gram and Schmidt, the modified form. */
function orthonormalize(vectors: Float64Array[]): Float64Array[] {
  const basis: Float64Array[] = [];
  for (const vector of vectors) {
    const rest = Float64Array.from(vector);
    for (const other of basis) {
      const part = dot(rest, other);
      for (let at = 0; at < rest.length; at++) rest[at] = (rest[at] ?? 0) - part * (other[at] ?? 0);
    }
    const length = Math.sqrt(dot(rest, rest));
    basis.push(length < 1e-12 ? rest.fill(0) : rest.map((value) => value / length));
  }
  return basis;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
