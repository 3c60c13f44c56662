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
}

/** Weights of a linear score under which the right rows are likely: softmax over the rows, Adam, in a fixed order. */
export function fitListwise(examples: readonly Example[], { epochs, rate, decay, start }: ListwiseOptions): number[] {
  const size = start.length;
  const weights = Float64Array.from(start);
  const [first, second] = [new Float64Array(size), new Float64Array(size)];
  for (let step = 1; step <= epochs; step++) {
    const gradient = new Float64Array(size);
    for (const example of examples) addGradient(gradient, example, weights);
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

function addGradient(gradient: Float64Array, { rows, right, weight = 1 }: Example, weights: Float64Array): void {
  const odds = rows.map((row) => Math.exp(Math.min(50, dot(row, weights))));
  const total = odds.reduce((sum, each) => sum + each, 0);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as Float64Array;
    const surplus = weight * ((odds[at] as number) / total - (right.includes(at) ? 1 / right.length : 0));
    for (let index = 0; index < row.length; index++)
      gradient[index] = (gradient[index] as number) + surplus * (row[index] as number);
  }
}

function dot(row: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < row.length; index++) sum += (row[index] as number) * (weights[index] as number);
  return sum;
}
